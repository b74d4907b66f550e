// Service, validation, test: the served record and its recomputation.
import { expect, test } from 'vitest';
import type { Progress } from '../../shared/lib/progress.ts';
import { createManualClock } from '../../test/harness/manual-clock.ts';
import { createValidationService, GOOD_FOR_MS, type KeptRecord, type RecordKeeper } from './validation-service.ts';
import type { ValidationResult } from './worker.ts';

const resultAt = (instant: number): ValidationResult => {
  const counts = { recall: 0, precision: 0, f1: 0, n_signals: 0, events: 0, tp: 0, fp: 0, late: 0, unresolved: 0 };
  const strict = { recall: 0, precision: 0, f1: 0, episodes: 0, day_lift: null };
  const rest = { in_alert: 0, false_alarms_a_year: 0, lead_bars: null, strict };
  const pooled = { ...counts, ...rest };
  const record = {
    computed_at: new Date(instant).toISOString(),
    symbols: [],
    provenance: {
      notes: '',
      model_version: 'm',
      scorer: {},
      fitted: { version: '', inputs: [], ridge: 1, every_nth_bar: 1, years: [], prices: {}, seen: [] },
      data_hash: '',
      windows: [],
      too_short: [],
      pooled: { full: pooled, holdout: pooled },
      baselines: {},
      nulls: {
        shifted: { full: { f1: 0, strict_f1: 0 }, holdout: { f1: 0, strict_f1: 0 } },
        shuffled: { full: pooled, holdout: pooled },
      },
      reliability: { full: null, holdout: null },
    },
  };
  return { record, closes: [] };
};

function setUp(keeper?: RecordKeeper) {
  const clock = createManualClock();
  const calls: {
    instant: number;
    signal: AbortSignal;
    onProgress: (progress: Progress) => void;
    done: (result: ValidationResult) => void;
    failed: (why: Error) => void;
  }[] = [];
  const complaints: string[] = [];
  const complain = (_: object, message: string): void => void complaints.push(message);
  const world = { close: 1 };
  const service = createValidationService({
    clock,
    logger: { debug: complain, info: complain, warn: complain, error: complain },
    worldNow: clock.now,
    lastClose: () => world.close,
    ...(keeper && { keeper }),
    validate: (instant, signal, onProgress) =>
      new Promise((done, failed) => void calls.push({ instant, signal, onProgress, done, failed })),
  });
  return { clock, calls, complaints, service, world };
}

test('concurrent requests share one computation', async () => {
  const { clock, calls, service } = setUp();
  const answers = [service.current(), service.current()];
  await clock.advance(3_000);
  answers.push(service.current());
  expect(calls).toHaveLength(1);
  calls[0]?.done(resultAt(calls[0].instant));
  const [first, ...others] = await Promise.all(answers);
  for (const other of others) expect(other).toBe(first);
  expect(first?.record.computed_at).toBe('2026-03-02T14:30:00.000Z');
  expect(first?.etag).toMatch(/^"[\w-]{22}"$/);
});

test('after 5 s the first request gets a retry-after, and the computation continues', async () => {
  const { clock, calls, service } = setUp();
  const first = service.current();
  const refused = expect(first).rejects.toMatchObject({
    kind: 'temporarily_unavailable',
    headers: { 'retry-after': '5' },
  });
  await clock.advance(4_999);
  const second = service.current();
  await clock.advance(1);
  await refused;
  calls[0]?.done(resultAt(0));
  expect((await second).record.computed_at).toBe('1970-01-01T00:00:00.000Z');
  expect(calls).toHaveLength(1);
});

test('a request that waits too long learns how far the computation is, with the time left', async () => {
  const { clock, calls, service } = setUp();
  const refused = service.current().catch((error) => error.headers['x-progress']);
  calls[0]?.onProgress({ what: 'scoring', done: 0.25, total: 1 });
  await clock.advance(4_000);
  calls[0]?.onProgress({ what: 'scoring', done: 0.5, total: 1 });
  await clock.advance(1_000);
  expect(JSON.parse(await refused)).toEqual({ what: 'scoring', done: 0.5, total: 1, left: 8_000 });
});

test('the progress of a computation that failed is not that of the next one', async () => {
  const { clock, calls, service } = setUp();
  const first = service.current();
  calls[0]?.onProgress({ what: 'scoring', done: 0.5, total: 1 });
  calls[0]?.failed(new Error('out of memory'));
  await expect(first).rejects.toThrow('out of memory');
  const refused = service.current().catch((error) => error.headers);
  await clock.advance(5_000);
  expect(await refused).toEqual({ 'retry-after': '5' });
});

test('a record is served until it is old and a later close exists, and until the next one is ready', async () => {
  const { clock, calls, service, world } = setUp();
  const first = service.current();
  calls[0]?.done(resultAt(0));
  const served = await first;
  await clock.advance(10 * GOOD_FOR_MS);
  expect(await service.current()).toBe(served);
  expect(calls).toHaveLength(1);
  world.close = 2;
  expect(await service.current()).toBe(served);
  expect(calls).toHaveLength(2);
  expect(await service.current()).toBe(served);
  expect(calls).toHaveLength(2);
  calls[1]?.done(resultAt(1));
  await clock.advance(0);
  const next = await service.current();
  expect(next.record.computed_at).toBe('1970-01-01T00:00:00.001Z');
  expect(next.etag).not.toBe(served.etag);
  world.close = 3;
  await clock.advance(GOOD_FOR_MS - 1);
  expect(await service.current()).toBe(next);
  expect(calls).toHaveLength(2);
});

test('a failure fails the first requests; a later failure is logged, and the record remains', async () => {
  const { clock, calls, complaints, service, world } = setUp();
  const first = service.current();
  calls[0]?.failed(new Error('no prices'));
  await expect(first).rejects.toThrow('no prices');
  const second = service.current();
  calls[1]?.done(resultAt(0));
  const served = await second;
  world.close = 2;
  await clock.advance(GOOD_FOR_MS);
  await service.current();
  calls[2]?.failed(new Error('no prices'));
  await clock.advance(0);
  expect(complaints).toHaveLength(1);
  expect(await service.current()).toBe(served);
  expect(calls).toHaveLength(3);
});

test('closing ends the computation; waiting requests get a retry-after', async () => {
  const { calls, service } = setUp();
  const first = service.current();
  service.close();
  expect(calls[0]?.signal.aborted).toBe(true);
  calls[0]?.failed(new Error('ended'));
  await expect(first).rejects.toMatchObject({
    kind: 'temporarily_unavailable',
    message: 'The service is stopping. Try again in a moment.',
  });
});

test('a kept record is served at once, and recomputed a minute after the start at the earliest if there is a later close', async () => {
  const kept: KeptRecord[] = [];
  const read = (): KeptRecord | null => kept[0] ?? null;
  const keeper: RecordKeeper = {
    read,
    async write(record) {
      kept.unshift(record);
      return read();
    },
  };
  const first = setUp(keeper);
  const asked = first.service.current();
  first.calls[0]?.done(resultAt(0));
  await asked;
  const { clock, calls, service, world } = setUp(keeper);
  world.close = 2;
  expect((await service.current()).record.computed_at).toBe('1970-01-01T00:00:00.000Z');
  await clock.advance(59_999);
  expect((await service.current()).etag).toBe((await first.service.current()).etag);
  expect(calls).toHaveLength(0);
  await clock.advance(1);
  await service.current();
  calls[0]?.done(resultAt(1));
  await clock.advance(0);
  expect(kept.map(({ close }) => close)).toEqual([2, 1]);
});
