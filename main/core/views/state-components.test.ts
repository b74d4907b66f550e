// Test: rows, freshness, the world's clock, numbered changes.

import { describe, expect, test } from 'vitest';
import { MAX_ALERTS, type NumberedChanges, type RowSignal } from '../../../shared/channels/state.ts';
import { type Message, message, plainMessage } from '../../../shared/text/message.ts';
import type { Transition } from '../../../shared/wire/records.ts';
import { createManualClock } from '../../../test/harness/manual-clock.ts';
import { createRowTable } from '../rows.ts';
import { freshIndicator, staleSymbols } from '../sources/freshness.ts';
import { createWorldClock } from '../time/world-clock.ts';
import { createState } from './state.ts';

const iso = (minute: number): string =>
  new Date(Date.parse('2026-03-02T14:00:00.000Z') + minute * 60_000).toISOString();
const nobody = new Set<number>();
const NONE = () => nobody;
const SHOWS = { tier: 'system', detail: plainMessage('test') } as const;
const signal = (minute: number, more: Partial<RowSignal> = {}): RowSignal => ({
  symbol: 'SPY',
  name: 'SPY',
  asset_class: 'etf',
  state: 0,
  state_name: 'normal',
  confidence: 93,
  note: 'calm',
  since: iso(-60),
  regime: 'calm_uptrend',
  price: 100,
  change_pct: 1,
  base_rate: 12,
  decided_at: iso(minute),
  next_decision_at: iso(minute + 1),
  updated_at: iso(minute),
  model_version: 'm',
  ...more,
});
const transition = (minute: number, to: 0 | 1 | 2): Transition => ({
  event_id: `e${minute}`,
  symbol: 'SPY',
  asset_class: 'etf',
  from_state: 0,
  to_state: to,
  state_name: 'high_risk',
  regime: 'stress',
  confidence: 36,
  note: 'fell',
  occurred_at: iso(minute),
  model_version: 'm',
});

describe('rows', () => {
  const table = (): ReturnType<typeof createRowTable> => {
    const rows = createRowTable();
    rows.keep(['SPY', 'BTC', 'NOPE']);
    return rows;
  };
  test('an event moves a row at once, and an older answer does not move it back', () => {
    const rows = table();
    rows.polled([signal(0)], iso(0));
    rows.moved(transition(1, 2), iso(1));
    expect(rows.get('SPY')?.signal).toMatchObject({
      state: 2,
      state_name: 'high_risk',
      confidence: 36,
      since: iso(1),
      price: 100,
      base_rate: 12,
    });
    rows.polled([signal(0.5, { price: 99 })], iso(1));
    expect(rows.get('SPY')?.signal).toMatchObject({ state: 2, price: 99 });
    rows.polled([signal(2)], iso(2));
    expect(rows.get('SPY')?.signal).toMatchObject({ state: 0 });
  });
  test('an older event does not undo a newer one or a newer answer', () => {
    const rows = table();
    rows.moved(transition(5, 1), iso(5));
    rows.moved(transition(3, 2), iso(5));
    rows.polled([signal(4)], iso(4));
    expect(rows.get('SPY')?.signal?.state).toBe(1);
    rows.polled([signal(9)], iso(9));
    rows.moved(transition(8, 2), iso(9));
    expect(rows.get('SPY')?.signal?.state).toBe(0);
  });
  test('a signal without a time is as old as its request, and its state began with its transition', () => {
    const rows = table();
    const bare = { since: null, decided_at: null, next_decision_at: null, updated_at: null, price: null };
    rows.polled([signal(0, bare)], iso(0));
    expect(rows.get('SPY')?.signal).toMatchObject({ state: 0, ...bare });
    rows.moved(transition(1, 2), iso(1));
    expect(rows.get('SPY')?.signal).toMatchObject({ state: 2, since: iso(1), updated_at: null });
    // The request began before the transition.
    rows.polled([signal(0, bare)], iso(2), iso(0.5));
    expect(rows.get('SPY')?.signal?.state).toBe(2);
    rows.polled([signal(0, { ...bare, state: 2 })], iso(3), iso(2));
    expect(rows.get('SPY')?.signal).toMatchObject({ state: 2, since: iso(1) });
    rows.polled([signal(0, bare)], iso(4), iso(3));
    expect(rows.get('SPY')?.signal).toMatchObject({ state: 0, since: null });
  });
  test('a transition whose time the service did not give begins at no known time', () => {
    const rows = table();
    const bare = { since: null, decided_at: null, next_decision_at: null, updated_at: null };
    rows.polled([signal(0, bare)], iso(0));
    rows.moved(transition(1, 2), iso(1), true);
    expect(rows.get('SPY')?.signal).toMatchObject({ state: 2, since: null, decided_at: null });
    rows.polled([signal(0, { ...bare, state: 2 })], iso(3), iso(2));
    expect(rows.get('SPY')?.signal).toMatchObject({ state: 2, since: null });
    // An answer to a request from before its arrival does not undo it.
    rows.polled([signal(0, bare)], iso(3), iso(0.5));
    expect(rows.get('SPY')?.signal).toMatchObject({ state: 2, since: null });
  });
  test('a row has the base rate of its claim, also before its state is known, and from the last run', () => {
    const rows = table();
    expect(rows.baseRate('SPY', undefined)).toBeNull();
    rows.recall([
      { symbol: 'SPY', coverage: 'full', signal: signal(-60), regime: null, received_at: iso(-60), stale: false },
    ]);
    expect([rows.baseRate('SPY', 'event'), rows.baseRate('SPY', 'further_fall')]).toEqual([12, null]);
    rows.polled([signal(0, { base_rate: 13 })], iso(0));
    rows.moved({ ...transition(1, 2), confidence_of: 'further_fall' }, iso(1));
    expect(rows.get('SPY')?.signal?.base_rate).toBeNull();
    rows.polled([signal(2, { state: 2, confidence_of: 'further_fall', base_rate: 20 })], iso(2));
    expect([rows.baseRate('SPY', undefined), rows.baseRate('SPY', 'further_fall')]).toEqual([13, 20]);
  });
  test('coverage gives the reason for a missing signal', () => {
    const rows = table();
    expect(rows.get('BTC')?.coverage).toBe('unknown');
    rows.polled([signal(0)], iso(0));
    rows.regimeOnly('BTC', 'calm_uptrend', iso(0));
    rows.notCovered('NOPE', iso(0));
    expect(rows.all().map((row) => row.coverage)).toEqual(['full', 'regime_only', 'none']);
    rows.takeChanged();
    rows.regime('BTC', 'stress', iso(1));
    expect(rows.get('BTC')?.regime).toBe('stress');
    expect(rows.takeChanged()).toEqual(['BTC']);
  });
});

describe('freshness', () => {
  const freshness = (receivedMinute: number, decided: number) => {
    const made = createRowTable();
    made.keep(['SPY', 'QQQ']);
    made.polled([signal(0), signal(0, { symbol: 'QQQ', next_decision_at: iso(decided) })], iso(receivedMinute));
    const now = Date.parse(iso(0));
    made.setStale(staleSymbols({ rows: made.all(), worldNow: now, now, speed: 1, cadence: 2_000 }));
    return { made, indicator: freshIndicator(made.all()) };
  };
  test('evaluated by the time of the next decision, and by the time of receipt', () => {
    expect(freshness(0, 1).indicator).toEqual({
      state: 'ok',
      detail: message('health.current', { current: 2, total: 2 }),
    });
    expect(freshness(0, -5).indicator).toEqual({
      state: 'degraded',
      detail: message('health.stale', { current: 1, total: 2, symbols: 'QQQ' }),
    });
    expect(freshness(-1, 1).indicator).toEqual({
      state: 'down',
      detail: message('health.stale', { current: 0, total: 2, symbols: 'SPY, QQQ' }),
    });
    // The clock was set back.
    expect(freshness(60, 1).indicator.state).toBe('down');
    expect(freshIndicator([])).toEqual({ state: 'down', detail: message('health.no_signals') });
  });
  test('prices in question are not current: named, or counted', () => {
    const made = createRowTable();
    made.keep(['SPY', 'QQQ', 'IWM', 'DIA']);
    const faulty = (health: 'quarantined' | 'gap' | 'halted', ...symbols: string[]) => {
      made.polled(
        ['SPY', 'QQQ', 'IWM', 'DIA'].map((symbol) =>
          signal(0, { symbol, ...(symbols.includes(symbol) ? { data_health: health } : {}) }),
        ),
        iso(0),
      );
      return freshIndicator(made.all());
    };
    const counts = { current: 4, total: 4 };
    expect(faulty('quarantined', 'QQQ')).toEqual({
      state: 'degraded',
      detail: message('health.faulty', { ...counts, symbols: 'QQQ' }),
    });
    expect(faulty('gap', 'QQQ', 'IWM', 'DIA')).toEqual({
      state: 'degraded',
      detail: message('health.faulty_count', { ...counts, faulty: 3 }),
    });
    // A halt is no fault of the data.
    expect(faulty('halted', 'QQQ')).toEqual({ state: 'ok', detail: message('health.current', counts) });
  });
  test('a stale row is flagged once, and a poll that brings it leaves it stale until its times are checked', () => {
    const { made } = freshness(0, -5);
    made.takeChanged();
    made.setStale(['QQQ']);
    expect(made.takeChanged()).toEqual([]);
    expect(made.get('QQQ')?.stale).toBe(true);
    made.polled([signal(0, { symbol: 'QQQ' })], iso(0));
    expect(made.get('QQQ')).toMatchObject({ stale: true, received_at: iso(0) });
    made.setStale([]);
    expect(made.get('QQQ')?.stale).toBe(false);
  });
});

describe('world clock', () => {
  const samples = (speed: number, noise: number): { offset: number; speed: number } => {
    const clock = createManualClock(1_000_000);
    const world = createWorldClock(clock);
    for (let local = 0; local <= 60_000; local += 15_000) {
      clock.jump(local === 0 ? 0 : 15_000);
      world.sample(5e12 + local * speed + (local % 30_000 === 0 ? noise : -noise), clock.now());
    }
    return world.view();
  };
  test.each([1, 60, 3600])('a speed of %d is learnt despite the network', (speed) => {
    expect(samples(speed, 30).speed).toBe(speed);
  });
  test('a speed given by the service is not measured', () => {
    const clock = createManualClock();
    const world = createWorldClock(clock);
    world.sample(5e12, clock.now(), 1);
    clock.jump(2_000);
    world.sample(5e12 + 1_500, clock.now(), 1);
    expect(world.view().speed).toBe(1);
  });
  test('a clock that is paused or goes on does so at that time, also within a second', () => {
    const clock = createManualClock();
    const world = createWorldClock(clock);
    world.sample(5e12, clock.now(), 60);
    clock.jump(500);
    world.sample(5e12 + 30_000, clock.now(), 0);
    clock.jump(500);
    expect(world.now()).toBe(5e12 + 30_000);
    world.sample(5e12 + 30_000, clock.now(), 60);
    clock.jump(500);
    expect([world.now(), world.standstill()]).toEqual([5e12 + 60_000, null]);
  });
  test('until the service gives its time, this computer’s is used', () => {
    const clock = createManualClock();
    const world = createWorldClock(clock);
    expect(world.now()).toBe(clock.now());
    world.sample(clock.now() + 5_000, clock.now());
    expect(world.view()).toEqual({ offset: 5_000, speed: 1 });
  });
});

test('the loss or return of desktop notifications is pushed with the next change', async () => {
  const clock = createManualClock();
  const pushes: NumberedChanges[] = [];
  let status: { tier: 'system' | 'in_app'; detail: Message } = SHOWS;
  const sources = { attention: NONE, parts: { notifier: () => status, ledger: () => ({ events: 3 }) } };
  const state = createState(
    clock,
    sources as unknown as Parameters<typeof createState>[1],
    (changes) => void pushes.push(changes),
  );
  const next = async (): Promise<string[]> => {
    state.touch('ledger');
    await clock.advance(50);
    return (pushes.at(-1)?.changes ?? []).map(({ part }) => part);
  };
  expect(await next()).toEqual(['ledger']);
  status = { tier: 'in_app', detail: plainMessage('The system refused the last one.') };
  expect(await next()).toEqual(['ledger', 'notifier']);
  expect(await next()).toEqual(['ledger']);
  status = SHOWS;
  expect(await next()).toEqual(['ledger', 'notifier']);
});

test('of more alerts than a window keeps, those that occurred last are pushed, not those that arrived last', async () => {
  const clock = createManualClock();
  const requests: (readonly number[] | undefined)[] = [];
  const sources = {
    parts: { notifier: () => SHOWS },
    attention: NONE,
    alerts: (ids?: readonly number[]) => {
      requests.push(ids);
      return [];
    },
  };
  const state = createState(clock, sources as unknown as Parameters<typeof createState>[1], () => undefined);
  state.touchAlerts([1, 2]);
  await clock.advance(50);
  state.touchAlerts([1]);
  state.touchAlerts(Array.from({ length: MAX_ALERTS }, (_, index) => 2 + index));
  await clock.advance(50);
  expect(requests).toEqual([[1, 2], undefined]);
});
