// Contract: GET /alerts: episodes out of Normal, held against the transitions that made them.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AlertEpisode } from '../../shared/wire/alerts.ts';
import type { Transition } from '../../shared/wire/records.ts';
import { folderInMemory } from '../harness/folders.ts';
import { SANDBOX_START, type Sandbox, startSandbox } from '../harness/sandbox.ts';

const DAY = 86_400_000;
/** The log begins a week before; XLY was out of Normal since the close of 1 February. */
const INSTANT = Date.parse('2026-02-12T00:00:30.000Z');

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ symbols: 12, scenario: 'burst', time: { start: INSTANT, speed: 0 } });
});
afterAll(() => sandbox.service.close());

const whole = <Row>(url: string, of = sandbox): Promise<Row[]> => of.whole(url);

/** The log's transitions, cut into episodes by symbol; those that began before the log are left out. */
function episodesOf(transitions: readonly Transition[]): Transition[][] {
  const open = new Map<string, Transition[]>();
  const found: Transition[][] = [];
  for (const one of [...transitions].reverse()) {
    if (one.from_state === 0) {
      const begun = [one];
      open.set(one.symbol, begun);
      found.push(begun);
    } else open.get(one.symbol)?.push(one);
    if (one.to_state === 0) open.delete(one.symbol);
  }
  return found;
}

test.each([
  ['state=3', 400],
  ['state=worse', 400],
  ['class=bond', 400],
  ['symbols=A%20B', 400],
  ['symbol=', 400],
  ['regime=strss', 400],
  ['from=2026-03-01T0:00', 400],
  ['from=2026-03-01&to=2026-02-01', 400],
  ['limit=0', 400],
  ['open_at=yesterday', 400],
  ['symbol=NOPE', 200],
  ['state=', 200],
  ['colour=blue', 200],
])('/alerts?%s is %i', async (query, status) => {
  const answer = await sandbox.get(`/alerts?${query}`);
  expect(answer.status).toBe(status);
  if (status === 400) expect(answer.body.code).toBe('invalid_request');
});

describe('episodes', () => {
  let alerts: AlertEpisode[];
  let transitions: Transition[];
  beforeAll(async () => {
    alerts = await whole('/alerts');
    transitions = await whole('/alert-transitions');
  });

  test('are what the transitions make, each transition in one of them', () => {
    const expected = episodesOf(transitions);
    expect(expected.length).toBeGreaterThan(50);
    for (const steps of expected) {
      const [first] = steps;
      const alert = alerts.find(
        ({ symbol, started_at }) => symbol === first?.symbol && started_at === first.occurred_at,
      );
      const peak = Math.max(...steps.map((step) => step.to_state));
      const entered = steps.find((step) => step.to_state === peak);
      const end = steps.find((step) => step.to_state === 0)?.occurred_at ?? null;
      expect(alert).toMatchObject({
        asset_class: first?.asset_class,
        peak_state: peak,
        state_name: entered?.state_name,
        regime: entered?.regime,
        confidence: entered?.confidence,
        confidence_of: entered?.confidence_of,
        note: entered?.note,
        ended_at: end,
        active: end === null,
        duration_seconds: end === null ? null : (Date.parse(end) - Date.parse(first?.occurred_at ?? '')) / 1000,
        transitions: steps.map((step) => step.event_id),
      });
    }
    const reported = alerts.flatMap((alert) => alert.transitions);
    expect(reported.sort()).toEqual(transitions.map((one) => one.event_id).sort());
    expect(new Set(alerts.map(({ id }) => id)).size).toBe(alerts.length);
  });

  test('are listed newest first', () => {
    const times = alerts.map(({ started_at }) => started_at);
    expect(times).toEqual([...times].sort().reverse());
  });

  test('are open for exactly the symbols that are not Normal', async () => {
    const out = (await sandbox.get('/snapshot?state=1,2&limit=100')).body.data.map(
      ({ symbol }: { symbol: string }) => symbol,
    );
    expect(out.length).toBeGreaterThan(0);
    expect(
      alerts
        .filter(({ active }) => active)
        .map(({ symbol }) => symbol)
        .sort(),
    ).toEqual(out);
  });

  test('that began before the log did are there, since the close that began them', () => {
    const logged = new Set(episodesOf(transitions).map((steps) => steps[0]?.event_id));
    const older = alerts.filter((alert) => !logged.has(alert.transitions[0]));
    expect(older.map(({ symbol }) => symbol).sort()).toEqual(expect.arrayContaining(['XLY']));
    expect(alerts.filter(({ began_before_log }) => began_before_log)).toEqual(older);
    for (const { symbol, started_at, id } of older) {
      expect(Date.parse(started_at)).toBeLessThanOrEqual(INSTANT - 7 * DAY);
      expect(id).toMatch(/^alt_/);
      if (symbol === 'XLY') expect(started_at).toBe('2026-02-02T00:00:00.000Z');
    }
  });

  test('can be filtered by all that the contract names', async () => {
    const count = async (query: string): Promise<number> => (await whole(`/alerts?${query}`)).length;
    const expected = (fits: (alert: AlertEpisode) => boolean): number => alerts.filter(fits).length;
    expect(await count('symbol=spy')).toBe(expected(({ symbol }) => symbol === 'SPY'));
    expect(await count('symbols=SPY,QQQ')).toBe(expected(({ symbol }) => ['SPY', 'QQQ'].includes(symbol)));
    expect(await count('state=high_risk')).toBe(expected(({ peak_state }) => peak_state === 2));
    expect(await count('state=1')).toBe(expected(({ peak_state }) => peak_state === 1));
    expect(await count('state=normal')).toBe(0);
    expect(await count('class=index')).toBe(expected(({ asset_class }) => asset_class === 'index'));
    expect(await count('regime=calm_downtrend,calm_uptrend')).toBe(
      expected(({ regime }) => ['calm_downtrend', 'calm_uptrend'].includes(regime ?? '')),
    );
    const [from, to] = [alerts[20]?.started_at ?? '', alerts[5]?.started_at ?? ''];
    expect(await count(`from=${from}&to=${to}`)).toBe(
      expected(({ started_at }) => started_at >= from && started_at <= to),
    );
    expect(await count('from=2020-01-01&to=2020-02-01')).toBe(0);
    const openAt = new Date(INSTANT - 3 * DAY).toISOString();
    expect(await count(`open_at=${openAt}`)).toBe(
      expected(({ started_at, ended_at }) => started_at <= openAt && (ended_at === null || ended_at >= openAt)),
    );
    expect(await count(`open_at=${openAt}`)).toBeGreaterThan(0);
  });
});

test('an episode keeps its id from beginning to end, and over a restart', { tags: ['long'] }, async () => {
  const folder = folderInMemory();
  const file = join(folder.path, 'service.db');
  const time = { start: SANDBOX_START, speed: 1 };
  const first = await startSandbox({ symbols: 2, file, time });
  const newest = async (of: Sandbox): Promise<AlertEpisode> =>
    (await of.get('/alerts?symbol=SPY&limit=1')).body.data[0];
  try {
    await first.trigger('signal.normal', 'SPY');
    await first.clock.advance(1000);
    const [up] = (await first.trigger('signal.elevated', 'SPY')).body.data;
    const begun = await newest(first);
    expect(begun).toMatchObject({ peak_state: 1, active: true, transitions: [up.event_id] });
    await first.clock.advance(1000);
    const [high] = (await first.trigger('signal.high_risk', 'SPY')).body.data;
    expect(await newest(first)).toMatchObject({
      id: begun.id,
      peak_state: 2,
      transitions: [up.event_id, high.event_id],
    });
    await first.service.close();

    const again = await startSandbox({ symbols: 2, file, time });
    expect((await newest(again)).id).toBe(begun.id);
    await again.clock.advance(1000);
    await again.trigger('signal.normal', 'SPY');
    const ended = await newest(again);
    expect(ended).toMatchObject({
      id: begun.id,
      active: false,
      peak_state: 2,
      started_at: begun.started_at,
      note: expect.any(String),
    });
    expect(ended.duration_seconds).toBe(
      Math.round((Date.parse(ended.ended_at ?? '') - Date.parse(ended.started_at)) / 1000),
    );
    expect(ended.transitions).toHaveLength(3);
    const before = await whole<AlertEpisode>('/alerts', again);
    await again.service.close();
    const last = await startSandbox({ symbols: 2, file, time });
    expect((await whole<AlertEpisode>('/alerts', last)).filter(({ active }) => !active)).toEqual(
      before.filter(({ active }) => !active),
    );
    await last.service.close();
  } finally {
    rmSync(file, { force: true });
    folder.remove();
  }
});
