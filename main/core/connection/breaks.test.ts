// Test: when and why the stream broke, and the heartbeats kept for display.
import { expect, test } from 'vitest';
import { type Message, message, plainMessage } from '../../../shared/text/message.ts';
import { createManualClock } from '../../../test/harness/manual-clock.ts';
import { createBreaks } from './breaks.ts';
import { createHeartbeat } from './heartbeat.ts';

test('every break has its cause and its length; attempts in between do not count', () => {
  const clock = createManualClock();
  const breaks = createBreaks(clock);
  const open = (): void => breaks.phase({ name: 'open', since: clock.now() });
  const wait = (cause: Message): void => breaks.phase({ name: 'waiting', attempt: 1, at: clock.now() + 1_000, cause });
  breaks.phase({ name: 'connecting', attempt: 0 });
  open();
  expect(breaks.list()).toEqual([]);
  wait(message('connection.closed'));
  breaks.phase({ name: 'connecting', attempt: 1 });
  wait(plainMessage('Nothing listens there.'));
  clock.jump(800);
  open();
  breaks.expect(message('connection.slept'));
  breaks.phase({ name: 'connecting', attempt: 0 });
  expect(breaks.list()).toMatchObject([
    { cause: message('connection.slept'), back_after: null },
    { cause: message('connection.closed'), back_after: 800 },
  ]);
  breaks.phase({ name: 'refused', message: plainMessage('wrong key'), attempt: 1, at: 0, what: 'key' });
  expect(breaks.list()).toHaveLength(2);
  clock.jump(24 * 3_600_000);
  expect(breaks.list()).toEqual([]);
});

test('heartbeats are kept for 24 minutes with the silence before each, across reconnections', () => {
  const heartbeat = createHeartbeat();
  for (const at of [0, 15_000, 30_000]) heartbeat.comment(at);
  heartbeat.restart();
  heartbeat.comment(90_000);
  expect(heartbeat.beats(90_000)).toEqual([
    { at: 15_000, gap: 15_000 },
    { at: 30_000, gap: 15_000 },
    { at: 90_000, gap: 60_000 },
  ]);
  expect(heartbeat.interval()).toBe(15_000);
  expect(heartbeat.beats(30_000 + 24 * 60_000)).toEqual([{ at: 90_000, gap: 60_000 }]);
  for (let at = 100_000; at < 200_000; at += 200) heartbeat.comment(at);
  expect(heartbeat.beats(200_000)).toHaveLength(240);
});
