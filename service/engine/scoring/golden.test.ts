// Service, engine, test: the scorer against reference vectors.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { sp500 } from '../../../test/fixtures/sp500.ts';
import { notRun, whyNoPrices } from '../../../test/harness/not-run.ts';
import { createEngine } from '../engine.ts';
import { BarHistory } from '../history.ts';
import { OutcomeTrack } from '../outcomes.ts';
import { ThresholdTrack, VOLATILITY_WINDOW } from '../threshold.ts';
import type { Bar } from '../types.ts';
import { DETECTOR_NAMES, detect } from './detectors.ts';
import { frameOf, missingBefore, windowsOf } from './frame.ts';
import { outcomesOf } from './reliability.ts';
import { ratiosOf, scoreEvents, signalsOf } from './score.ts';

/** Optional reference vectors in a folder beside this repository. */
const SHARED = join(dirname(fileURLToPath(import.meta.url)), '../../../../shared/data');
const GOLDEN = join(SHARED, 'golden.json');

const WindowSchema = z.object({
  lo: z.number(),
  hi: z.number(),
  events: z.number(),
  detected: z.number(),
  tp: z.number(),
  fp: z.number(),
  late: z.number(),
  unresolved: z.number(),
  n_signals: z.number(),
  alert_bars: z.number(),
  precision: z.number(),
  recall: z.number(),
  f1: z.number(),
});
const GoldenSchema = z.object({
  symbols: z.record(
    z.string(),
    z.object({
      file: z.string(),
      bars: z.number(),
      theta_last: z.number(),
      events: z.array(z.tuple([z.string(), z.string(), z.string()])),
      detectors: z.partialRecord(
        z.enum(DETECTOR_NAMES),
        z.object({
          full: WindowSchema,
          train: WindowSchema,
          holdout: WindowSchema,
          signals_first10: z.array(z.string()),
        }),
      ),
    }),
  ),
});

function barsOf(symbol: string, file: string): { date: string; close: number }[] {
  if (symbol === 'SPX2000') return sp500();
  const rows = readFileSync(join(SHARED, file), 'utf8').trim().split('\n').slice(1);
  return rows.map((row) => ({ date: row.split(',')[1] ?? '', close: Number(row.split(',')[5]) }));
}

const golden = existsSync(GOLDEN) ? GoldenSchema.parse(JSON.parse(readFileSync(GOLDEN, 'utf8'))).symbols : {};
const why = whyNoPrices(GOLDEN);
if (why !== null) it.skip(`reference vectors of the scorer${notRun(why)}`);

describe.each(Object.entries(golden))('scorer on %s', (symbol, expected) => {
  const bars = barsOf(symbol, expected.file);
  const frame = frameOf(Float64Array.from(bars, (bar) => bar.close));
  const dates = bars.map((bar) => bar.date);

  it('finds the reference events', () => {
    expect(bars).toHaveLength(expected.bars);
    expect(frame.thresholds.at(-1)).toBeCloseTo(expected.theta_last, 8);
    expect(frame.events.map((event) => [dates[event.peak], dates[event.first], dates[event.last]])).toEqual(
      expected.events,
    );
  });

  it.each(Object.keys(expected.detectors))('counts %s as the reference does', (name) => {
    const detector = z.enum(DETECTOR_NAMES).parse(name);
    const alerts = detect(detector, frame);
    const expectedDetector = expected.detectors[detector];
    expect(
      signalsOf(frame, alerts)
        .slice(0, 10)
        .map((t) => dates[t]),
    ).toEqual(expectedDetector?.signals_first10);
    for (const [label, window] of Object.entries(windowsOf(frame.n))) {
      const {
        signals,
        alertBars,
        bars: _bars,
        time: _time,
        leadBars: _lead,
        ...counts
      } = scoreEvents(frame, alerts, window);
      const ratios = ratiosOf(counts, counts.events);
      const six = (value: number): number => Math.round(value * 1e6) / 1e6;
      expect({
        lo: window.from,
        hi: window.to,
        ...counts,
        n_signals: signals,
        alert_bars: alertBars,
        precision: six(ratios.precision),
        recall: six(ratios.recall),
        f1: six(ratios.f1),
      }).toEqual(expectedDetector?.[label as 'full']);
    }
  });
});

describe('scorer on the S&P 500', () => {
  const bars: Bar[] = sp500();
  const frame = frameOf(Float64Array.from(bars, (bar) => bar.close));

  it('finds the well-known falls', () => {
    const breaches = frame.events.map((event) => bars[event.first]?.date);
    expect(breaches).toEqual(
      expect.arrayContaining(['2001-09-17', '2011-08-02', '2018-02-02', '2018-10-11', '2020-02-25']),
    );
  });

  it('equals the incremental engine to the last bit', () => {
    const engine = createEngine({ instruments: [{ symbol: 'SPX', assetClass: 'index' }] });
    for (const [t, bar] of bars.entries()) {
      const reading = engine.closeDay(bar.date, new Map([['SPX', bar]])).get('SPX');
      expect(reading?.drawdownFraction ?? 0).toBe(frame.drawdownFractions[t]);
    }
  });

  /** A week without bars every other month, and once 66 sessions, more than every span of an outcome. */
  const holed = bars.flatMap((bar, t): Bar[] => {
    if (t % 40 >= 33 || (t > 3000 && t <= 3066)) return [];
    return t === 3067 ? [{ ...bar, missing: 66 }] : t % 40 === 0 && t > 0 ? [{ ...bar, missing: 7 }] : [bar];
  });
  const holedFrame = frameOf(
    Float64Array.from(holed, (bar) => bar.close),
    missingBefore(holed),
  );

  it('equals the incremental engine to the last bit where sessions are missing', () => {
    const engine = createEngine({ instruments: [{ symbol: 'SPX', assetClass: 'index' }] });
    for (const [t, bar] of holed.entries()) {
      const reading = engine.closeDay(bar.date, new Map([['SPX', bar]])).get('SPX');
      expect(reading?.drawdownFraction ?? 0).toBe(holedFrame.drawdownFractions[t]);
    }
    expect(holedFrame.sessions.at(-1)).toBe(bars.findIndex(({ date }) => date === holed.at(-1)?.date));
  });

  it.each([
    ['with every session', bars, frame],
    ['with missing sessions', holed, holedFrame],
  ])('has the outcomes that the engine counts, %s', (_, rows, scored) => {
    const [track, history, outcomes] = [new ThresholdTrack(), new BarHistory(), new OutcomeTrack()];
    const found: (0 | 1 | null)[] = [];
    for (const bar of rows) {
      history.push(bar);
      const { close, missing = 0 } = bar;
      const drawdown = track.evaluate(close, history.deviations.back(0), missing);
      track.commit(close, drawdown, missing);
      for (const { event } of outcomes.commit(close, drawdown, missing))
        found.push(event === null ? null : event ? 1 : 0);
    }
    const expected = outcomesOf(scored).slice(VOLATILITY_WINDOW - 1, scored.lastResolved + 1);
    expect(found).toEqual(expected);
    expect(found.filter((event) => event === 1).length).toBeGreaterThan(200);
  });
});
