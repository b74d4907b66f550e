// Contract: row, header, chart and REST have one price of a symbol, in any world and at any pace.
// The core's polling and readers over a real service, and the selectors and charts of the window.

import { array, assert, asyncProperty, constantFrom, integer, record } from 'fast-check';
import { expect, test } from 'vitest';
import { createClient } from '../../client/client.ts';
import { CONTRACT_VOCABULARY } from '../../main/core/compat/vocabulary.ts';
import { createRegimeReader } from '../../main/core/handlers/regimes.ts';
import { createTimelineReader } from '../../main/core/handlers/timeline.ts';
import { createRowTable, type RowTable } from '../../main/core/rows.ts';
import { createSignalPolling } from '../../main/core/sources/polling.ts';
import { fineChart, MAX_LAG_STEPS, type RegimeSeries, regimeChart } from '../../renderer/charts/fine-model.ts';
import { type ChartModel, shapeChart } from '../../renderer/charts/model.ts';
import { lastPriceOf } from '../../renderer/store/select.ts';
import type { Granularity } from '../../shared/channels/queries.ts';
import { MARKET_SCENARIOS } from '../../shared/domain/scenarios.ts';
import { DAY_MS, HOUR_MS } from '../../shared/lib/time.ts';
import { timestamp } from '../../shared/wire/primitives.ts';
import { createTestContext } from '../harness/core-context.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { createManualClock } from '../harness/manual-clock.ts';
import { OWN_PEER } from '../harness/peer.ts';
import { writeRandomPrices } from '../harness/random-prices.ts';
import { SANDBOX_KEY, SANDBOX_START, type Sandbox, startSandbox } from '../harness/sandbox.ts';

const RUNS = Number(process.env.BAROGRAPH_SAMPLES ?? 1);
const TIMEOUT = 60_000 * (RUNS + 1);

interface Rig {
  readonly sandbox: Sandbox;
  readonly rows: RowTable;
  /** World ms. */
  readonly now: () => number;
  readCharts(symbol: string): Promise<void>;
  /** By day and by hour, as last read, with the present row. */
  charts(symbol: string): ChartModel[];
  close(): Promise<void>;
}

async function open(sandbox: Sandbox, symbols: readonly string[], speed: number): Promise<Rig> {
  const { clock } = sandbox;
  const isReplay = speed !== 1;
  const base = new URL('http://127.0.0.1:8787/');
  const client = createClient({
    base,
    key: SANDBOX_KEY,
    mode: 'api-key',
    peer: OWN_PEER,
    clock: createManualClock(),
    fetch: async (url) => {
      const answer = await sandbox.get(url.slice(base.href.length - 1));
      return new Response(answer.text, { status: answer.status });
    },
  });
  const context = createTestContext(clock, isReplay ? 'production' : 'sandbox');
  const begun = clock.now();
  const now = (): number => SANDBOX_START + (clock.now() - begun) * speed;
  context.world.sample(now(), clock.now(), speed);
  const rows = createRowTable();
  rows.keep(symbols);
  const mayAsk = () => true;
  const polling = createSignalPolling({
    context,
    client,
    rows,
    vocabulary: CONTRACT_VOCABULARY,
    mayAsk,
    slowed: () => 1,
  });
  polling.start();
  await clock.advance(0);
  const regimes = createRegimeReader(client, mayAsk);
  const timelines = createTimelineReader({
    client,
    mayAsk,
    ledger: { entries: { signalsOf: () => [] } } as never,
    now,
    vocabulary: CONTRACT_VOCABULARY,
    memory: { keepHistory: () => undefined, history: () => null },
  });
  const series = async (symbol: string, granularity: Granularity, days: number): Promise<RegimeSeries> => {
    const [from, to] = [now() - days * DAY_MS, now()];
    const ask = { symbol, granularity, from: timestamp(from), to: timestamp(to) };
    const page = await regimes.page({ ...ask, after: null });
    return { granularity: page.granularity, from, to, points: page.points };
  };
  /** The chart by hour is drawn while its series reaches up to now, and there are hours. */
  const chartsOf = (daily: ChartModel, hours: RegimeSeries): ChartModel[] =>
    hours.granularity === 'day' || now() > hours.to + MAX_LAG_STEPS * HOUR_MS
      ? [daily]
      : [daily, fineChart(daily, hours, 'always')];
  const known = new Map<string, (row: ReturnType<RowTable['get']>) => ChartModel[]>();
  return {
    sandbox,
    rows,
    now,
    async readCharts(symbol) {
      const hours = await series(symbol, 'hour', 3);
      if (rows.get(symbol)?.coverage === 'regime_only') {
        const days = await series(symbol, 'day', 90);
        known.set(symbol, (row) => chartsOf(regimeChart(symbol, days, [], lastPriceOf(row), now()), hours));
        return;
      }
      const timeline = await timelines.one(symbol);
      known.set(symbol, (row) => {
        const live = { row: row ?? null, transitions: [], gaps: [], outageSince: null, now: now() };
        return chartsOf(shapeChart(timeline, live), hours);
      });
    },
    charts: (symbol) => known.get(symbol)?.(rows.get(symbol)) ?? [],
    async close() {
      polling.stop();
      await sandbox.service.close();
    },
  };
}

/** The label of a chart: its newest price. None of its hours may have one. */
const labelOf = ({ points }: ChartModel): number | readonly [] =>
  points.findLast(({ price }) => price !== null)?.price ?? [];

/** @param most age of the row, ms of this computer */
async function expectOnePrice({ sandbox, rows, now, charts }: Rig, symbol: string, most: number): Promise<void> {
  const row = rows.get(symbol);
  const last = lastPriceOf(row) ?? expect.fail(`no price of ${symbol}`);
  const { price } = (await sandbox.get(`/regime/${symbol}?as_of=${last.at}`)).body;
  const shown = [last.price, ...charts(symbol).flatMap(labelOf)];
  expect([symbol, new Date(now()).toISOString(), ...shown]).toEqual([
    ...[symbol, new Date(now()).toISOString()],
    ...shown.map(() => price),
  ]);
  expect(sandbox.clock.now() - Date.parse(row?.received_at ?? '')).toBeLessThanOrEqual(most);
}

async function expectOneAnswer({ sandbox, rows }: Rig, symbol: string): Promise<void> {
  const [regime, history] = await Promise.all([
    sandbox.get(`/regime/${symbol}`),
    sandbox.get(`/regime/${symbol}/history?from=2026-02-25&limit=100`),
  ]);
  const answers = [history.body.data.at(-1).price];
  if (rows.get(symbol)?.coverage === 'full') {
    const [signal, days] = await Promise.all([
      sandbox.get(`/signal?symbol=${symbol}`),
      sandbox.get(`/history?symbol=${symbol}&limit=100`),
    ]);
    answers.push(signal.body.price, days.body.data.at(-1).price);
  }
  expect([symbol, ...answers]).toEqual([symbol, ...answers.map(() => regime.body.price)]);
}

/** Steps of this computer's clock; then the charts of some symbols are read, newer than the last poll. */
const steps = array(record({ polls: integer({ min: 1, max: 7 }), reads: constantFrom(0, 1, 3) }), {
  minLength: 3,
  maxLength: 6,
});
const seeds = integer({ min: 1, max: 1e6 });

test('row, charts and REST have one price in a sandbox of any scenario', {
  tags: ['long'],
  timeout: TIMEOUT,
}, async () => {
  await assert(
    asyncProperty(seeds, constantFrom(undefined, ...MARKET_SCENARIOS), steps, async (seed, scenario, walk) => {
      const sandbox = await startSandbox({
        seed,
        symbols: 2,
        ...(scenario !== undefined && { scenario }),
        clock: createManualClock(SANDBOX_START),
      });
      const symbols = ['SPY', 'QQQ', 'BTC'];
      const rig = await open(sandbox, symbols, 1);
      for (const { polls, reads } of walk) {
        await sandbox.clock.advance(polls * 9_700);
        for (const symbol of symbols.slice(0, reads)) await rig.readCharts(symbol);
        for (const symbol of symbols) {
          await expectOnePrice(rig, symbol, 10_000);
          await expectOneAnswer(rig, symbol);
        }
      }
      await rig.close();
    }),
    { numRuns: RUNS, endOnFailure: true },
  );
});

test('row, charts and REST have one price in a replay of any speed', { tags: ['long'], timeout: TIMEOUT }, async () => {
  await assert(
    asyncProperty(seeds, constantFrom(1_200, 3_600, 20_000), steps, async (seed, speed, walk) => {
      const folder = temporaryFolder();
      const from = SANDBOX_START - 800 * DAY_MS;
      const hoursFrom = SANDBOX_START - 20 * DAY_MS;
      writeRandomPrices(folder.path, { seed, from, to: SANDBOX_START + 100 * DAY_MS, hoursFrom });
      const sandbox = await startSandbox({
        folder: folder.path,
        plans: { enforced: false },
        time: { start: SANDBOX_START, speed },
        clock: createManualClock(SANDBOX_START),
      });
      const symbols = ['A', 'B', 'C'];
      const rig = await open(sandbox, symbols, speed);
      expect(rig.rows.get('C')?.coverage).toBe('regime_only');
      for (const { polls, reads } of walk) {
        await sandbox.clock.advance(polls * 9_700);
        for (const symbol of symbols.slice(0, reads)) await rig.readCharts(symbol);
        for (const symbol of symbols) {
          await expectOnePrice(rig, symbol, 30_000);
          await expectOneAnswer(rig, symbol);
        }
      }
      await rig.close();
      folder.remove();
    }),
    { numRuns: RUNS, endOnFailure: true },
  );
});
