// Service, engine, test: the validation record and its chance baselines.
import { beforeAll, describe, expect, it } from 'vitest';
import { createRandom } from '../../../shared/lib/random.ts';
import { ValidationSchema } from '../../../shared/wire/validation.ts';
import { sp500 } from '../../../test/fixtures/sp500.ts';
import { inOneTurn } from '../../steps.ts';
import { createEngine } from '../engine.ts';
import { fitWithoutGroups } from '../fit-risk-model.ts';
import { RISK_INPUTS } from '../risk/first-passage.ts';
import type { Bar } from '../types.ts';
import { shiftAlerts, shuffleBars } from './chance-baselines.ts';
import { detect } from './detectors.ts';
import { frameOf, windowsOf } from './frame.ts';
import { type Forecast, outcomesOf, reliabilityOf } from './reliability.ts';
import { scoreEvents, signalsOf } from './score.ts';
import { type ValidationOptions, validation } from './validation.ts';
import type { PastMarket, Validation } from './validation-record.ts';

const bars = sp500();
const input = { assetClass: 'index', inputOnly: false } as const;
function marketOf(barsOf: (symbol: string) => readonly Bar[]): PastMarket {
  const instruments = [
    { symbol: 'SPX', ...input },
    { symbol: 'NEW', ...input },
    { symbol: 'VIX', assetClass: 'index' as const, inputOnly: true },
  ];
  return {
    instruments,
    bars: barsOf,
    *closedDays() {
      for (const [index, { date }] of barsOf('SPX').entries()) {
        const today = instruments.map(({ symbol }): [string, Bar | undefined] => [symbol, barsOf(symbol)[index]]);
        yield { date, bars: new Map(today.filter((entry): entry is [string, Bar] => entry[1] !== undefined)) };
      }
    },
  };
}
const market = marketOf((symbol) => (symbol === 'SPX' ? bars : bars.slice(0, symbol === 'NEW' ? 300 : 1000)));

function run(subject: PastMarket, options: ValidationOptions = {}): { record: Validation; steps: number[] } {
  const steps: number[] = [];
  const work = validation(subject, '2020-04-17T21:00:00.000Z', options);
  for (;;) {
    const step = work.next();
    if (step.done === true) return { record: step.value, steps };
    if (step.value !== undefined) steps.push(step.value.done);
  }
}

describe('validation', () => {
  let record: Validation;
  let steps: number[];
  beforeAll(() => {
    ({ record, steps } = run(market));
  });

  it('scores the symbols with enough history by the states of the engine', () => {
    const engine = createEngine({ instruments: market.instruments });
    const alerts: number[] = [];
    for (const day of market.closedDays(() => null, Number.POSITIVE_INFINITY)) {
      const state = engine.closeDay(day.date, day.bars).get('SPX')?.state;
      if (state !== undefined) alerts.push(state === 2 ? 1 : 0);
    }
    const frame = frameOf(Float64Array.from(bars, (bar) => bar.close));
    const { tp, fp, late, unresolved, events, signals } = scoreEvents(
      frame,
      Uint8Array.from(alerts),
      windowsOf(frame.n).full,
    );
    expect(record.symbols.map((row) => row.symbol)).toEqual(['SPX']);
    expect(record.provenance.too_short).toEqual(['NEW']);
    expect(record.provenance.pooled.full).toMatchObject({ tp, fp, late, unresolved, events, n_signals: signals });
    expect(record.symbols[0]?.full.precision).toBeCloseTo(tp / (tp + fp), 5);
  });

  it('compares the published chance of High Risk with what followed', () => {
    const engine = createEngine({ instruments: market.instruments });
    const frame = frameOf(Float64Array.from(bars, (bar) => bar.close));
    const [events, forecasts] = [outcomesOf(frame), [] as { said: number; was: number }[]];
    let t = -1;
    for (const day of market.closedDays(() => null, Number.POSITIVE_INFINITY)) {
      const reading = engine.closeDay(day.date, day.bars).get('SPX');
      t += 1;
      if (reading?.state !== 2 || reading.confidence === null || t < 504 || t > frame.lastResolved) continue;
      const fell = (frame.forwardLoss[t] ?? 0) <= -0.5 * (frame.thresholds[t] ?? 0);
      const was = reading.claim === 'event' ? events[t] : Number(fell);
      if (was != null) forecasts.push({ said: reading.confidence / 100, was });
    }
    const found = record.provenance.high_risk_reliability?.full;
    const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
    const said = (found?.bins ?? []).map(({ predicted, bars: count }) => predicted * count);
    expect(found?.bars).toBe(forecasts.length);
    expect(found?.base_rate).toBeCloseTo(mean(forecasts.map(({ was }) => was)), 9);
    expect(said.reduce((sum, value) => sum + value, 0) / forecasts.length).toBeCloseTo(
      mean(forecasts.map(({ said: one }) => one)),
      9,
    );
    expect(found?.calibration_interval).not.toBeNull();
  });

  it('scores groups of symbols by weights that were fitted without them', () => {
    const two = marketOf((symbol) => bars.slice(0, symbol === 'SPX' ? 2600 : symbol === 'NEW' ? 2400 : 1000));
    const { record: without } = run(two, { leftOut: [['SPX']] });
    expect(without.provenance.fitted).toMatchObject({ seen: [], left_out: [['SPX']] });
    expect(without.symbols.map((row) => row.symbol)).toEqual(['SPX']);
    const model = inOneTurn(fitWithoutGroups(two, [['SPX']])).get('SPX') ?? expect.fail('no model');
    const { record: byModel } = run(two, { model });
    expect(without.symbols[0]).toEqual(byModel.symbols.find(({ symbol }) => symbol === 'SPX'));
    expect(without.provenance.reliability.full).not.toBeNull();
    expect(model.source.years.at(-1)?.own.rows).toBeLessThan(800);
  });

  it('gives the counts of the reference for a named rule', () => {
    expect(record.provenance.baselines.dd_scaled?.full).toMatchObject({
      tp: 25,
      fp: 57,
      late: 18,
      unresolved: 0,
      n_signals: 100,
    });
  });

  it('has the hashes of the fitted prices, and the symbols with the same prices', () => {
    const { fitted } = record.provenance;
    expect(record.provenance.model_version).toContain(`+${fitted.version}.`);
    expect(fitted.inputs).toHaveLength(RISK_INPUTS.length);
    expect(fitted.years.length).toBeGreaterThan(20);
    expect(Object.keys(fitted.prices)).toContain('SPY');
    expect(fitted.seen).toEqual([]);
    // The fit had an SPX, with rows that this one has not.
    expect(record.provenance.notes).toContain(
      'no series here is the same as in the fit, which had earlier prices of symbols of these names: SPX (`fitted`).',
    );
    expect(record.provenance.notes).not.toContain('none of these');
  });

  it('reports progress that only grows, and gives the same record twice', () => {
    expect(steps.length).toBeGreaterThan(10);
    expect(steps).toEqual([...steps].sort((a, b) => a - b));
    expect(run(market).record).toEqual(record);
  });

  it('names its data by a hash', { tags: ['long'] }, () => {
    const other = marketOf((symbol) => market.bars(symbol).map((bar) => ({ ...bar, close: bar.close * (1 + 1e-9) })));
    expect(run(other).record.provenance.data_hash).not.toBe(record.provenance.data_hash);
  });

  it('finds no skill by the strict metric on shuffled days', () => {
    const { shuffled } = record.provenance.nulls;
    expect(shuffled.full.strict.day_lift).toBeGreaterThan(0.6);
    expect(shuffled.full.strict.day_lift).toBeLessThan(1.4);
    expect(record.provenance.pooled.full.strict.day_lift).toBeGreaterThan(1.3);
  });

  it('is a valid record even for years without events', () => {
    const saw = bars.slice(-2000).map((bar, t) => {
      const close = (t % 2 === 0 ? 100 : 101) * 0.97 ** Math.min(10, Math.max(0, t - 1800));
      return { ...bar, open: close, high: close, low: close, close };
    });
    const calm = run(marketOf((symbol) => (symbol === 'SPX' ? saw : []))).record;
    expect(calm.provenance.pooled.full.events).toBe(1);
    expect(calm.provenance.uncertainty?.full?.years).toBeGreaterThan(3);
    expect(() => ValidationSchema.parse(calm)).not.toThrow();
  });

  it('is empty for a market without a symbol that has enough history', () => {
    const short = run(marketOf((symbol) => market.bars(symbol).slice(0, 3))).record;
    expect(short.symbols).toEqual([]);
    expect(short.provenance.pooled.full).toMatchObject({ precision: 0, recall: 0, f1: 0, lead_bars: null });
    expect(short.provenance.reliability.full).toBeNull();
  });
});

describe('chance baselines', () => {
  it('shuffles bars completely: same returns, same shapes, other order', () => {
    const shuffled = shuffleBars(bars, createRandom(1));
    const returns = (rows: readonly Bar[]): number[] =>
      rows
        .slice(1)
        .map((bar, index) => Math.log(bar.close / (rows[index] as Bar).close))
        .sort((a, b) => a - b);
    expect(shuffled.map((bar) => bar.date)).toEqual(bars.map((bar) => bar.date));
    expect(shuffled.slice(0, 50)).not.toEqual(bars.slice(0, 50));
    const shuffledReturns = returns(shuffled);
    expect(
      Math.max(...returns(bars).map((value, index) => Math.abs(value - (shuffledReturns[index] ?? 1)))),
    ).toBeLessThan(1e-9);
    expect(shuffled.at(-1)?.close).toBeCloseTo(bars.at(-1)?.close ?? 0, 4);
  });

  it('shifts alerts within a window and leaves the rest unchanged', () => {
    const frame = frameOf(Float64Array.from(bars, (bar) => bar.close));
    const alerts = detect('dd_tuned', frame);
    const window = windowsOf(frame.n).holdout;
    const shifted = shiftAlerts(alerts, window, createRandom(3));
    const count = (series: Uint8Array | null): number => series?.reduce((sum, value) => sum + value, 0) ?? -1;
    expect(count(shifted)).toBe(count(alerts));
    expect(shifted?.slice(0, window.from)).toEqual(alerts.slice(0, window.from));
    expect(signalsOf(frame, shifted ?? alerts)).not.toEqual(signalsOf(frame, alerts));
    expect(shiftAlerts(alerts, { from: 0, to: 30 }, createRandom(3))).toBeNull();
  });
});

describe('reliability', () => {
  it('has intervals from resampled symbols and years, none with too few years', () => {
    const random = createRandom(9);
    /** Years of a market: in each all forecasts are right to the same degree. */
    const series = Array.from({ length: 4 }, () => {
      const years = Array.from({ length: 12 }, (_, year): [number, Forecast[]] => {
        const share = year % 3 === 0 ? 0.6 : 0.2;
        const forecasts = Array.from(
          { length: 60 },
          (_, k): Forecast => ({
            predicted: 0.2 + (0.3 * k) / 60,
            observed: random() < share ? 1 : 0,
          }),
        );
        return [2000 + year, forecasts];
      });
      return new Map(years);
    });
    const found = reliabilityOf(series, 7);
    expect(found?.bins).toHaveLength(10);
    for (const { observed, interval } of found?.bins ?? []) {
      expect(interval?.low).toBeLessThan(observed);
      expect(interval?.high).toBeGreaterThan(observed);
      // Independent days would be certain within .05; the years are what is uncertain.
      expect((interval?.high ?? 0) - (interval?.low ?? 0)).toBeGreaterThan(0.12);
    }
    expect(found?.calibration_interval?.high).toBeGreaterThan(found?.calibration_error ?? 1);
    expect(found?.calibration_interval?.low).toBeLessThan(found?.calibration_error ?? 0);
    expect(reliabilityOf(series, 7)).toEqual(found);
    const short = reliabilityOf(
      series.map((years) => new Map([...years].slice(0, 2))),
      7,
    );
    expect([short?.calibration_interval, short?.bins[0]?.interval]).toEqual([null, null]);
  });

  it('is perfect for calibrated forecasts and bad for overconfident ones', () => {
    const random = createRandom(5);
    const rows = Array.from({ length: 20_000 }, () => {
      const predicted = random() * 0.5;
      return { predicted, observed: random() < predicted ? (1 as const) : (0 as const) };
    });
    const oneYear = (forecasts: typeof rows) => reliabilityOf([new Map([[2020, forecasts]])], 7);
    const honest = oneYear(rows);
    expect(honest?.calibration_error).toBeLessThan(0.02);
    expect(honest?.brier_skill).toBeGreaterThan(0.08);
    const boastful = oneYear(rows.map((row) => ({ ...row, predicted: Math.min(1, 2 * row.predicted) })));
    expect(boastful?.calibration_error).toBeGreaterThan(0.2);
    expect(reliabilityOf([], 7)).toBeNull();
  });
});
