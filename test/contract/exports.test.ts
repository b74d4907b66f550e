// Contract: what the window exports is what REST answers, value by value.

import Papa from 'papaparse';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClient } from '../../client/client.ts';
import { CONTRACT_VOCABULARY } from '../../main/core/compat/vocabulary.ts';
import { createEpisodeReader } from '../../main/core/handlers/episodes.ts';
import { createFactorReader } from '../../main/core/handlers/factors.ts';
import { createRegimeReader } from '../../main/core/handlers/regimes.ts';
import { createTimelineReader } from '../../main/core/handlers/timeline.ts';
import { fineChart, type RegimeSeries, regimeChart } from '../../renderer/charts/fine-model.ts';
import { type ChartModel, shapeChart } from '../../renderer/charts/model.ts';
import { alertRows } from '../../renderer/features/alert-history/alert-file.ts';
import { episodesOf, incompleteIn } from '../../renderer/features/alert-history/episodes.ts';
import { historyCsv } from '../../renderer/features/factors/history-file.ts';
import { timelineCsv, timelineFile } from '../../renderer/features/watch/timeline-file.ts';
import type { InboxRow } from '../../shared/channels/alerting.ts';
import type { Granularity } from '../../shared/channels/queries.ts';
import { stateName } from '../../shared/domain/states.ts';
import type { AlertEpisode } from '../../shared/wire/alerts.ts';
import { timestamp } from '../../shared/wire/primitives.ts';
import type { HistoryPoint, TransitionRecord } from '../../shared/wire/records.ts';
import type { RegimePoint } from '../../shared/wire/regime.ts';
import { alert } from '../fixtures/window-fixtures.ts';
import { createManualClock } from '../harness/manual-clock.ts';
import { OWN_PEER } from '../harness/peer.ts';
import { SANDBOX_KEY, type Sandbox, startSandbox } from '../harness/sandbox.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const SYMBOL = 'SPY';

let sandbox: Sandbox;
let client: ReturnType<typeof createClient>;
let now = 0;
beforeAll(async () => {
  // Minutes are of the Institutional plan.
  sandbox = await startSandbox({ plans: { plan: 'institutional' } });
  // An episode with a peak between two lower states, and one that lasts.
  for (const [event, minutes] of [
    ['signal.elevated', 7],
    ['signal.high_risk', 11],
    ['signal.elevated', 6],
    ['signal.recovery', 13],
    ['signal.high_risk', 8],
    ['signal.elevated', 3],
  ] as const) {
    await sandbox.trigger(event, SYMBOL);
    await sandbox.clock.advance(minutes * MINUTE);
  }
  now = sandbox.clock.now();
  const base = new URL('http://127.0.0.1:8787/');
  client = createClient({
    base,
    key: SANDBOX_KEY,
    mode: 'api-key',
    peer: OWN_PEER,
    clock: createManualClock(),
    fetch: async (url, init) => {
      const answer = await sandbox.get(url.slice(base.href.length - 1), Object.fromEntries(new Headers(init?.headers)));
      return new Response(answer.text, { status: answer.status });
    },
  });
});
afterAll(() => sandbox.service.close());

const mayAsk = () => true;
async function listed<Row>(url: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (let after = ''; ; ) {
    const { status, text, body } = await sandbox.get(`${url}&limit=100${after}`);
    expect(status, text).toBe(200);
    rows.push(...body.data);
    if (!body.has_more) return rows;
    after = `&after=${encodeURIComponent(body.next_cursor)}`;
  }
}
const isoOf = (at: string): string => timestamp(Date.parse(at));

async function daily(): Promise<ChartModel> {
  const read = createTimelineReader({
    client,
    mayAsk,
    ledger: { entries: { signalsOf: () => [] } } as never,
    now: () => now,
    vocabulary: CONTRACT_VOCABULARY,
    memory: { keepHistory: () => undefined, history: () => null },
  });
  return shapeChart(await read(SYMBOL), { row: null, transitions: [], gaps: [], outageSince: null, now });
}
async function regimes(symbol: string, granularity: Granularity, days: number): Promise<RegimeSeries> {
  const [from, to] = [now - days * DAY, now];
  const points: RegimeSeries['points'][number][] = [];
  const ask = { symbol, granularity, from: timestamp(from), to: timestamp(to) };
  for (let after: string | null = null; ; ) {
    const page = await createRegimeReader(client, mayAsk).page({ ...ask, after });
    points.push(...page.points);
    after = page.next;
    if (after === null) return { granularity: page.granularity, from, to, points };
  }
}
const fileOf = (model: ChartModel, days: number) => timelineFile(model, { from: now - days * DAY, to: now }, 'sandbox');

describe('the timeline', () => {
  test('by day is /history, its transitions are /alert-transitions', async () => {
    const file = fileOf(await daily(), 30);
    const history = await listed<HistoryPoint>(`/history?symbol=${SYMBOL}`);
    const within = history.filter((one) => Date.parse(one.timestamp) >= now - 30 * DAY);
    expect(within.length).toBeGreaterThan(25);
    expect(within.filter(({ high }) => high !== undefined).length).toBeGreaterThan(25);
    expect(file.points).toEqual(
      within.map((one) => ({
        time: isoOf(one.timestamp),
        price: one.price,
        open: one.open ?? null,
        high: one.high ?? null,
        low: one.low ?? null,
        volume: one.volume ?? null,
        state: one.state_name,
        state_confidence_percent: one.confidence,
        regime: one.regime,
        regime_confidence_percent: null,
      })),
    );
    const transitions = (await listed<TransitionRecord>(`/alert-transitions?symbol=${SYMBOL}`)).filter(
      (one) => Date.parse(one.occurred_at) >= now - 30 * DAY,
    );
    // More than one page.
    expect(transitions.length).toBeGreaterThan(100);
    const recorded = file.transitions.filter(({ event_id }) => event_id !== null);
    expect(recorded).toEqual(
      transitions.toReversed().map((one) => ({
        time: isoOf(one.occurred_at),
        from: stateName(one.from_state),
        to: one.state_name,
        state_confidence_percent: one.confidence,
        regime: one.regime,
        regime_confidence_percent: null,
        event_id: one.event_id,
      })),
    );
  });

  test.each([
    { step: 'hour', days: 3, length: HOUR },
    { step: 'minute', days: 0.25, length: MINUTE },
  ] as const)(
    'by $step has the prices and confidences of /regime/{symbol}/history, and a state confidence only at closes',
    async ({ step, days, length }) => {
      const file = fileOf(fineChart(await daily(), await regimes(SYMBOL, step, days), 'always'), days);
      const from = encodeURIComponent(timestamp(now - days * DAY));
      const rows = await listed<RegimePoint>(`/regime/${SYMBOL}/history?granularity=${step}&from=${from}`);
      const closes = new Map(
        (await listed<HistoryPoint>(`/history?symbol=${SYMBOL}`)).map((one) => [isoOf(one.timestamp), one]),
      );
      expect(rows.length).toBe(Math.floor(now / length) - Math.ceil((now - days * DAY) / length) + 1);
      const byTime = new Map(file.points.map((point) => [point.time, point]));
      for (const one of rows) {
        const point = byTime.get(isoOf(one.timestamp));
        expect(point).toMatchObject({
          regime: one.regime,
          regime_confidence_percent: one.confidence,
          price: one.price,
        });
        const close = closes.get(isoOf(one.timestamp));
        expect(point?.state_confidence_percent).toBe(close?.confidence ?? null);
      }
      // Prices of the market within the day, not one close repeated.
      expect(new Set(rows.map(({ price }) => price)).size).toBeGreaterThan(24);
    },
  );

  test('of a symbol with a regime alone has its prices and its confidence, up to now', async () => {
    const { body } = await sandbox.get('/regime/BTC');
    const newest = { price: body.price, change: body.change_pct, at: body.as_of, isOld: false };
    const file = fileOf(regimeChart('BTC', await regimes('BTC', 'day', 90), [], newest, now), 90);
    const from = encodeURIComponent(timestamp(now - 90 * DAY));
    const rows = await listed<RegimePoint>(`/regime/BTC/history?granularity=day&from=${from}`);
    expect(file.points).toEqual(
      rows.map((one) => ({
        time: isoOf(one.timestamp),
        price: one.price,
        open: null,
        high: null,
        low: null,
        volume: null,
        state: null,
        state_confidence_percent: null,
        regime: one.regime,
        regime_confidence_percent: one.confidence,
      })),
    );
    expect(Date.parse(file.points.at(-1)?.time ?? '')).toBe(now);
    const [before, last] = rows.slice(-2).map(({ price }) => price ?? Number.NaN) as [number, number];
    expect(body.change_pct).toBeCloseTo((last / before - 1) * 100, 2);
  });

  test('as CSV has one row per value, in columns with units', async () => {
    const file = fileOf(await daily(), 30);
    const { data, meta } = Papa.parse<Record<string, string>>(timelineCsv(file), {
      header: true,
      skipEmptyLines: true,
    });
    expect(meta.fields).toEqual([
      'kind',
      'symbol',
      'time',
      'until',
      'price',
      'open',
      'high',
      'low',
      'volume',
      'state',
      'state_confidence_percent',
      'from_state',
      'regime',
      'regime_confidence_percent',
      'cause',
      'note',
    ]);
    const rowsOf = (kind: string) => data.filter((row) => row.kind === kind);
    expect(rowsOf('point').map(({ price }) => Number(price))).toEqual(file.points.map(({ price }) => price));
    const confidences = rowsOf('transition').map((row) => row.state_confidence_percent);
    expect(confidences).toEqual(file.transitions.map((one) => String(one.state_confidence_percent ?? '')));
  });
});

test('the factor history is /factors', async () => {
  const from = timestamp(now - 40 * DAY);
  const page = await createFactorReader({ client, mayAsk, now: () => now }).page({ symbol: SYMBOL, from, after: null });
  const { data } = Papa.parse<Record<string, string>>(historyCsv(SYMBOL, page.points), {
    header: true,
    skipEmptyLines: true,
  });
  const rows = await listed<{ timestamp: string; powers: Record<string, number | null> }>(
    `/factors?symbol=${SYMBOL}&from=${encodeURIComponent(from)}`,
  );
  expect(data.length).toBeGreaterThan(30);
  expect(data.map(({ time }) => time)).toEqual(rows.map((row) => isoOf(row.timestamp)));
  for (const [index, row] of rows.entries())
    for (const [name, power] of Object.entries(row.powers))
      expect(data[index]?.[name.replaceAll(' ', '_')], `${name} of ${row.timestamp}`).toBe(String(power ?? ''));
});

test('episodes have the beginning, the end, the peak and its confidence of /alerts, however much was read', async () => {
  const transitions = await listed<TransitionRecord>(`/alert-transitions?symbol=${SYMBOL}`);
  const rows = transitions.map(
    ({ state: _, held_by: __, ...one }, index): InboxRow => ({
      alert: alert(one, transitions.length - index),
      ended: null,
      changes: 1,
    }),
  );
  const served = await listed<AlertEpisode>(`/alerts?symbol=${SYMBOL}`);
  const read = createEpisodeReader({ client, mayAsk, vocabulary: CONTRACT_VOCABULARY });
  const context = { environment: 'sandbox', now, labelOf: () => '', callsOf: () => null } as const;
  for (const most of [rows.length, 5, 2]) {
    const known = rows.slice(0, most);
    const asked = incompleteIn(episodesOf(known));
    const { episodes } = asked === null ? { episodes: [] } : await read(asked);
    const lines = episodesOf(known, episodes).map((entry) => ({
      ...entry,
      outcome: { kind: 'back' } as const,
    }));
    for (const exported of alertRows(lines, context)) {
      const own = served.find(({ started_at }) => isoOf(started_at) === exported.started);
      expect(own, `${most} rows read: ${exported.started}`).toBeDefined();
      expect([exported.ended, exported.peak]).toEqual([
        own?.ended_at === null ? null : isoOf(own?.ended_at ?? ''),
        own?.state_name,
      ]);
      if (own?.ended_at !== null) expect(exported.clock_seconds).toBe(own?.duration_seconds);
      // null where the peak itself was not read.
      if (exported.confidence_percent !== null) expect(exported.confidence_percent).toBe(own?.confidence);
    }
  }
});
