// Test: notifications state the record of their symbol's calls, also after a restart.
// A window or the core itself has read it.
import { describe, expect, test } from 'vitest';
import type { ValidationRecord } from '../../../shared/channels/queries.ts';
import { HOUR_MS, MINUTE_MS } from '../../../shared/lib/time.ts';
import { setUpCoreBench } from '../../../test/harness/core-bench.ts';
import { createManualClock } from '../../../test/harness/manual-clock.ts';
import { startNearReader } from '../../../test/harness/near-reader.ts';
import { type CallRecordDeps, createCallRecord } from './call-record.ts';

const bench = setUpCoreBench();
const holdout = { recall: 0.5, precision: 0.28, f1: 0.3, n_signals: 20, events: 8, tp: 5, fp: 13, late: 2 };
const RECORD = { computed_at: '2026-03-01T22:00:00Z', symbols: [{ symbol: 'SPY', full: holdout, holdout }] };
const SAID = '5 of 18 such calls on SPY were right.';

test('what a window read is in the next notification, also after a restart', { tags: ['long'] }, async () => {
  let status = 200;
  bench.service.fault = ({ path }) => (path.includes('/validation') ? Response.json(RECORD, { status }) : null);
  const ports = { host: { archive: startNearReader } };
  const rig = await bench.up({ ports });
  const next = async (symbol: string, { shown }: typeof rig): Promise<string | undefined> => {
    bench.service.emit(symbol, 2);
    await bench.clock.advance(1_000);
    return shown.at(-1)?.body;
  };
  expect(await next('QQQ', rig)).not.toContain('such calls');
  await rig.core.handlers['validation.read']({});
  expect(await next('SPY', rig)).toContain(SAID);
  await bench.down(rig);

  status = 500;
  bench.service.emit('SPY', 0);
  const later = await bench.up({ ports });
  await bench.clock.advance(2 * MINUTE_MS);
  expect(await next('SPY', later)).toContain(SAID);
});

describe('without a window', () => {
  const setUp = (isFound: boolean) => {
    const clock = createManualClock();
    const asked: number[] = [];
    const begin = clock.now();
    const deps = {
      context: {
        guard: { clock, go: (work: Promise<unknown>) => void work },
        ports: { logger: { debug: () => undefined } },
      },
      client: {},
      mayAsk: () => true,
      memory: {
        known: () => null,
        async one() {
          asked.push((clock.now() - begin) / MINUTE_MS);
          if (!isFound) throw new Error('There is no record.');
          return { computed_at: RECORD.computed_at, symbols: [] } as unknown as ValidationRecord;
        },
      },
    };
    return { clock, asked, record: createCallRecord(deps as unknown as CallRecordDeps) };
  };
  test('the core asks five minutes after its start, then every six hours', async () => {
    const { clock, asked, record } = setUp(true);
    record.start();
    await clock.advance(13 * HOUR_MS);
    expect(asked).toEqual([5, 365, 725]);
    record.stop();
    await clock.advance(13 * HOUR_MS);
    expect(asked).toHaveLength(3);
  });
  test('a service without a record is asked once an hour', async () => {
    const { clock, asked, record } = setUp(false);
    record.start();
    await clock.advance(130 * MINUTE_MS);
    expect(asked).toEqual([5, 65, 125]);
    expect(record.of('SPY', clock.now())).toBeNull();
  });
});
