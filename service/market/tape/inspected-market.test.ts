// Service, test: an inspection is reused exactly while nothing that it read changed.
import { describe, expect, it } from 'vitest';
import { isSession } from '../../../shared/domain/sessions.ts';
import { DAY_MS, dateOf } from '../../../shared/lib/time.ts';
import type { Bar } from '../../engine/types.ts';
import { createInspectedMarket } from './inspected-market.ts';
import type { TapeListing } from './inspections.ts';
import { openTape, type Tape } from './tape.ts';

const ARRIVAL = { feed: 'test', receivedAt: 0 };
const SYMBOLS = ['A', 'B', 'C', 'D', 'E', 'F'];
const dates: string[] = [];
for (let at = Date.parse('2025-01-02'); dates.length < 290; at += DAY_MS)
  if (isSession('us', dateOf(at))) dates.push(dateOf(at));
const NOW = Date.parse('2027-01-01');
const listings = new Map<string, TapeListing>(
  SYMBOLS.map((symbol) => [
    symbol,
    { instrument: { symbol, name: symbol, assetClass: 'equity', regimeOnly: false, inputOnly: false }, calendar: 'us' },
  ]),
);
const bar = (date: string, close: number): Bar => ({
  date,
  open: close,
  high: close * 1.01,
  low: close * 0.99,
  close,
  volume: 1e6,
});

/** Calm prices; in the symbols of `falls`, the price halves on the last date, and twice as much is traded. */
function tapeWith(falls: readonly string[]): Tape {
  const tape = openTape(null);
  const calm = (n: number): number => 100 + Math.sin(n * 1.7);
  const bars = new Map(SYMBOLS.map((symbol) => [symbol, dates.map((date, n) => bar(date, calm(n)))]));
  for (const symbol of falls) bars.get(symbol)?.splice(-1, 1, { ...bar(dates.at(-1) ?? '', 50), volume: 4e6 });
  tape.record(bars, ARRIVAL, false);
  return tape;
}
const kinds = (market: ReturnType<typeof createInspectedMarket>): (string | undefined)[] =>
  SYMBOLS.map((symbol) => market.fault(symbol, NOW)?.kind);
/** The same answers from a new market. */
const fromStart = (tape: Tape) => kinds(createInspectedMarket(tape, listings));

it('keeps the bars of symbols that did not change', () => {
  const tape = tapeWith([]);
  const market = createInspectedMarket(tape, listings);
  const before = SYMBOLS.map((symbol) => market.daily(symbol, NOW));
  tape.record(new Map([['A', [bar(dates.at(-1) ?? '', 100.3)]]]), ARRIVAL, false);
  market.inspect();
  const same = SYMBOLS.map((symbol, index) => market.daily(symbol, NOW) === before[index]);
  expect(same).toEqual([false, true, true, true, true, true]);
});

it('a fall is inspected again when other symbols fall later, without a change of its own bars', () => {
  const tape = tapeWith(['A']);
  const market = createInspectedMarket(tape, listings);
  const alone = kinds(market);
  expect(alone[0]).toBe('question');
  for (const symbol of ['B', 'C', 'D']) tape.record(new Map([[symbol, [bar(dates.at(-1) ?? '', 84)]]]), ARRIVAL, false);
  tape.record(new Map([['E', [bar(dates.at(-1) ?? '', 84)]]]), ARRIVAL, false);
  market.inspect();
  expect(kinds(market)).toEqual(fromStart(tape));
});

describe('rows of a day that come one after another', () => {
  const last = dates.at(-1) ?? '';
  const NAMES = Array.from({ length: 28 }, (_, n) => `S${n}`);
  const many = new Map([...NAMES].map((symbol) => [symbol, { ...(listings.get('A') as TapeListing) }]));
  const eve = (): Tape => {
    const tape = openTape(null);
    const calm = dates.slice(0, -1).map((date, n) => ({ ...bar(date, 100 + Math.sin(n * 1.7)), volume: null }));
    tape.record(new Map(NAMES.map((symbol) => [symbol, calm])), ARRIVAL, false);
    return tape;
  };
  const put = (tape: Tape, symbols: readonly string[], close: number): void =>
    void tape.record(
      new Map(symbols.map((symbol) => [symbol, [{ ...bar(last, close), volume: null }]])),
      ARRIVAL,
      false,
    );
  const isAsked = (market: ReturnType<typeof createInspectedMarket>): boolean => market.question('S0', NOW) !== null;

  it('a few falls are not a market move while most rows have not come', () => {
    const tape = eve();
    put(tape, NAMES.slice(0, 3), 80);
    const market = createInspectedMarket(tape, many);
    expect(isAsked(market)).toBe(true);
    put(tape, NAMES.slice(3, 8), 80);
    market.inspect();
    expect(isAsked(market)).toBe(false);
    // A rise of the others would confirm nothing.
    put(tape, NAMES.slice(1, 8), 125);
    market.inspect();
    expect(isAsked(market)).toBe(true);
  });

  it('a price that turns out to be none, and one that counts again, change the past', () => {
    const tape = eve();
    put(tape, ['S0'], 80);
    const market = createInspectedMarket(tape, many);
    const counts = (): boolean => market.daily('S0', NOW).at(-1)?.date === last;
    expect(counts()).toBe(true);
    for (const kind of ['refuse', 'real'] as const) {
      const version = market.revisions.version();
      tape.recordActions([{ kind, symbol: 'S0', date: last, factor: null, note: null }], ARRIVAL);
      market.inspect();
      expect(counts()).toBe(kind === 'real');
      expect(market.revisions.changedSince(version).has('S0')).toBe(true);
    }
  });
});

it('an action of a date is used at once', () => {
  const tape = tapeWith(['A']);
  const market = createInspectedMarket(tape, listings);
  tape.recordActions([{ kind: 'split', symbol: 'A', date: dates.at(-1) ?? '', factor: 0.5, note: null }], ARRIVAL);
  market.inspect();
  expect(kinds(market)).toEqual(Array(6).fill(undefined));
  expect(market.daily('A', NOW).at(0)?.close).toBeCloseTo(50, 0);
});

it('a halt inspects nothing again, and an action only its own symbol', () => {
  const tape = tapeWith([]);
  const market = createInspectedMarket(tape, listings);
  const bars = () => SYMBOLS.map((symbol) => market.daily(symbol, NOW));
  const before = bars();
  const version = tape.version();
  const halt = { kind: 'halt', symbol: 'A', date: dates.at(-1) ?? '', factor: null, note: '10:00' } as const;
  tape.recordActions([halt, { ...halt, kind: 'resume' }, halt], ARRIVAL);
  market.inspect();
  expect(bars().map((own, index) => own === before[index])).toEqual(Array(6).fill(true));
  expect(tape.version()).toBe(version);
  tape.recordActions([{ ...halt, kind: 'real' }], ARRIVAL);
  market.inspect();
  expect(bars().map((own, index) => own === before[index])).toEqual([false, true, true, true, true, true]);
});

it('bars from a delisting on do not count, until a resumption', () => {
  const tape = tapeWith([]);
  const market = createInspectedMarket(tape, listings);
  const action = { symbol: 'A', date: dates[280] ?? '', factor: null, note: null };
  const newest = () => {
    market.inspect();
    return [market.daily('A', NOW).length, market.daily('B', NOW).length, market.fault('A', NOW)?.kind];
  };
  const version = tape.version();
  tape.recordActions([{ ...action, kind: 'delisting' }], ARRIVAL);
  expect([...tape.changedSince(version)]).toEqual([['A', dates[280]]]);
  expect(newest()).toEqual([280, 290, 'unlisted']);
  // A halt does not end a delisting.
  tape.recordActions([{ ...action, kind: 'halt', date: dates[284] ?? '' }], ARRIVAL);
  expect(newest()).toEqual([280, 290, 'unlisted']);
  tape.recordActions([{ ...action, kind: 'resume', date: dates[285] ?? '' }], ARRIVAL);
  expect(newest()).toEqual([285, 290, 'gap']);
  tape.recordActions([{ ...action, kind: 'resume' }], ARRIVAL);
  expect(newest()).toEqual([290, 290, undefined]);
});

it('a dividend adjusts earlier prices but no volumes; an announced dividend changes nothing before its day', () => {
  const tape = openTape(null);
  const paid = dates.map((date, n) => bar(date, (n < 280 ? 100 : 98) + Math.sin(n * 1.7)));
  tape.record(new Map([['A', paid.slice(0, 280)]]), ARRIVAL, false);
  const before = (paid[279] as Bar).close;
  const version = tape.version();
  tape.recordActions(
    [{ kind: 'dividend', symbol: 'A', date: dates[280] ?? '', factor: null, amount: 2, note: null }],
    ARRIVAL,
  );
  expect([...tape.changedSince(version)]).toEqual([['A', dates[280]]]);
  const market = createInspectedMarket(tape, listings);
  expect(market.daily('A', NOW).at(0)?.close).toBe(paid[0]?.close);
  tape.record(new Map([['A', paid.slice(280)]]), ARRIVAL, false);
  market.inspect();
  expect(market.daily('A', NOW).at(0)?.close).toBeCloseTo((paid[0] as Bar).close * (1 - 2 / before), 6);
  expect(market.daily('A', NOW).at(0)?.volume).toBe(1e6);
  expect(market.daily('A', NOW).at(-1)?.close).toBe(paid.at(-1)?.close);
});

it('the bar after a missing week or a refused bar states the number of missing sessions', () => {
  const tape = openTape(null);
  const calm = dates.map((date, n) => bar(date, 100 + Math.sin(n * 1.7)));
  const holed = calm.toSpliced(250, 5);
  const printed = calm.with(250, bar(dates[250] ?? '', 70));
  tape.record(
    new Map([
      ['A', calm],
      ['B', holed],
      ['C', printed],
      ['D', calm.toSpliced(250, 2)],
    ]),
    ARRIVAL,
    false,
  );
  const market = createInspectedMarket(tape, listings);
  const missing = (symbol: string): (number | undefined)[] =>
    [...market.daily(symbol, NOW)].flatMap(({ missing }) => missing ?? []);
  expect(SYMBOLS.slice(0, 4).map(missing)).toEqual([[], [5], [1], []]);
  const closed = [...market.closedDays(() => dates[249] ?? null, NOW)].map(({ bars }) => bars.get('B')?.missing);
  expect(closed.filter((count) => count !== undefined)).toEqual([5]);
});
