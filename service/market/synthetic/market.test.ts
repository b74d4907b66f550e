// Service, sandbox world, test: instruments, prices, days and decision times.
import { describe, expect, it } from 'vitest';
import { DEFAULT_WATCHLIST, watchedSymbols } from '../../../shared/domain/watchlists.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/lib/time.ts';
import type { ClosedDay } from '../types.ts';
import { dateOf, dayOf } from './days.ts';
import { createSyntheticMarket, type SyntheticMarket } from './market.ts';

const NOW = Date.UTC(2026, 8, 3, 14, 20, 30, 250);
const TODAY = Date.UTC(2026, 8, 3);
const since = (date: string) => (): string => date;
const SEEN = ['SPY', 'NVDA', 'AGG', 'BTC', 'EURUSD', 'VIX'];

describe('the instruments', () => {
  const { instruments } = createSyntheticMarket({ seed: 7 });
  const full = instruments.filter((one) => !one.regimeOnly && !one.inputOnly);

  it('are at least forty with signals, four regime-only ones, and VIX as an input', () => {
    expect(full.length).toBeGreaterThanOrEqual(40);
    expect(instruments.filter((one) => one.regimeOnly).map((one) => one.symbol)).toEqual([
      'BTC',
      'ETH',
      'EURUSD',
      'GBPUSD',
    ]);
    expect(instruments.filter((one) => one.inputOnly).map((one) => one.symbol)).toEqual(['VIX']);
    expect(new Set(instruments.map((one) => one.symbol)).size).toBe(instruments.length);
    expect(full.filter((one) => one.assetClass === 'index').length).toBeGreaterThanOrEqual(2);
  });

  it('include the default watchlist, also in a world of half the size', () => {
    for (const symbols of [full.length, 26]) {
      const known = new Set(createSyntheticMarket({ seed: 1, symbols }).instruments.map((one) => one.symbol));
      expect(watchedSymbols([DEFAULT_WATCHLIST]).filter((symbol) => !known.has(symbol))).toEqual([]);
    }
  });

  it('match the requested number, and a larger world has the same prices for the others', () => {
    const large = createSyntheticMarket({ seed: 7, symbols: 60 });
    expect(large.instruments.filter((one) => !one.regimeOnly && !one.inputOnly)).toHaveLength(60);
    expect(large.price('SPY', NOW)).toBe(createSyntheticMarket({ seed: 7 }).price('SPY', NOW));
    expect(large.price('SIM0001', NOW)).toBeGreaterThan(0);
  });

  it.each([0, 1.5, -3, 10_000])('the number of instruments cannot be %d', (symbols) => {
    expect(() => createSyntheticMarket({ seed: 7, symbols })).toThrow('1 to 9999 symbols');
  });
});

describe('the world', () => {
  it('has these exact numbers for seed 7', () => {
    const market = createSyntheticMarket({ seed: 7 });
    expect(SEEN.map((symbol) => market.price(symbol, NOW))).toMatchInlineSnapshot(`
      [
        556.34,
        338.41,
        94.37,
        47384.16,
        1.1695,
        12.17,
      ]
    `);
    expect(market.forming('SPY', NOW)).toMatchInlineSnapshot(`
      {
        "close": 556.34,
        "date": "2026-09-03",
        "high": 557.97,
        "low": 556.31,
        "open": 557.57,
        "volume": 30908997,
      }
    `);
    expect([...market.closedDays(since('2026-09-01'), NOW)].map((day) => day.bars.get('SPY'))).toMatchInlineSnapshot(`
      [
        {
          "close": 557.57,
          "date": "2026-09-02",
          "high": 558.57,
          "low": 557.25,
          "open": 557.86,
          "volume": 59560585,
        },
      ]
    `);
  });

  it('does not depend on earlier calls', () => {
    const instants = [NOW, NOW - 40 * DAY_MS, NOW + 3 * DAY_MS, NOW - 3 * HOUR_MS, NOW - 4000 * DAY_MS, NOW + 1000];
    const sample = (order: readonly number[]): Map<number, unknown> => {
      const market = createSyntheticMarket({ seed: 3 });
      return new Map(order.map((at) => [at, SEEN.map((symbol) => market.forming(symbol, at))]));
    };
    const forwards = sample(instants);
    const backwards = sample(instants.toReversed());
    for (const at of instants) expect(backwards.get(at)).toEqual(forwards.get(at));
  });

  it('a price does not depend on which days were read before, also one of long ago after newer ones', () => {
    const years = [2003, 2026, 2012, 2030, 2002, 2018];
    const answers = (market: SyntheticMarket, year: number) => {
      const day = Date.UTC(year, 5, 5) / DAY_MS;
      return [
        market.past.bar('SPY', day),
        market.past.deviation('SPY', day),
        market.price('SPY', Date.UTC(year, 5, 5)),
      ];
    };
    const used = createSyntheticMarket({ seed: 7, symbols: 3, scenario: 'burst' });
    for (const year of years) {
      const fresh = createSyntheticMarket({ seed: 7, symbols: 3, scenario: 'burst' });
      expect(answers(used, year)).toEqual(answers(fresh, year));
      // Frees the days long before its last one.
      expect(
        Array.from(
          used.closedDays(() => null, Date.UTC(year, 6, 1)),
          ({ date }) => date,
        ),
      ).not.toEqual([]);
    }
  });

  it('differs for another seed', () => {
    const closes = [1, 2, -1, 2 ** 40 + 1].map((seed) => createSyntheticMarket({ seed }).price('SPY', NOW));
    expect(new Set(closes).size).toBe(4);
  });

  it('reports the range of its instants', () => {
    const market = createSyntheticMarket({ seed: 7 });
    for (const at of [Date.UTC(1999, 0, 1), Date.UTC(2200, 0, 1), Number.NaN]) {
      expect(() => market.forming('SPY', at)).toThrow('can be looked at from 2002-01-01 to 2099-12-31');
      expect(() => [...market.closedDays(() => null, at)]).toThrow('can be looked at from');
    }
    expect(market.forming('SPY', Date.UTC(2002, 0, 1) + MINUTE_MS)?.close).toBeGreaterThan(0);
  });

  it('refuses a seed that is not a whole number', () => {
    expect(() => createSyntheticMarket({ seed: 0.5 })).toThrow('whole number');
  });
});

describe('closed days', () => {
  const market = createSyntheticMarket({ seed: 42 });
  const days = [...market.closedDays(() => null, NOW)];

  it('the closed days are every calendar day of eight years and more, up to yesterday', () => {
    expect(days[0]?.date).toBe('2018-01-01');
    expect(days.at(-1)?.date).toBe('2026-09-02');
    expect(days.map((day) => day.date)).toEqual(
      Array.from(days, (_, index) => dateOf(dayOf(Date.UTC(2018, 0, 1)) + index)),
    );
  });

  it('have a bar of every instrument, which closes at midnight and opens at the previous close', () => {
    let before: ClosedDay | undefined;
    for (const day of days) {
      const midnight = Date.parse(`${day.date}T00:00:00Z`) + DAY_MS;
      expect(day.bars.size).toBe(market.instruments.length);
      for (const [symbol, bar] of day.bars) {
        const { open, high, low, close, volume } = bar;
        const sound =
          low > 0 && low <= Math.min(open, close) && high >= Math.max(open, close) && high < Number.POSITIVE_INFINITY;
        const joined = before === undefined || before.bars.get(symbol)?.close === open;
        if (!sound || !joined || bar.date !== day.date || volume === 0 || day.closesAt.get(symbol) !== midnight) {
          expect.fail(`${symbol} ${JSON.stringify(bar)} after ${JSON.stringify(before?.bars.get(symbol))}`);
        }
      }
      before = day;
    }
  });

  it('stay the same in a later year', () => {
    const later = [...createSyntheticMarket({ seed: 42 }).closedDays(since('2026-08-31'), NOW + 2000 * DAY_MS)];
    expect(later[0]).toEqual(days.at(-2));
    expect(later[1]).toEqual(days.at(-1));
  });

  it('give each symbol only its missing bars', () => {
    const missing = [...market.closedDays((symbol) => (symbol === 'IBM' ? '2026-08-30' : '2026-09-01'), NOW)];
    expect(missing.map((day) => [day.date, day.bars.size])).toEqual([
      ['2026-08-31', 1],
      ['2026-09-01', 1],
      ['2026-09-02', market.instruments.length],
    ]);
    expect([...market.closedDays(since('2026-09-02'), NOW)]).toEqual([]);
  });

  it('appear at midnight, not before', () => {
    expect([...market.closedDays(since('2026-09-02'), TODAY + DAY_MS - 1)]).toHaveLength(0);
    expect([...market.closedDays(since('2026-09-02'), TODAY + DAY_MS)]).toHaveLength(1);
  });
});

describe('the extremes of a closed day', () => {
  it('contain every price at a whole minute, and equal those of the forming day', () => {
    const market = createSyntheticMarket({ seed: 7, scenario: 'burst' });
    const forming = createSyntheticMarket({ seed: 7, scenario: 'burst' });
    let beyond = 0;
    for (const symbol of ['SPY', 'NVDA', 'AGG']) {
      for (let day = 1; day <= 10; day++) {
        const begin = TODAY - day * DAY_MS;
        const { high, low } = market.extremes?.(symbol, begin) ?? expect.fail('a symbol of the world');
        // At midnight the last price is that of the day before.
        const prices = Array.from({ length: DAY_MS / MINUTE_MS - 1 }, (_, minute) =>
          market.past.price(symbol, begin + (minute + 1) * MINUTE_MS),
        );
        expect(high).toBeGreaterThanOrEqual(Math.max(...prices));
        expect(low).toBeLessThanOrEqual(Math.min(...prices));
        const last = forming.forming(symbol, begin + DAY_MS - 1) ?? expect.fail('a forming day');
        expect(high).toBeGreaterThanOrEqual(last.high);
        expect(low).toBeLessThanOrEqual(last.low);
        const bar = market.past.bar(symbol, dayOf(begin)) ?? expect.fail('a bar');
        if (low < bar.low || high > bar.high) beyond += 1;
      }
    }
    // The shocks of a scenario are not in the bars.
    expect(beyond).toBeGreaterThan(20);
  });
});

describe('the forming day', () => {
  const market = createSyntheticMarket({ seed: 7 });

  it('opens at the last close and ends at its own', () => {
    const [day] = [...market.closedDays(since('2026-09-02'), TODAY + DAY_MS)];
    for (const { symbol } of market.instruments) {
      const bar = day?.bars.get(symbol);
      expect(market.forming(symbol, TODAY + MINUTE_MS)).toMatchObject({ date: '2026-09-03', open: bar?.open });
      const end = market.price(symbol, TODAY + DAY_MS - 1);
      expect(Math.abs(end / (bar?.close ?? 0) - 1)).toBeLessThan(0.0015);
    }
  });

  it('contains its prices within high and low, which only widen, and its volume grows', () => {
    for (const symbol of ['SPY', 'TSLA', 'VIX']) {
      let last = market.forming(symbol, TODAY + MINUTE_MS);
      for (let at = TODAY + MINUTE_MS + 1000; at < TODAY + DAY_MS; at += 217_000) {
        const bar = market.forming(symbol, at);
        if (bar === null || last === null) throw new Error('no forming bar');
        expect(bar.high).toBeGreaterThanOrEqual(Math.max(bar.open, bar.close));
        expect(bar.low).toBeLessThanOrEqual(Math.min(bar.open, bar.close));
        expect(bar.volume ?? 1).toBeGreaterThanOrEqual(last.volume ?? 1);
        last = bar;
      }
    }
  });

  it('has the price of its last decision, and none before the first', () => {
    for (const symbol of ['SPY', 'TSLA', 'BTC']) {
      const decisions = [...market.decisions(symbol, TODAY - 1, TODAY + 10 * MINUTE_MS)];
      expect(market.forming(symbol, (decisions[0] ?? 0) - 1)).toBeNull();
      for (const at of decisions)
        for (const later of [at, at + 1, at + MINUTE_MS - 1]) {
          const price = market.past.price(symbol, at);
          const known = [market.forming(symbol, later)?.close, market.formingClose?.(symbol, later)];
          expect([...known, market.price(symbol, later)]).toEqual([price, price, price]);
        }
    }
  });

  it('stays within the closed bar', () => {
    const [day] = [...market.closedDays(since('2026-09-02'), TODAY + DAY_MS)];
    for (const symbol of ['BTC', 'EURUSD', 'VIX']) {
      const closed = day?.bars.get(symbol);
      const formed = market.forming(symbol, TODAY + DAY_MS - 1);
      expect(formed?.high).toBeLessThanOrEqual(closed?.high ?? 0);
      expect(formed?.low).toBeGreaterThanOrEqual(closed?.low ?? 0);
    }
  });

  it('ticks: most minutes have a new price, no other second, and none jumps', () => {
    let moved = 0;
    let last = market.price('BTC', NOW);
    for (let second = 1; second <= 3600; second++) {
      const price = market.price('BTC', NOW + second * 1000);
      if (price !== last) moved += 1;
      expect(Math.abs(price / last - 1)).toBeLessThan(0.005);
      last = price;
    }
    expect(moved).toBeGreaterThan(50);
    expect(moved).toBeLessThanOrEqual(60);
  });

  it('is unknown for a symbol of another world', () => {
    expect(market.forming('NOPE', NOW)).toBeNull();
    expect(market.price('NOPE', NOW)).toBeNaN();
    expect(market.nextClose('NOPE', NOW)).toBeNull();
    expect([...market.decisions('NOPE', NOW - DAY_MS, NOW)]).toEqual([]);
  });
});

describe('decisions and closes', () => {
  const market = createSyntheticMarket({ seed: 7 });

  it('occur once a minute, at a second of each symbol’s own', () => {
    const instants = [...market.decisions('SPY', TODAY - 1, TODAY + DAY_MS - 1)];
    expect(instants).toHaveLength(1440);
    for (const [index, at] of instants.entries()) {
      expect(at - (instants[0] ?? 0)).toBe(index * MINUTE_MS);
      expect(at % 1000).toBe(0);
    }
    const seconds = market.instruments.flatMap(({ symbol }) => [
      ...market.decisions(symbol, TODAY - 1, TODAY + MINUTE_MS - 1),
    ]);
    expect(new Set(seconds).size).toBeGreaterThan(20);
  });

  it('fall into (from, to], so that intervals join without a gap or a duplicate', () => {
    const [first = 0] = market.decisions('AAPL', NOW, NOW + MINUTE_MS);
    expect([...market.decisions('AAPL', first - 1, first)]).toEqual([first]);
    expect([...market.decisions('AAPL', first, first + MINUTE_MS - 1)]).toEqual([]);
    expect([...market.decisions('AAPL', first, first)]).toEqual([]);
  });

  it('exist for regime-only symbols and not for inputs', () => {
    expect([...market.decisions('BTC', NOW, NOW + DAY_MS)]).toHaveLength(1440);
    expect([...market.decisions('VIX', NOW, NOW + DAY_MS)]).toEqual([]);
  });

  it('the next close is the coming midnight', () => {
    expect(market.nextClose('SPY', NOW)).toBe(TODAY + DAY_MS);
    expect(market.nextClose('SPY', TODAY)).toBe(TODAY + DAY_MS);
    expect(market.nextClose('SPY', TODAY - 1)).toBe(TODAY);
  });
});
