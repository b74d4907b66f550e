// Test: the states of each day: carried over between days, filled from history, unknown in gaps, by the calendar.

import { expect, test } from 'vitest';
import { HighRiskDaysSchema, StateDaySchema, StateDaysSchema } from '../../../shared/channels/queries.ts';
import type { AssetClass } from '../../../shared/domain/instruments.ts';
import { calendarsOf } from '../../../shared/domain/sessions.ts';
import type { StateChange } from '../../../shared/domain/timeline.ts';
import { plainMessage } from '../../../shared/text/message.ts';
import { row } from '../../../test/fixtures/window-fixtures.ts';
import { event, setUpLedger } from '../../../test/harness/ledger-bench.ts';
import type { PastStates } from './past-states.ts';
import { createStateDaysHandlers, type StateDaysDeps } from './state-days.ts';

const bench = setUpLedger();
/** A Friday, an hour before New York closes. */
const NOW = Date.parse('2026-03-06T20:00:00.000Z');

let number = 0;
const enter = (symbol: string, state: 0 | 1 | 2, at: string): void => {
  number++;
  bench.take([event(number, { symbol, state, occurredAt: Date.parse(at) })]);
};

/** The history of the service: the state at each close, by symbol. */
const past = (closes: readonly StateChange[] = []): PastStates => ({ of: () => closes, fill: async () => {} });
const handlersOf = (rows: StateDaysDeps['rows']) =>
  createStateDaysHandlers({
    ledger: bench.ledger,
    rows,
    past: past(),
    worldNow: () => NOW,
    calendarOf: calendarsOf('production', (symbol) => rows.get(symbol)?.signal),
  });

/** The states of the days from the end, today first. */
async function read(symbol: string, { now = NOW, sandbox = false, asset = 'equity' as AssetClass } = {}) {
  const base = row(symbol, 0);
  const signal = base.signal === null ? null : { ...base.signal, since: null, asset_class: asset };
  const rows = { get: () => ({ ...base, signal }) };
  const handlers = createStateDaysHandlers({
    ledger: bench.ledger,
    rows,
    past: past(),
    worldNow: () => now,
    calendarOf: calendarsOf(sandbox ? 'sandbox' : 'production', () => signal),
  });
  const answer = StateDaysSchema.parse(await handlers['states.days']({ symbols: [symbol] }));
  return {
    days: answer.days.toReversed(),
    states: (answer.rows[0]?.cells ?? []).map((cell) => cell?.state ?? null).toReversed(),
    cells: (answer.rows[0]?.cells ?? []).toReversed(),
  };
}

test('the worst state of a day, and the state carried over, also over a weekend', async () => {
  enter('SPY', 1, '2026-02-26T16:00:00Z');
  enter('SPY', 2, '2026-03-03T15:00:00Z');
  enter('SPY', 0, '2026-03-03T17:00:00Z');
  const { days, states } = await read('SPY');
  expect(days.slice(0, 7)).toEqual([
    '2026-03-06',
    '2026-03-05',
    '2026-03-04',
    '2026-03-03',
    '2026-03-02',
    '2026-02-27',
    '2026-02-26',
  ]);
  expect(states.slice(0, 8)).toEqual([0, 0, 0, 2, 1, 1, 1, null]);
});

test('a state from before the period is carried into it', async () => {
  enter('SPY', 2, '2025-11-03T16:00:00Z');
  expect((await read('SPY')).states).toEqual(Array.from({ length: 30 }, () => 2));
});

test('a close belongs to its day; holidays are no day; before the opening, today is the day before', async () => {
  enter('SPY', 2, '2026-03-05T21:00:00Z');
  expect((await read('SPY')).states.slice(0, 3)).toEqual([2, 2, null]);
  const { days } = await read('SPY', { now: Date.parse('2026-02-17T14:00:00Z') });
  expect(days.slice(0, 2)).toEqual(['2026-02-13', '2026-02-12']);
});

test('the sandbox trades every day, and a close at midnight ends its day', async () => {
  enter('BTC', 1, '2026-03-05T00:00:00Z');
  const { days, states } = await read('BTC', { sandbox: true, asset: 'crypto' });
  expect(days[29]).toBe('2026-02-05');
  expect(states.slice(0, 4)).toEqual([1, 1, 1, null]);
});

test('a day within an open gap is no data', async () => {
  enter('SPY', 1, '2026-02-26T16:00:00Z');
  bench.ledger.openGap('downtime', '2026-03-03T10:00:00.000Z', '2026-03-04T20:00:00.000Z', plainMessage('off'));
  expect((await read('SPY')).states.slice(0, 6)).toEqual([1, 1, 1, null, 1, 1]);
});

test('a day within an open gap is no data, however many gaps came later', async () => {
  enter('SPY', 1, '2026-02-26T16:00:00Z');
  bench.ledger.openGap('downtime', '2026-03-03T10:00:00.000Z', '2026-03-04T20:00:00.000Z', plainMessage('off'));
  for (let index = 0; index < 600; index += 1)
    bench.ledger.openGap('lost', '2026-01-05T10:00:00.000Z', '2026-01-05T10:00:01.000Z', plainMessage('no record'));
  expect((await read('SPY')).states.slice(0, 6)).toEqual([1, 1, 1, null, 1, 1]);
});

test('without a transition: the present state, from when the service says that it began', async () => {
  const base = row('TLT', 1);
  const signal = base.signal === null ? null : { ...base.signal, since: '2026-03-05T16:00:00.000Z' };
  const handlers = handlersOf({ get: () => ({ ...base, signal }) });
  const { rows } = await handlers['states.days']({ symbols: ['TLT'] });
  expect(rows[0]?.cells.map((cell) => cell?.state ?? null).slice(-3)).toEqual([null, 1, 1]);
});

test('the shares of the session at High Risk and at Elevated; none for a state after the close', async () => {
  enter('SPY', 0, '2026-02-26T16:00:00Z');
  // The session is from 14:30 to 21:00 UTC.
  enter('SPY', 2, '2026-03-03T16:00:00Z');
  enter('SPY', 1, '2026-03-03T16:39:00Z');
  enter('SPY', 0, '2026-03-03T17:18:00Z');
  enter('SPY', 2, '2026-03-04T21:30:00Z');
  enter('SPY', 0, '2026-03-05T10:00:00Z');
  enter('SPY', 1, '2026-03-06T17:15:00Z');
  const { cells } = await read('SPY');
  expect(cells.slice(0, 5).map((cell) => cell && [cell.state, cell.high.toFixed(3), cell.elevated.toFixed(3)])).toEqual(
    [
      [1, '0.000', '0.500'],
      [0, '0.000', '0.000'],
      [2, '0.000', '0.000'],
      [2, '0.100', '0.100'],
      [0, '0.000', '0.000'],
    ],
  );
  expect(cells[29]).toBeNull();
});

test('days before the ledger come from the history by closes, and the ledger counts where it begins', async () => {
  enter('SPY', 0, '2026-03-03T17:45:00Z');
  const close = (date: string, state: 0 | 1 | 2) => ({ at: Date.parse(`${date}T21:00:00Z`), state });
  const asked: unknown[] = [];
  const handlers = createStateDaysHandlers({
    ledger: bench.ledger,
    rows: { get: () => row('SPY', 0) },
    past: {
      of: () => [close('2026-02-26', 1), close('2026-02-27', 2), close('2026-03-02', 2), close('2026-03-04', 2)],
      fill: async (wanted) => void asked.push([...wanted.keys()]),
    },
    worldNow: () => NOW,
    calendarOf: calendarsOf('production', () => row('SPY', 0).signal),
  });
  const { rows } = StateDaysSchema.parse(await handlers['states.days']({ symbols: ['SPY'] }));
  expect(asked).toEqual([['SPY']]);
  expect(rows[0]?.cells.slice(-7).map((cell) => cell && [cell.state, cell.high, cell.elevated])).toEqual([
    [1, 0, 0],
    [2, 0, 1],
    [2, 1, 0],
    [2, 0.5, 0],
    [0, 0, 0],
    [0, 0, 0],
    [0, 0, 0],
  ]);
});

test('a day tells how many were High Risk at its opening, and every change with the number after it', async () => {
  enter('QQQ', 2, '2026-03-02T16:00:00Z');
  enter('SPY', 0, '2026-03-02T16:00:00Z');
  enter('SPY', 2, '2026-03-03T15:00:00Z');
  enter('QQQ', 0, '2026-03-03T17:00:00Z');
  const handlers = handlersOf({ get: () => undefined });
  const day = await handlers['states.day']({ symbols: ['SPY', 'QQQ', 'IWM'], day: '2026-03-03' });
  expect(StateDaySchema.parse(day)).toEqual({
    from: '2026-03-03T14:30:00.000Z',
    to: '2026-03-03T21:00:00.000Z',
    high: 1,
    unknown: 1,
    changes: [
      { symbol: 'SPY', at: '2026-03-03T15:00:00.000Z', from_state: 0, to_state: 2, high: 2 },
      { symbol: 'QQQ', at: '2026-03-03T17:00:00.000Z', from_state: 2, to_state: 0, high: 1 },
    ],
    left_out: 0,
  });
});

test.each([
  ['with transitions in the ledger', true],
  ['without one', false],
])('%s, nothing is known after the last price of a symbol whose prices ended', async (_, isInLedger) => {
  if (isInLedger) enter('COMP', 2, '2026-02-26T16:00:00Z');
  const base = row('COMP', 2);
  const old = { data_health: 'stale' as const, decided_at: '2026-03-03T21:00:00.000Z' };
  const signal = base.signal === null ? null : { ...base.signal, ...old, since: '2026-02-26T16:00:00.000Z' };
  const handlers = handlersOf({ get: () => ({ ...base, signal }) });
  const { rows } = await handlers['states.days']({ symbols: ['COMP'] });
  expect(rows[0]?.cells.map((cell) => cell?.state ?? null).slice(-8)).toEqual([null, 2, 2, 2, 2, null, null, null]);
});

test('how many symbols were High Risk on each of 90 days; there is no number before the states of half of them are known', async () => {
  enter('SPY', 0, '2025-12-01T16:00:00Z');
  enter('QQQ', 0, '2026-01-02T16:00:00Z');
  enter('SPY', 2, '2026-03-03T15:00:00Z');
  enter('SPY', 0, '2026-03-03T17:00:00Z');
  enter('QQQ', 2, '2026-03-03T18:00:00Z');
  enter('IWM', 1, '2026-03-03T18:00:00Z');
  const handlers = handlersOf({ get: () => row('SPY', 0) });
  const answer = HighRiskDaysSchema.parse(await handlers['states.highRisk']({ symbols: ['SPY', 'QQQ', 'IWM'] }));
  expect(answer.counts.slice(-5)).toEqual([0, 2, 1, 1, 1]);
  expect(answer.days[answer.counts.lastIndexOf(null) + 1]).toBe('2026-01-02');
});
