// Service, engine, test: first passage, regression, risk model and its fit.
import { describe, expect, it } from 'vitest';
import { FACTOR_CODES } from '../../../shared/domain/factors.ts';
import { createRandom } from '../../../shared/lib/random.ts';
import { sp500 } from '../../../test/fixtures/sp500.ts';
import { inOneTurn } from '../../steps.ts';
import { createEngine } from '../engine.ts';
import { type FitOptions, fitRiskModel } from '../fit-risk-model.ts';
import type { PastMarket } from '../scoring/validation-record.ts';
import type { Bar } from '../types.ts';
import { eventOdds, furtherFallOdds, newRiskInputs, type RiskInputs } from './first-passage.ts';
import {
  evaluateRisk,
  type Parameters,
  ParametersSchema,
  RiskModel,
  riskContributions,
  volatilityAhead,
} from './model.ts';
import { RISK_MODEL } from './parameters.ts';
import { fitRegression, sigmoid } from './regression.ts';

const bars = sp500();
const market = (rows: readonly Bar[]): PastMarket => ({
  instruments: [{ symbol: 'SPX', assetClass: 'index', inputOnly: false }],
  bars: () => rows,
  *closedDays() {
    for (const bar of rows) yield { date: bar.date, bars: new Map([['SPX', bar]]) };
  },
});

/** Inputs at a price under one maximum. Distances are logs. */
const inputs = (changes: Partial<RiskInputs>, breach: readonly number[], bars: readonly number[]): RiskInputs => ({
  ...newRiskInputs(),
  deviation: 0.012,
  volatilityChange: -0.09,
  commonDrawdown: 0.5,
  half: 0.04,
  levels: breach.length,
  breach: Float64Array.from(breach),
  counting: Float64Array.from(breach, (distance) => Math.max(distance, 0.04)),
  bars: Float64Array.from(bars),
  ...changes,
});

describe('first passage', () => {
  const SIGMA = 0.015;
  const share = (odds: number): number => sigmoid(odds);

  it('agrees with simulated walks that are compared at closes', () => {
    const random = createRandom(3);
    const normal = (): number => Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random());
    const [barrier, bars, walks] = [0.06, 21, 40_000];
    let passed = 0;
    for (let walk = 0; walk < walks; walk++) {
      let price = 0;
      for (let bar = 0; bar < bars; bar++) {
        price += SIGMA * normal();
        if (price > -barrier) continue;
        passed += 1;
        break;
      }
    }
    expect(share(eventOdds(inputs({}, [barrier], [bars]), SIGMA))).toBeCloseTo(passed / walks, 1.7);
    expect(share(furtherFallOdds(inputs({ half: barrier }, [1], [bars]), SIGMA))).toBeCloseTo(passed / walks, 1.7);
  });

  it('grows with volatility, with time and with nearness; the easiest level counts', () => {
    const odds = (breach: readonly number[], bars: readonly number[], sigma = SIGMA): number =>
      eventOdds(inputs({}, breach, bars), sigma);
    expect(odds([0.08], [21], 0.02)).toBeGreaterThan(odds([0.08], [21]));
    expect(odds([0.08], [21])).toBeGreaterThan(odds([0.08], [10]));
    expect(odds([0.06], [21])).toBeGreaterThan(odds([0.08], [21]));
    expect(odds([0.08, 0.05], [21, 12])).toBe(Math.max(odds([0.08], [21]), odds([0.05], [12])));
    // Half of the threshold must still lie ahead, however near the breach is.
    expect(odds([0.01], [21])).toBe(odds([0.04], [21]));
  });

  it('leaves out breaches that would continue the last event', () => {
    const odds = [0, 5, 15, 21].map((mergeBars) => eventOdds(inputs({ mergeBars }, [0.05], [21]), SIGMA));
    expect(odds).toEqual([...odds].sort((a, b) => b - a));
    expect(share(odds[3] as number)).toBeLessThan(0.03);
  });
});

describe('regression', () => {
  const random = createRandom(8);
  const n = 20_000;
  const values = Float64Array.from({ length: 2 * n }, () => 4 * random() - 2);
  const score = (i: number): number => -1 + 0.8 * (values[2 * i] ?? 0) - 0.5 * (values[2 * i + 1] ?? 0);
  const cases = {
    logistic: Float64Array.from({ length: n }, (_, i) => (random() < sigmoid(score(i)) ? 1 : 0)),
    linear: Float64Array.from({ length: n }, (_, i) => score(i) + random() - 0.5),
  };

  it.each(['logistic', 'linear'] as const)('%s: recovers the weights that made the sample', (kind) => {
    const outcomes = cases[kind];
    const fit = fitRegression({ kind, width: 2, inputs: values, outcomes, ridge: 0 });
    expect(fit.bias).toBeCloseTo(-1, 1);
    expect(fit.weights[0]).toBeCloseTo(0.8, 1);
    expect(fit.weights[1]).toBeCloseTo(-0.5, 1);
    const penalized = fitRegression({ kind, width: 2, inputs: values, outcomes, ridge: 1e7 });
    expect(Math.abs(penalized.weights[0] ?? 1)).toBeLessThan(0.01);
  });

  it('a logistic regression needs both outcomes', () => {
    const sample = { kind: 'logistic', width: 2, inputs: values, outcomes: new Float64Array(n), ridge: 1 } as const;
    expect(() => fitRegression(sample)).toThrow('both outcomes');
  });
});

describe('risk model', () => {
  const parameters = RISK_MODEL.parameters('2020-02-21');
  if (parameters === null) throw new Error('no parameters');

  it('the risk model uses the vectors of the year, the latest beyond it, none before the first', () => {
    expect(parameters.year).toBe(2020);
    expect(RISK_MODEL.parameters('2999-01-01')?.year).toBeGreaterThan(2020);
    expect(RISK_MODEL.parameters('1989-12-31')).toBeNull();
  });

  it('forecasts with the common drawdown if it is known, else from the own volatility', () => {
    const both = inputs({ commonDrawdown: 0.9, volatilityChange: 0.3 }, [0.06], [21]);
    const alone = { ...both, commonDrawdown: Number.NaN };
    expect(volatilityAhead(parameters, both)).toBeGreaterThan(
      volatilityAhead(parameters, { ...both, commonDrawdown: 0.1 }),
    );
    expect(volatilityAhead(parameters, alone)).toBe(volatilityAhead({ ...parameters, fellows: null }, both));
    expect(evaluateRisk(parameters, alone).event).toBeGreaterThan(0);
  });

  it('a deeper drawdown makes a further fall likelier', () => {
    const fall = (drawdown: number): number => evaluateRisk(parameters, inputs({ drawdown }, [0.06], [21])).furtherFall;
    expect(fall(1.3)).toBeGreaterThan(fall(0.1));
  });

  it('gives contributions whose absolute values sum to 1, of three dimensions', () => {
    const before = inputs({ volatilityChange: 0.4, commonDrawdown: 0.9, drawdown: 0.7 }, [0.12, 0.05], [21, 14]);
    for (const mergeBars of [0, 12]) {
      const shares = riskContributions(parameters, { ...before, mergeBars });
      expect(FACTOR_CODES.reduce((sum, code) => sum + Math.abs(shares[code] ?? 0), 0)).toBeCloseTo(1, 12);
      expect(FACTOR_CODES.filter((code) => shares[code] !== 0)).toEqual(['D-02', 'D-03', 'D-12']);
      expect(shares['D-03']).toBeGreaterThan(0);
    }
    const alone = riskContributions(parameters, { ...before, commonDrawdown: Number.NaN });
    expect(alone['D-02']).toBe(0);
    const usual = inputs({ volatilityChange: parameters.own.means[0] ?? 0, commonDrawdown: Number.NaN }, [0.06], [21]);
    expect(Object.values(riskContributions(parameters, usual)).every((share) => share === 0)).toBe(true);
  });

  it('refuses a parameter file with a missing weight', () => {
    const file = { ...RISK_MODEL.source, years: [parameters] };
    expect(ParametersSchema.safeParse(file).success).toBe(true);
    const short = { ...parameters, event: { ...parameters.event, weights: [] } };
    expect(ParametersSchema.safeParse({ ...file, years: [short] }).success).toBe(false);
  });

  it('the risk rises as a price falls', () => {
    const engine = createEngine({ instruments: [{ symbol: 'SPX', assetClass: 'index' }] });
    for (const bar of bars.slice(0, 4400)) engine.closeDay(bar.date, new Map([['SPX', bar]]));
    const close = engine.last('SPX')?.close ?? 0;
    const at = (price: number) =>
      engine.peek('SPX', { date: '2017-08-01', open: price, high: price, low: price, close: price, volume: null }, 0);
    expect(at(close * 0.985)?.probability).toBeGreaterThan(1.3 * (at(close)?.probability ?? 1));
    expect(at(close)?.confidence).toBeCloseTo(100 * (1 - (at(close)?.probability ?? 0)), 9);
  });
});

describe('fit', () => {
  const fitted = (past: PastMarket, version: string, options?: FitOptions) =>
    inOneTurn(fitRiskModel(past, version, options));
  const whole = fitted(market(bars), 'test-1');

  it('fits a year only on outcomes that closed before it', () => {
    const cut = fitted(market(bars.filter((bar) => bar.date < '2014-01-01')), 'test-1');
    expect(cut.years.at(-1)?.year).toBe(2014);
    for (const year of cut.years) expect(year).toEqual(whole.years.find((row) => row.year === year.year));
  });

  it('writes the same file twice, with the hash of its prices', () => {
    expect(JSON.stringify(fitted(market(bars), 'test-1'))).toBe(JSON.stringify(whole));
    expect(new RiskModel(ParametersSchema.parse(whole)).version).toMatch(/^test-1\.[0-9a-f]{6}$/);
    expect(Object.keys(whole.fitted_on)).toEqual(['SPX']);
  });

  it('goes on after the years that are fitted, to the same model; years of other prices are fitted again', () => {
    const begun = { ...whole, years: whole.years.slice(0, -2) };
    const fittedNow: number[] = [];
    const onYear = ({ years }: Parameters): void => void fittedNow.push(years.length);
    expect(JSON.stringify(fitted(market(bars), 'test-1', { begun, onYear }))).toBe(JSON.stringify(whole));
    expect(fittedNow).toEqual([whole.years.length - 1, whole.years.length]);
    const other = { ...begun, fitted_on: { SPX: 'another' } };
    expect(fitted(market(bars), 'test-1', { begun: other, onYear })).toEqual(whole);
    expect(fittedNow).toHaveLength(2 + whole.years.length);
  });

  it('has another version when fitted on other prices under the same name', () => {
    const [first, second] = [bars, bars.slice(0, 4000)].map(
      (rows) => new RiskModel(fitted(market(rows), 'test-1')).version,
    );
    expect(first).not.toBe(second);
  });

  it('fails with a reason on too little data', () => {
    expect(() => fitted(market(bars.slice(0, 900)), 'x')).toThrow('too few bars');
  });
});
