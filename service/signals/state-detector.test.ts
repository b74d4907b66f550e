// Service, signals, test: announced states from prices.
import { array, assert, integer, property, record } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { emptyPowers } from '../../shared/domain/factors.ts';
import type { State } from '../../shared/domain/states.ts';
import { DAY_MS, MINUTE_MS } from '../../shared/lib/time.ts';
import { casesOf } from '../../test/harness/run-length.ts';
import { PRIOR_STATES } from '../engine/risk/volatility-states.ts';
import type { Bar, Engine, Reading } from '../engine/types.ts';
import type { MarketSource } from '../market/types.ts';
import type { CurrentState } from '../store/current-states.ts';
import type { EventDraft } from '../store/event-log.ts';
import { createEventIds } from './event-id.ts';
import { forceState } from './force.ts';
import { StateDetector } from './state-detector.ts';

const DATES = Array.from({ length: 220 }, (_, day) => new Date(day * DAY_MS).toISOString().slice(0, 10));
const date = (day: number): string => DATES[day] ?? '';

/**
 * The rule of the tests: at or above 200 High Risk, at or above 100 Elevated; each state ends 50 below its
 * entry level.
 */
function rule(price: number, from: State): State {
  const entered: State = price >= 200 ? 2 : price >= 100 ? 1 : 0;
  if (entered >= from) return entered;
  if (from === 2 && price >= 150) return 2;
  return price >= 50 ? 1 : 0;
}

function fakeEngine(symbols: readonly string[]): Engine {
  const readings = new Map<string, Reading>();
  const dates = new Map<string, string>();
  const reading = (bar: Bar, from: State): Reading => ({
    date: bar.date,
    close: bar.close,
    state: rule(bar.close, from),
    isWithheld: false,
    rule: null,
    probability: null,
    claim: 'event',
    confidence: 40 + rule(bar.close, from),
    baseRate: 12,
    regime: bar.close >= 100 ? 'stress' : 'calm_uptrend',
    regimeProbabilities: null,
    powers: emptyPowers(),
    contributions: emptyPowers(),
    drawdownFraction: 0.5,
    breachLevel: 1,
  });
  return {
    volatilityStates: () => PRIOR_STATES,
    modelVersion: 'fake-1',
    closeDay(day, bars) {
      const closed = new Map<string, Reading>();
      for (const [symbol, bar] of bars) {
        const made = reading(bar, readings.get(symbol)?.state ?? 0);
        readings.set(symbol, made);
        dates.set(symbol, day);
        closed.set(symbol, made);
      }
      return closed;
    },
    peek: (symbol, bar, from) => (symbols.includes(symbol) ? reading(bar, from) : null),
    peekState: (_symbol, price, from) => rule(price, from),
    mayBeginHighRisk: () => true,
    last: (symbol) => readings.get(symbol) ?? null,
    lastDate: (symbol) => dates.get(symbol) ?? null,
    save() {
      throw new Error('a fake has no state to save');
    },
  };
}

/**
 * Prices by minute of the world: day d closes at (d+1) * DAY_MS with its last price; every minute is a
 * decision time.
 */
function fakeMarket(
  priceAt: (symbol: string, at: number) => number,
  symbols: readonly string[],
  forming = true,
): MarketSource {
  const bar = (symbol: string, day: number, at: number): Bar => {
    const close = priceAt(symbol, at);
    return { date: date(day), open: close, high: close, low: close, close, volume: null };
  };
  return {
    instruments: symbols.map((symbol) => ({
      symbol,
      name: symbol,
      assetClass: 'etf',
      regimeOnly: symbol === 'FX',
      inputOnly: false,
    })),
    *closedDays(after, now) {
      for (let day = 0; (day + 1) * DAY_MS <= now; day++) {
        const due = symbols.filter((symbol) => (after(symbol) ?? '') < date(day));
        if (due.length === 0) continue;
        yield {
          date: date(day),
          closesAt: new Map(due.map((symbol) => [symbol, (day + 1) * DAY_MS])),
          bars: new Map(due.map((symbol) => [symbol, bar(symbol, day, (day + 1) * DAY_MS - 1)])),
        };
      }
    },
    forming: (symbol, now) => (forming ? bar(symbol, Math.floor(now / DAY_MS), now) : null),
    nextClose: (_symbol, now) => (Math.floor(now / DAY_MS) + 1) * DAY_MS,
    *decisions(_symbol, from, to) {
      if (forming) for (let at = (Math.floor(from / MINUTE_MS) + 1) * MINUTE_MS; at <= to; at += MINUTE_MS) yield at;
    },
  };
}

/** Steps of price: the last one at or before an instant applies; 10 before the first. */
const stepped =
  (steps: readonly (readonly [at: number, price: number])[]) =>
  (_symbol: string, at: number): number =>
    steps.findLast(([from]) => from <= at)?.[1] ?? 10;

function detectorOf(market: MarketSource): StateDetector {
  const symbols = market.instruments.map((one) => one.symbol);
  return new StateDetector({ market, engine: fakeEngine(symbols), ids: createEventIds('test') });
}
const START = 10 * DAY_MS;
const summaryOf = (drafts: readonly EventDraft[]) =>
  drafts.map((draft) => [
    (Date.parse(draft.timestamp) - START) / MINUTE_MS,
    draft.event,
    ...('to_state' in draft.data ? [`${draft.data.from_state}>${draft.data.to_state}`] : []),
  ]);

describe('within a day', () => {
  test('a price that enters a state is announced at the next decision time, with the values of that instant', () => {
    const detector = detectorOf(fakeMarket(stepped([[START + 90_500, 120]]), ['SPY']));
    detector.resume(START, []);
    const drafts = detector.advance(START + 10 * MINUTE_MS);
    expect(summaryOf(drafts)).toEqual([[2, 'signal.elevated', '0>1']]);
    expect(drafts[0]?.data).toMatchObject({
      symbol: 'SPY',
      confidence: 41,
      regime: 'calm_uptrend',
      model_version: 'fake-1',
    });
  });

  test('a state ends only below its lower bound', () => {
    const prices = stepped([
      [START + MINUTE_MS, 210],
      [START + 20 * MINUTE_MS, 160],
      [START + 40 * MINUTE_MS, 140],
      [START + 60 * MINUTE_MS, 60],
      [START + 80 * MINUTE_MS, 40],
    ]);
    const detector = detectorOf(fakeMarket(prices, ['SPY']));
    detector.resume(START, []);
    expect(summaryOf(detector.advance(START + 100 * MINUTE_MS))).toEqual([
      [1, 'signal.high_risk', '0>2'],
      [40, 'signal.elevated', '2>1'],
      [80, 'signal.normal', '1>0'],
    ]);
  });

  test('a rise is announced at once, a fall after five minutes in the state', () => {
    const prices = stepped([
      [START + 10 * MINUTE_MS, 120],
      [START + 11 * MINUTE_MS, 210],
      [START + 12 * MINUTE_MS, 10],
      [START + 13 * MINUTE_MS, 210],
      [START + 14 * MINUTE_MS, 10],
    ]);
    const detector = detectorOf(fakeMarket(prices, ['SPY']));
    detector.resume(START, []);
    expect(summaryOf(detector.advance(START + 30 * MINUTE_MS))).toEqual([
      [10, 'signal.elevated', '0>1'],
      [11, 'signal.high_risk', '1>2'],
      [16, 'signal.normal', '2>0'],
    ]);
  });

  test.each<[string, number, State, (string | number)[]]>([
    ['Elevated is held for five minutes', 120, 0, [15, 'signal.elevated', '0>1']],
    ['High Risk ends at its next price', 210, 0, [11, 'signal.high_risk', '0>2']],
    ['High Risk ends at its next price, also as Elevated', 210, 1, [11, 'signal.high_risk', '1>2']],
  ])('a calmer state that is triggered in %s', (_, price, to, expected) => {
    const detector = detectorOf(fakeMarket(stepped([[START + MINUTE_MS, price]]), ['SPY']));
    detector.resume(START, []);
    const at = START + 10 * MINUTE_MS;
    detector.advance(at);
    const track = detector.tracks.get('SPY') ?? expect.fail('it is of this market');
    forceState({ detector, ids: detector.ids, at, ordinal: 1 }, track, to);
    expect(summaryOf(detector.advance(START + 30 * MINUTE_MS))).toEqual([expected]);
  });

  test('a regime-only symbol has flips and no transitions', () => {
    const detector = detectorOf(fakeMarket(stepped([[START + MINUTE_MS, 210]]), ['FX']));
    detector.resume(START, []);
    expect(summaryOf(detector.advance(START + 2 * DAY_MS))).toEqual([[1440, 'regime.flip']]);
  });
});

describe('at a close', () => {
  test('closes alone decide at a close: a state entered only within the day ends', () => {
    const prices = stepped([
      [START + 60 * MINUTE_MS, 120],
      [START + 120 * MINUTE_MS, 60],
    ]);
    const detector = detectorOf(fakeMarket(prices, ['SPY']));
    detector.resume(START, []);
    expect(summaryOf(detector.advance(START + DAY_MS))).toEqual([
      [60, 'signal.elevated', '0>1'],
      [1440, 'signal.normal', '1>0'],
    ]);
  });

  test('a source without a forming bar is evaluated at its closes', () => {
    const market = fakeMarket(stepped([[START + 60 * MINUTE_MS, 210]]), ['SPY'], false);
    const detector = detectorOf(market);
    detector.resume(START, []);
    expect(summaryOf(detector.advance(START + 3 * DAY_MS))).toEqual([
      [1440, 'regime.flip'],
      [1440, 'signal.high_risk', '0>2'],
    ]);
  });

  test('a close that is corrected to a riskier one is announced before the next close, a calmer one with it', () => {
    let [version, last] = [0, 10];
    const market = fakeMarket((_, at) => (at >= START - DAY_MS && at < START ? last : 10), ['SPY'], false);
    const changedSince = () => new Map([['SPY', date(9)]]);
    const detector = new StateDetector({
      market: { ...market, revisions: { version: () => version, changedSince, nextChange: () => null } },
      engine: fakeEngine(['SPY']),
      newEngine: () => fakeEngine(['SPY']),
      ids: createEventIds('test'),
    });
    detector.resume(START, []);
    const transitionsAfter = (minutes: number, close: number) => {
      [version, last] = [version + 1, close];
      const to = START + minutes * MINUTE_MS;
      return summaryOf([...detector.advance(to), ...detector.advance(to)].filter(({ data }) => 'to_state' in data));
    };
    expect(transitionsAfter(60, 210)).toEqual([[60, 'signal.high_risk', '0>2']]);
    expect(transitionsAfter(120, 10)).toEqual([]);
    expect(transitionsAfter(1440, 10)).toEqual([[1440, 'signal.normal', '2>0']]);
  });
});

describe('a share whose prices end at its close', () => {
  /** Intraday prices come from noon on. */
  function shareMarket(within: readonly (readonly [minute: number, price: number])[], close: number): MarketSource {
    const closes = fakeMarket(stepped([[START, close]]), ['SPY']);
    const prices = fakeMarket(stepped(within.map(([minute, price]) => [START + minute * MINUTE_MS, price])), ['SPY']);
    return {
      ...closes,
      comesLate: true,
      forming: (symbol, now) => prices.forming(symbol, now - 1),
      *decisions(symbol, from, to) {
        for (const at of prices.decisions(symbol, from, to))
          if (at % DAY_MS === 0 || at % DAY_MS > DAY_MS / 2) yield at;
      },
    };
  }
  const transitionsOf = (market: MarketSource, days: number): EventDraft[] => {
    const detector = detectorOf(market);
    detector.resume(START, []);
    return detector.advance(START + days * DAY_MS).filter(({ event }) => event !== 'regime.flip');
  };

  test('a riskier close is announced at once, also less than five minutes after the last change', () => {
    expect(summaryOf(transitionsOf(shareMarket([[1436, 120]], 210), 1))).toEqual([
      [1437, 'signal.elevated', '0>1'],
      [1440, 'signal.high_risk', '1>2'],
    ]);
  });

  test('a riskier close follows a change of the same instant, in the order of the ids', () => {
    const drafts = transitionsOf(shareMarket([[1439, 120]], 210), 1);
    expect(summaryOf(drafts)).toEqual([
      [1440, 'signal.elevated', '0>1'],
      [1440, 'signal.high_risk', '1>2'],
    ]);
    const ids = drafts.map(({ event_id }) => event_id);
    expect(ids.toSorted()).toEqual(ids);
  });

  test('a calmer close waits for the next price', () => {
    const prices = [
      [1436, 120],
      [1440, 10],
    ] as const;
    expect(summaryOf(transitionsOf(shareMarket(prices, 10), 2))).toEqual([
      [1437, 'signal.elevated', '0>1'],
      [2161, 'signal.normal', '1>0'],
    ]);
  });
});

describe('resuming', () => {
  test('closes missed while the service was down are announced late, once', () => {
    const market = fakeMarket(stepped([[START + 60 * MINUTE_MS, 210]]), ['SPY'], false);
    const first = detectorOf(market);
    first.resume(START, []);
    const current = first.tracks.get('SPY')?.current as CurrentState;
    const second = detectorOf(market);
    expect(summaryOf(second.resume(START + 2 * DAY_MS, [current]))).toEqual([
      [1440, 'regime.flip'],
      [1440, 'signal.high_risk', '0>2'],
    ]);
    expect(second.advance(START + 3 * DAY_MS)).toEqual([]);
  });

  const WALK = array(record({ minutes: integer({ min: 1, max: 400 }), price: integer({ min: 1, max: 260 }) }), {
    minLength: 1,
    maxLength: 40,
  });
  const CUTS = array(integer({ min: 1, max: 2 * 1440 }), { maxLength: 6 });

  test('one evaluation, many small evaluations and restarts announce the same events under the same ids', async () => {
    await assert(
      property(WALK, CUTS, (walk, cuts) => {
        let at = START;
        const steps = walk.map(({ minutes, price }): [number, number] => {
          at += minutes * MINUTE_MS - 17_000;
          return [at, price];
        });
        const market = fakeMarket(
          (symbol, instant) => Math.max(1, stepped(steps)(symbol, instant) + (symbol === 'QQQ' ? 40 : 0)),
          ['SPY', 'QQQ', 'FX'],
        );
        const end = START + 2 * DAY_MS;

        const whole = detectorOf(market);
        whole.resume(START, []);
        const inOneGo = whole.advance(end);

        const instants = [...new Set(cuts)].sort((a, b) => a - b).map((minute) => START + minute * MINUTE_MS + 3_333);
        const stepwise = detectorOf(market);
        stepwise.resume(START, []);
        expect([...instants, end].flatMap((instant) => stepwise.advance(instant))).toEqual(inOneGo);

        let detector = detectorOf(market);
        detector.resume(START, []);
        const overRestarts: EventDraft[] = [];
        for (const instant of [...instants, end]) {
          overRestarts.push(...detector.advance(instant));
          const currentStates = [...detector.tracks.values()].flatMap((track) =>
            track.current === null ? [] : [track.current],
          );
          detector = detectorOf(market);
          overRestarts.push(...detector.resume(instant, currentStates));
        }
        expect(overRestarts).toEqual(inOneGo);
      }),
      { numRuns: casesOf(40, 12) },
    );
  });
});

describe('a year of prices at once', () => {
  const NOW = 200 * DAY_MS;
  /** High Risk: twice before the last 90 days, once across their beginning, once within them. */
  const times = [
    [15, 30],
    [50, 60],
    [105, 115],
    [150, 160],
  ];
  const prices = stepped(
    times.flatMap(([from = 0, to = 0]): [number, number][] => [
      [from * DAY_MS, 210],
      [to * DAY_MS, 10],
    ]),
  );
  const daysOf = (drafts: readonly EventDraft[]) =>
    drafts
      .filter(({ event }) => event.startsWith('signal.'))
      .map(({ timestamp, event }) => [Date.parse(timestamp) / DAY_MS, event]);
  const EXPECTED = [
    [111, 'signal.high_risk'],
    [116, 'signal.normal'],
    [151, 'signal.high_risk'],
    [161, 'signal.normal'],
  ];

  test.each([
    ['of closes', false],
    ['of closes, with prices within each day', true],
  ])('%s: the last 90 days are announced, the same while the service runs and with a restart', (_name, forming) => {
    let known = 12 * DAY_MS;
    const whole = fakeMarket(prices, ['SPY'], forming);
    const market: MarketSource = {
      ...whole,
      comesLate: true,
      closedDays: (after, now) => whole.closedDays(after, Math.min(now, known)),
      *decisions(_symbol, from, to) {
        // One price per day, at noon.
        const first = (Math.floor(from / DAY_MS - 0.5) + 1.5) * DAY_MS;
        if (forming) for (let at = first; at <= Math.min(to, known); at += DAY_MS) yield at;
      },
    };
    const running = detectorOf(market);
    running.resume(NOW, []);
    const before = running.tracks.get('SPY')?.current as CurrentState;
    expect(running.advance(NOW + MINUTE_MS)).toEqual([]);
    known = Number.POSITIVE_INFINITY;
    const drafts = running.advance(NOW + 2 * MINUTE_MS);
    const found = daysOf(drafts);
    expect(found.every(([day]) => Number(day) > 110)).toBe(true);
    if (!forming) {
      expect(found).toEqual(EXPECTED);
      const next = detectorOf(market);
      const late = next.resume(NOW + 2 * MINUTE_MS, [before]);
      expect([...late, ...next.advance(NOW + 3 * MINUTE_MS)]).toEqual(drafts);
    }
    expect(running.tracks.get('SPY')?.current).toMatchObject({ state: 0, day: date(199) });
  });
});

test('late prices are evaluated at their own instants, each once', () => {
  const priceAt = stepped([[START + 3 * MINUTE_MS, 220]]);
  const whole = fakeMarket(priceAt, ['SPY']);
  let known = START + 2 * MINUTE_MS;
  const late: MarketSource = {
    ...whole,
    comesLate: true,
    *decisions(symbol, from, to) {
      for (const at of whole.decisions(symbol, from, to)) if (at <= known) yield at;
    },
  };
  const runs = [late, whole].map((market) => {
    const detector = detectorOf(market);
    detector.resume(START, []);
    const drafts = [...detector.advance(START + 30 * MINUTE_MS)];
    known = START + 60 * MINUTE_MS;
    drafts.push(...detector.advance(START + 31 * MINUTE_MS), ...detector.advance(START + 32 * MINUTE_MS));
    return summaryOf(drafts);
  });
  expect(runs[0]).toHaveLength(1);
  expect(runs[0]).toEqual(runs[1]);
});
