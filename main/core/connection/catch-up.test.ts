// Test: catching up: one reading of the log that fails counts once, however many wait for it.
import { expect, test } from 'vitest';
import { problem } from '../../../client/problem.ts';
import { err, type Result } from '../../../shared/lib/result.ts';
import { message, textOf } from '../../../shared/text/message.ts';
import { createManualClock, settle } from '../../../test/harness/manual-clock.ts';
import type { LogRead } from '../sources/log-reading.ts';
import { type CatchUpDeps, createCatchUp } from './catch-up.ts';
import { createConnectionStore } from './state.ts';

test('calls during a reading wait for one more, and each reading counts once, also one with a failed write in it', async () => {
  const clock = createManualClock();
  const finish: ((result: Result<never, ReturnType<typeof problem>>) => void)[] = [];
  const losses: number[] = [];
  const deps = {
    context: {
      guard: { clock, go: (work: Promise<unknown>) => void work, run: (work: () => void) => work() },
      events: { signal: () => undefined, emit: () => undefined },
      profile: { name: 'test' },
      ports: { logger: { warn: () => undefined }, random: () => 0.999 },
    },
    ledger: { hasPending: () => false },
    backfill: () => new Promise((resolve) => finish.push(resolve)),
    anchor: { doubt: () => undefined },
    watermark: { reached: () => undefined, broken: () => undefined, lose: () => void losses.push(clock.now()) },
    healthChecks: { roundTrip: () => undefined },
    store: createConnectionStore(clock.now()),
    batcher: { flush: () => undefined },
  } as unknown as CatchUpDeps;
  const catchUp = createCatchUp(deps);
  const waits = [catchUp.run('backfill'), catchUp.run('backfill'), catchUp.run('poll')];
  catchUp.again(0);
  const fail = async (reading: number): Promise<void> => {
    finish[reading]?.(err(problem('not_stored', 'The disk is full.')));
    await settle();
  };
  await fail(0);
  await fail(1);
  await Promise.all(waits);
  expect(losses).toHaveLength(2);
  // After one failure the pause is up to a second, after two up to two.
  await clock.advance(1_900);
  expect(finish).toHaveLength(2);
  await clock.advance(200);
  expect(finish).toHaveLength(3);
  catchUp.stop();
});

test('a reading that takes long is shown with the time left by the times of its events, and gone in the end', async () => {
  const clock = createManualClock();
  const store = createConnectionStore(clock.now());
  const shown: (string | null)[] = [];
  const begun = clock.now() - 1_000_000;
  const deps = {
    context: {
      guard: { clock, go: (work: Promise<unknown>) => void work, run: (work: () => void) => work() },
      events: {
        signal() {
          const { backfill } = store.current();
          shown.push(backfill === null ? null : textOf(message('work.progress', backfill)));
        },
      },
      profile: { name: 'test' },
      ports: { logger: { warn: () => undefined }, random: () => 0.999 },
      world: { now: clock.now },
    },
    ledger: { hasPending: () => false },
    async backfill(_: string, report: (read: LogRead) => void) {
      for (let page = 1; page <= 5; page += 1) {
        await clock.advance(600);
        report({ events: 100 * page, from: begun, to: begun + page * 100_000 });
      }
      return err(problem('not_stored', 'The disk is full.'));
    },
    anchor: { doubt: () => undefined },
    watermark: { reached: () => undefined, broken: () => undefined, lose: () => undefined },
    healthChecks: { roundTrip: () => undefined },
    store,
    batcher: { flush: () => undefined },
  } as unknown as CatchUpDeps;
  const catchUp = createCatchUp(deps);
  await catchUp.run('backfill');
  expect(shown).toEqual([
    expect.stringMatching(/^Fetching events: 200 of 1,00\d events \(19\u00a0%\)$/),
    expect.stringMatching(/^Fetching events: 400 of 1,00\d events \(39\u00a0%\), 4\u00a0s left$/),
    null,
  ]);
  catchUp.stop();
});
