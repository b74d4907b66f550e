// Service, engine, test: logistic regression, risk model and its fit.
import { describe, expect, it } from 'vitest';
import { FACTOR_CODES } from '../../../shared/domain/factors.ts';
import { sp500 } from '../../../test/fixtures/sp500.ts';
import { createEngine } from '../engine.ts';
import { fitRiskModel } from '../fit-risk-model.ts';
import { createRandom } from '../scoring/chance-baselines.ts';
import type { PastMarket } from '../scoring/validation-record.ts';
import type { Bar } from '../types.ts';
import { RISK_INPUTS, TIERS } from './inputs.ts';
import { fitLogistic, sigmoid } from './logistic.ts';
import { ParametersSchema, RiskModel, riskContributions, riskProbability, vectorFor } from './model.ts';
import { RISK_MODEL } from './parameters.ts';

const bars = sp500();
const market = (rows: readonly Bar[]): PastMarket => ({
  instruments: [{ symbol: 'SPX', assetClass: 'index', inputOnly: false }],
  bars: () => rows,
  *closedDays() {
    for (const bar of rows) yield { date: bar.date, bars: new Map([['SPX', bar]]) };
  },
});

describe('logistic regression', () => {
  const random = createRandom(8);
  const n = 20_000;
  const inputs = Float64Array.from({ length: 2 * n }, () => 4 * random() - 2);
  const outcomes = Uint8Array.from({ length: n }, (_, i) =>
    random() < sigmoid(-1 + 0.8 * (inputs[2 * i] ?? 0) - 0.5 * (inputs[2 * i + 1] ?? 0)) ? 1 : 0,
  );

  it('recovers the weights that generated the sample; the ridge shrinks them to zero', () => {
    const fit = fitLogistic({ width: 2, inputs, outcomes, ridge: 0 });
    expect(fit.bias).toBeCloseTo(-1, 1);
    expect(fit.weights[0]).toBeCloseTo(0.8, 1);
    expect(fit.weights[1]).toBeCloseTo(-0.5, 1);
    const penalized = fitLogistic({ width: 2, inputs, outcomes, ridge: 1e6 });
    expect(Math.abs(penalized.weights[0] ?? 1)).toBeLessThan(0.01);
    expect(sigmoid(penalized.bias)).toBeCloseTo(outcomes.reduce((sum, value) => sum + value, 0) / n, 2);
  });

  it('needs both outcomes', () => {
    expect(() => fitLogistic({ width: 2, inputs, outcomes: new Uint8Array(n), ridge: 1 })).toThrow('both outcomes');
  });
});

describe('risk model', () => {
  const parameters = RISK_MODEL.parameters('2020-02-21');
  const vector = parameters?.market ?? null;

  it('uses the vector of the year, the latest beyond it, none before the first', () => {
    expect(parameters?.year).toBe(2020);
    expect(RISK_MODEL.parameters('2999-01-01')?.year).toBeGreaterThan(2020);
    expect(RISK_MODEL.parameters('1989-12-31')).toBeNull();
  });

  it('treats a missing input as a usual one', () => {
    if (vector === null) throw new Error('no vector');
    const none = new Float64Array(RISK_INPUTS.length).fill(Number.NaN);
    expect(riskProbability(vector, none)).toBeCloseTo(sigmoid(vector.bias), 12);
    expect(riskProbability(vector, Float64Array.from(vector.means))).toBeCloseTo(sigmoid(vector.bias), 12);
    expect(Object.values(riskContributions(vector, none)).every((share) => share === 0)).toBe(true);
  });

  it('uses as many inputs as are known: all, with the other symbols, or its own', () => {
    if (parameters === null) throw new Error('no parameters');
    const inputs = Float64Array.of(1, 2, -2, -1, 0.9, 0.9, 0.8, 0.3);
    expect(vectorFor(parameters, inputs)).toBe(parameters.market);
    expect(vectorFor(parameters, inputs.with(6, Number.NaN))).toBe(parameters.fellows);
    expect(vectorFor(parameters, inputs.with(4, Number.NaN))).toBe(parameters.own);
    expect(parameters.own.weights.slice(TIERS.own)).toEqual([0, 0, 0, 0]);
    expect(parameters.fellows?.weights.slice(TIERS.fellows)).toEqual([0, 0, 0]);
    expect(parameters.fellows?.weights[4]).toBeGreaterThan(0);
  });

  it('gives contributions whose absolute values sum to 1', () => {
    if (vector === null) throw new Error('no vector');
    const shares = riskContributions(vector, Float64Array.of(1, 2, -2, -1, 0.9, 0.9, 0.8, 0.3));
    expect(FACTOR_CODES.reduce((sum, code) => sum + Math.abs(shares[code] ?? 0), 0)).toBeCloseTo(1, 12);
    expect(shares['D-12']).toBeGreaterThan(0.2);
    expect(shares['D-01']).toBe(0);
  });

  it('refuses a parameter file with a missing weight', () => {
    const file = {
      version: 'x',
      inputs: [],
      ridge: 1,
      every_nth_bar: 3,
      fitted_on: {},
      years: [{ ...parameters, own: { ...vector, weights: [1] } }],
    };
    expect(ParametersSchema.safeParse(file).success).toBe(false);
  });

  it('rises as a price falls', () => {
    const engine = createEngine({ instruments: [{ symbol: 'SPX', assetClass: 'index' }] });
    for (const bar of bars.slice(0, 4400)) engine.closeDay(bar.date, new Map([['SPX', bar]]));
    const close = engine.last('SPX')?.close ?? 0;
    const at = (price: number) =>
      engine.peek('SPX', { date: '2017-08-01', open: price, high: price, low: price, close: price, volume: null }, 0);
    expect(at(close * 0.95)?.probability).toBeGreaterThan(1.3 * (at(close)?.probability ?? 1));
    expect(at(close)?.confidence).toBeCloseTo(100 * (1 - (at(close)?.probability ?? 0)), 9);
  });
});

describe('fit', () => {
  const whole = fitRiskModel(market(bars), 'test-1');

  it('fits a year only on outcomes that closed before it', () => {
    const cut = fitRiskModel(market(bars.filter((bar) => bar.date < '2014-01-01')), 'test-1');
    expect(cut.years.at(-1)?.year).toBe(2014);
    for (const year of cut.years) expect(year).toEqual(whole.years.find((row) => row.year === year.year));
  });

  it('writes the same file twice, with the hash of its prices', () => {
    expect(JSON.stringify(fitRiskModel(market(bars), 'test-1'))).toBe(JSON.stringify(whole));
    expect(new RiskModel(ParametersSchema.parse(whole)).version).toMatch(/^test-1\.[0-9a-f]{6}$/);
    expect(Object.keys(whole.fitted_on)).toEqual(['SPX']);
  });

  it('has another version when fitted on other prices, whatever its name', () => {
    const [first, second] = [bars, bars.slice(0, 4000)].map(
      (rows) => new RiskModel(fitRiskModel(market(rows), 'test-1')).version,
    );
    expect(first).not.toBe(second);
  });

  it('fails with a reason on too little data', () => {
    expect(() => fitRiskModel(market(bars.slice(0, 900)), 'x')).toThrow('too few bars');
  });
});
