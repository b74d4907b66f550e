// Test: catching up: one reading of the log that fails counts once, however many wait for it.
import { expect, test } from 'vitest';
import { problem } from '../../../client/problem.ts';
import { err, type Result } from '../../../shared/lib/result.ts';
import { createManualClock, settle } from '../../../test/harness/manual-clock.ts';
import { type CatchUpDeps, createCatchUp } from './catch-up.ts';
import { createConnectionStore } from './state.ts';

test('several that wait for the same reading, and a write that failed within it, count as one failure', async () => {
  const clock = createManualClock();
  const finish: ((result: Result<never, ReturnType<typeof problem>>) => void)[] = [];
  const losses: number[] = [];
  let reading: Promise<Result<never, ReturnType<typeof problem>>> | null = null;
  const deps = {
    context: {
      guard: { clock, go: (work: Promise<unknown>) => void work, run: (work: () => void) => work() },
      events: { signal: () => undefined, emit: () => undefined },
      profile: { name: 'test' },
      ports: { logger: { warn: () => undefined }, random: () => 0.999 },
    },
    ledger: { hasPending: () => false },
    backfill: {
      run() {
        reading ??= new Promise((resolve) =>
          finish.push((result) => {
            reading = null;
            resolve(result);
          }),
        );
        return reading;
      },
    },
    anchor: { doubt: () => undefined },
    watermark: { reached: () => undefined, broken: () => undefined, lose: () => void losses.push(clock.now()) },
    healthChecks: { roundTrip: () => undefined },
    store: createConnectionStore(clock.now()),
    batcher: { flush: () => undefined },
  } as unknown as CatchUpDeps;
  const catchUp = createCatchUp(deps);
  const waits = [catchUp.run('backfill'), catchUp.run('backfill'), catchUp.run('poll')];
  catchUp.again(0);
  finish[0]?.(err(problem('not_stored', 'The disk is full.')));
  await Promise.all(waits);
  await settle();
  expect(losses).toHaveLength(1);
  // The first pause is up to a second; a second failure would double it.
  await clock.advance(1_000);
  expect(finish).toHaveLength(2);
  finish[1]?.(err(problem('not_stored', 'The disk is full.')));
  await settle();
  await clock.advance(1_900);
  expect(finish).toHaveLength(2);
  await clock.advance(200);
  expect(finish).toHaveLength(3);
  catchUp.stop();
});
