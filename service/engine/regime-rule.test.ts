import { describe, expect, it } from 'vitest';
import { REGIMES } from '../../shared/domain/regimes.ts';
import { sp500 } from '../../test/fixtures/sp500.ts';
import { createEngine } from './engine.ts';
import { filterStep, fitStates, PRIOR_STATES, usualShare } from './risk/volatility-states.ts';
import { createRandom } from './scoring/nulls.ts';

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

  it('are found again from what they made', () => {
    const found = fitStates([moves.slice(0, 15_000), moves.slice(15_000)], PRIOR_STATES);
    expect(found.calm).toBeCloseTo(truth.calm, 1);
    expect(found.high).toBeCloseTo(truth.high, 1);
    expect(found.stay_calm).toBeCloseTo(truth.stay_calm, 2);
    expect(found.stay_high).toBeCloseTo(truth.stay_high, 1);
  });

  it('are told apart by the filter as it goes', () => {
    let belief = usualShare(truth);
    let right = 0;
    for (const [t, move] of moves.entries()) {
      belief = filterStep(truth, belief, move);
      if (belief > 0.5 === hidden[t]) right += 1;
    }
    expect(right / moves.length).toBeGreaterThan(0.9);
  });

  it('drift to their usual share without returns, and stay finite on a wild one', () => {
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
