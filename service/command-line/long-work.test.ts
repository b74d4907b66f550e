// Service, test: the progress of a command in a terminal and elsewhere, and its end by Ctrl-C.
import { beforeEach, expect, test } from 'vitest';
import type { Progress } from '../../shared/lib/progress.ts';
import { StoppedError } from '../../shared/lib/progress.ts';
import type { Steps } from '../steps.ts';
import { longWork } from './long-work.ts';

let now: number;
let written: string[];
let stop: (() => void) | null;
beforeEach(() => {
  now = 0;
  written = [];
  stop = null;
});
const terminal = (isTTY: boolean) => ({
  output: { isTTY, columns: 80, write: (text: string) => written.push(text) },
  clock: { now: () => now },
  onStop(listener: () => void) {
    stop = listener;
    return () => {
      stop = null;
    };
  },
});

const closes = (done: number, total: number | null = 600): Progress => ({ what: 'computing', done, total });

/** A step takes a second and computes ten days. */
function* tenDaysASecond(steps: number): Steps<string> {
  for (let step = 1; step <= steps; step += 1) {
    now += 1_000;
    yield closes(10 * step);
  }
  return 'done';
}

test('a terminal has one line that is rewritten, with the time left once it is known, and gone in the end', async () => {
  const result = await longWork(({ steps }) => steps(tenDaysASecond(3)), '', terminal(true));
  expect(result).toBe('done');
  expect(written).toEqual([
    '\r\x1b[KComputing closes: 10 of 600 days (1\u00a0%)',
    '\r\x1b[KComputing closes: 20 of 600 days (3\u00a0%), 58\u00a0s left',
    '\r\x1b[KComputing closes: 30 of 600 days (5\u00a0%), 57\u00a0s left',
    '\r\x1b[K',
  ]);
  expect(stop).toBeNull();
});

test('what is no terminal gets a line every five seconds', async () => {
  await longWork(({ steps }) => steps(tenDaysASecond(12)), '', terminal(false));
  expect(written).toEqual([1, 6, 11].map((step) => expect.stringContaining(`: ${10 * step} of 600 days`)));
  expect(written.every((line) => line.endsWith('\n'))).toBe(true);
});

test('work of less than a second prints nothing', async () => {
  await longWork(
    async ({ report }) => {
      now += 999;
      report(closes(599));
    },
    '',
    terminal(true),
  );
  expect(written).toEqual([]);
});

test('the time left follows the last ten seconds, and is not shown without a total or when other work begins', async () => {
  await longWork(
    async ({ report }) => {
      for (let second = 1; second <= 30; second += 1) {
        now += 1_000;
        report(closes(second <= 15 ? second : 15 + 10 * (second - 15)));
      }
      now += 1_000;
      report({ what: 'verifying', done: 0, total: null });
      now += 1_000;
      report({ what: 'backfill', done: 1_200, total: null });
    },
    '',
    terminal(true),
  );
  expect(written.at(-4)).toContain('165 of 600 days (27\u00a0%), 44\u00a0s left');
  expect(written.slice(-3)).toEqual(['\r\x1b[KChecking the copy', '\r\x1b[KFetching events: 1,200 events', '\r\x1b[K']);
});

test('Ctrl-C ends the work after its step, and the last line says what the next run does', async () => {
  const work = longWork(
    ({ steps }) => steps(tenDaysASecond(100), () => now === 3_000 && stop?.()),
    'The next run begins with the first bar.',
    terminal(true),
  );
  await expect(work).rejects.toThrow(new StoppedError('Stopped. The next run begins with the first bar.'));
  expect(now).toBe(3_000);
  expect(written.at(-1)).toBe('\r\x1b[K');
  expect(stop).toBeNull();
});
