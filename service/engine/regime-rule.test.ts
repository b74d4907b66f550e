// Service, engine, test: volatility states and the regime rule.
import { describe, expect, it } from 'vitest';
import { REGIMES, type Regime } from '../../shared/domain/regimes.ts';
import type { State } from '../../shared/domain/states.ts';
import { createRandom } from '../../shared/lib/random.ts';
import { sp500 } from '../../test/fixtures/sp500.ts';
import { createEngine } from './engine.ts';
import type { BarHistory } from './history.ts';
import { RegimeTrack } from './regime-rule.ts';
import { filterStep, fitStates, PRIOR_STATES, usualShare } from './risk/volatility-states.ts';

describe('volatility states', () => {
  const truth = { calm: 0.7, high: 1.8, stay_calm: 0.985, stay_high: 0.95 };
  const random = createRandom(12);
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const hidden: boolean[] = [];
  const moves = Float64Array.from({ length: 30_000 }, (_, t) => {
    const before = hidden[t - 1] ?? false;
    hidden.push(before ? random() < truth.stay_high : random() >= truth.stay_calm);
    return normal() * (hidden[t] === true ? truth.high : truth.calm);
  });

  it('are recovered from data that they generated', () => {
    const found = fitStates([moves.slice(0, 15_000), moves.slice(15_000)], PRIOR_STATES);
    expect(found.calm).toBeCloseTo(truth.calm, 1);
    expect(found.high).toBeCloseTo(truth.high, 1);
    expect(found.stay_calm).toBeCloseTo(truth.stay_calm, 2);
    expect(found.stay_high).toBeCloseTo(truth.stay_high, 1);
  });

  it('are separated by the filter online', () => {
    let belief = usualShare(truth);
    let right = 0;
    for (const [t, move] of moves.entries()) {
      belief = filterStep(truth, belief, move);
      if (belief > 0.5 === hidden[t]) right += 1;
    }
    expect(right / moves.length).toBeGreaterThan(0.9);
  });

  it('drift to their long-run share without returns, and stay finite on an extreme return', () => {
    let belief = 0.99;
    for (let t = 0; t < 2000; t++) belief = filterStep(truth, belief, Number.NaN);
    expect(belief).toBeCloseTo(usualShare(truth), 9);
    expect(filterStep(truth, 0.01, 1e6)).toBeGreaterThan(0.99);
    expect(filterStep(truth, 0.01, 1e6)).toBeLessThanOrEqual(1);
  });
});

describe('regime', () => {
  const engine = createEngine({ instruments: [{ symbol: 'SPX', assetClass: 'index' }], factorsFrom: '9999' });
  const readings = sp500().flatMap((bar) => [...engine.closeDay(bar.date, new Map([['SPX', bar]])).values()]);

  it('is stress in the autumn of 2008 and in March 2020, and a calm uptrend in 2017', () => {
    const at = (date: string) => readings.find((reading) => reading.date === date)?.regime;
    expect(at('2008-10-10')).toBe('stress');
    expect(at('2020-03-16')).toBe('stress');
    expect(at('2017-07-14')).toBe('calm_uptrend');
  });

  it('gives probabilities that sum to 1, for every bar once warm', () => {
    for (const { regime, regimeProbabilities } of readings.slice(253)) {
      expect(regime).not.toBeNull();
      const values = Object.values(regimeProbabilities ?? {});
      expect(values).toHaveLength(REGIMES.length);
      expect(values.reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 12);
      expect(Math.min(...values)).toBeGreaterThanOrEqual(0);
    }
  });

  it('does not flip often', () => {
    const flips = readings.filter((reading, t) => t > 253 && reading.regime !== readings[t - 1]?.regime);
    expect(flips.length / ((readings.length - 253) / 252)).toBeLessThan(12);
    expect(flips.length).toBeGreaterThan(30);
  });
});

describe('a label', () => {
  /** One day is enough to decide: the prior belief does not count. */
  const ONE_DAY = { calm: 0.5, high: 3, stay_calm: 0.5, stay_high: 0.5 };
  const CALM = 0;
  const WILD = 5;
  /** Between the two bounds of volatility. */
  const UNSURE = 1;
  /** @param distance of the price from its average, as a logarithm @param move in deviations */
  const bar = (distance: number, move: number): BarHistory =>
    ({
      deviations: { back: () => 0.01 },
      variances: { back: () => 0.0001 },
      returns: { back: () => move * 0.01 },
      closes: { back: () => Math.exp(distance), over: () => 1 },
    }) as unknown as BarHistory;
  const follow = (...bars: readonly (readonly [distance: number, move: number, state: State])[]): (Regime | null)[] => {
    const track = new RegimeTrack();
    return bars.map(([distance, move, state]) => {
      const reading = track.evaluate(bar(distance, move), state, ONE_DAY);
      track.commit(reading);
      return reading.regime;
    });
  };
  const times = <Item>(count: number, item: Item): Item[] => Array.from({ length: count }, () => item);

  it('combines trend and volatility', () => {
    expect(
      [
        [0.05, CALM],
        [0.05, WILD],
        [-0.05, CALM],
        [-0.05, WILD],
      ].map(([distance = 0, move = 0]) => follow([distance, move, 0])[0]),
    ).toEqual(['calm_uptrend', 'volatile_uptrend', 'calm_downtrend', 'volatile_downtrend']);
  });

  it('lasts at least five bars', () => {
    expect(follow([0.05, CALM, 0], ...times(5, [-0.05, CALM, 0] as const))).toEqual([
      ...times(5, 'calm_uptrend'),
      'calm_downtrend',
    ]);
  });

  it('keeps its trend within the band, and its volatility between the two bounds', () => {
    const up = follow(...times(6, [0.05, CALM, 0] as const), [-0.009, CALM, 0], [-0.011, CALM, 0]);
    expect(up.slice(-2)).toEqual(['calm_uptrend', 'calm_downtrend']);
    const down = follow(...times(6, [-0.05, CALM, 0] as const), [0.009, CALM, 0], [0.011, CALM, 0]);
    expect(down.slice(-2)).toEqual(['calm_downtrend', 'calm_uptrend']);
    expect(follow(...times(6, [0.05, CALM, 0] as const), [0.05, UNSURE, 0]).at(-1)).toBe('calm_uptrend');
    expect(follow(...times(6, [0.05, WILD, 0] as const), [0.05, UNSURE, 0]).at(-1)).toBe('volatile_uptrend');
  });

  it('is Stress from the first extreme bar in High Risk, at any age of the label', () => {
    expect(follow([0.05, CALM, 0], [0.05, CALM, 2], [0.05, WILD, 1], [-0.05, WILD, 2])).toEqual([
      'calm_uptrend',
      'calm_uptrend',
      'calm_uptrend',
      'stress',
    ]);
  });

  it('stays Stress until the state is Normal, and then ends at once', () => {
    expect(follow([-0.05, WILD, 2], [-0.05, CALM, 2], [-0.05, CALM, 1], [-0.05, CALM, 0])).toEqual([
      'stress',
      'stress',
      'stress',
      'calm_downtrend',
    ]);
  });
});
