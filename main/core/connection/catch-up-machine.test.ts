// Test: the decisions after a reading of the log, without a clock and without a service.
import { expect, test } from 'vitest';
import { problem } from '../../../client/problem.ts';
import { afterReading, type ReadingOutcome } from './catch-up-machine.ts';

const kindsAfter = (failures: number, outcome: ReadingOutcome): string[] =>
  afterReading(failures, outcome)[1].map(({ kind }) => kind);
const failed = (kind: Parameters<typeof problem>[0], isStreaming: boolean): ReadingOutcome => ({
  kind: 'failed',
  problem: problem(kind, 'It did not work.'),
  isStreaming,
});

test('a failed reading is an outage only without a stream, or when nothing can be written', () => {
  expect(kindsAfter(0, failed('network', true))).toEqual(['broken', 'again']);
  expect(kindsAfter(0, failed('network', false))).toEqual(['broken', 'lose', 'again']);
  expect(kindsAfter(0, failed('not_stored', true))).toEqual(['broken', 'lose', 'again']);
});

test('repeated failures are an outage even with an open stream: events missed before stay unknown', () => {
  expect(kindsAfter(5, failed('timeout', true))).toEqual(['broken', 'again']);
  expect(kindsAfter(6, failed('timeout', true))).toEqual(['broken', 'lose', 'again']);
});

test('a refused key leads to one new connection, not to one per reading', () => {
  expect(kindsAfter(0, failed('unauthorized', true))).toContain('reconnect');
  expect(kindsAfter(1, failed('unauthorized', true))).not.toContain('reconnect');
});

test('the wait requested by the service is respected', () => {
  const limited = { ...problem('rate_limited', 'Later.', 429), retryAfter: 7_000 };
  const [, effects] = afterReading(0, { kind: 'failed', problem: limited, isStreaming: true });
  expect(effects.at(-1)).toEqual({ kind: 'again', floor: 7_000 });
});

test('an open hole is read again, then the whole log, then it is an outage', () => {
  const kinds = Array.from({ length: 8 }, (_, failures) => kindsAfter(failures, { kind: 'pending' }));
  expect(kinds).toEqual([
    ['again'],
    ['again'],
    ['again'],
    ['reread', 'again'],
    ['again'],
    ['again'],
    ['lose', 'again'],
    ['lose', 'again'],
  ]);
});

test('a log that was read to its end and written resets the failures', () => {
  expect(afterReading(5, { kind: 'complete' })).toEqual([0, []]);
});
