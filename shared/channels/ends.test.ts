// Test: calls, refusals and pushes between both ends of the channel table.

import { expect, test } from 'vitest';
import { z } from 'zod';
import { plainMessage, textOf } from '../text/message.ts';
import { intent, push, query, RefusedError } from './channel.ts';
import { createDispatch, createPusher, createWindowEnd } from './ends.ts';
import { createMemoryLink } from './memory-link.ts';

const table = {
  double: query(z.strictObject({ value: z.number() }), z.strictObject({ doubled: z.number() })),
  lie: query(z.strictObject({}), z.strictObject({ truth: z.boolean() })),
  refuse: intent(z.strictObject({}), z.strictObject({})),
  fail: intent(z.strictObject({}), z.strictObject({})),
  ticked: push(z.strictObject({ count: z.number() })),
} as const;

function pair() {
  const faults: string[] = [];
  const bad: string[] = [];
  const dispatch = createDispatch(
    table,
    {
      double: ({ value }) => ({ doubled: 2 * value }),
      lie: () => ({ truth: 'no' as unknown as boolean }),
      refuse: () => {
        throw new RefusedError({ code: 'refused', message: plainMessage('SPY is not watched. Add it first.') });
      },
      fail: () => {
        throw new Error('disk full');
      },
    },
    (name) => faults.push(name),
  );
  const link = createMemoryLink(dispatch);
  return { link, dispatch, faults, bad, window: createWindowEnd(table, link.window, (problem) => bad.push(problem)) };
}

test('a call travels there and back, typed', async () => {
  const { window } = pair();
  await expect(window.call('double', { value: 21 })).resolves.toEqual({ doubled: 42 });
});

test.each([
  ['bad_input', 'double', { value: 'x' }, 'double: value: Invalid input: expected number, received string'],
  ['bad_input', 'double', { value: 1, extra: 1 }, 'double: Unrecognized key: "extra"'],
  ['unknown_channel', 'constructor', {}, 'There is no call named "constructor".'],
  ['unknown_channel', 'ticked', {}, 'There is no call named "ticked".'],
  ['refused', 'refuse', {}, 'SPY is not watched. Add it first.'],
  ['failed', 'fail', {}, 'disk full'],
  ['bad_output', 'lie', {}, 'The answer to lie is invalid: truth: Invalid input: expected boolean, received string'],
])('%s is an answer, not an exception', async (code, name, payload, text) => {
  const { dispatch } = pair();
  const answer = await dispatch(name, payload);
  expect(answer).toMatchObject({ ok: false, error: { code } });
  expect(!answer.ok && textOf(answer.error.message)).toBe(text);
});

test('a fault of the core is reported; an invalid request of the user is not', async () => {
  const { dispatch, faults } = pair();
  for (const name of ['double', 'refuse', 'fail', 'lie']) await dispatch(name, {});
  expect(faults).toEqual(['fail', 'lie']);
});

test('a push reaches every listener until it is cancelled; an invalid one is dropped and reported', () => {
  const { window, link, bad } = pair();
  const received: number[] = [];
  const cancel = window.subscribe('ticked', ({ count }) => received.push(count));
  createPusher(table, link.core)('ticked', { count: 1 });
  link.core.push('ticked', { count: 'two' });
  cancel();
  link.core.push('ticked', { count: 3 });
  expect(received).toEqual([1]);
  expect(bad).toHaveLength(1);
});

test('the core cannot push an invalid payload', () => {
  const { link } = pair();
  expect(() => createPusher(table, link.core)('ticked', { count: 'x' as unknown as number })).toThrow();
});

test('a window whose core is gone is disconnected', async () => {
  const { window, link } = pair();
  const seen: boolean[] = [];
  window.watch((up) => seen.push(up));
  link.setUp(false);
  await expect(window.call('double', { value: 1 })).rejects.toMatchObject({ refusal: { code: 'disconnected' } });
  expect(seen).toEqual([true, false]);
});
