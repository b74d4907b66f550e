// Test: an expensive read whose answer is good for a while.
import { expect, test } from 'vitest';
import { cachedRead } from './cached-read.ts';

function reader() {
  let now = 1_000_000;
  let reads = 0;
  const answers: PromiseWithResolvers<string>[] = [];
  const read = cachedRead({ now: () => now }, 100, () => {
    reads += 1;
    const answer = Promise.withResolvers<string>();
    answers.push(answer);
    return answer.promise;
  });
  const pass = (ms: number): void => {
    now += ms;
  };
  return { read, answers, reads: () => reads, pass };
}

test('calls at the same time share one read, and later ones its answer while it is good', async () => {
  const { read, answers, reads, pass } = reader();
  const both = [read(), read()];
  answers[0]?.resolve('first');
  expect(await Promise.all(both)).toEqual(['first', 'first']);
  pass(99);
  expect(await read()).toBe('first');
  expect(reads()).toBe(1);
  pass(1);
  const again = read();
  answers[1]?.resolve('second');
  expect(await again).toBe('second');
});

test('a failure is told to all who wait, and the next call reads again', async () => {
  const { read, answers, reads } = reader();
  const both = [read(), read()];
  answers[0]?.reject(new Error('away'));
  for (const one of both) await expect(one).rejects.toThrow('away');
  const again = read();
  answers[1]?.resolve('back');
  expect(await again).toBe('back');
  expect(reads()).toBe(2);
});

test('a clock that is set back does not keep an answer for longer', async () => {
  const { read, answers, reads, pass } = reader();
  const first = read();
  answers[0]?.resolve('first');
  await first;
  pass(-500);
  void read();
  expect(reads()).toBe(2);
});
