// Service, engine, test: alerts within the day, counted by hand on a made market.
import { describe, expect, it } from 'vitest';
import { frameOf, HOLD_OUT, WARM } from './frame.ts';
import { type LiveAlert, LiveSeries, liveWindows } from './live.ts';
import { liveValidation } from './live-validation.ts';

const BARS = 800;
/** First close of the fall; it lasts two closes. */
const FALL = 620;
/**
 * Closes go up and down by 1 %, so that the threshold is 6.9 %. Two of them are at 93: the one event, first
 * and last breach at 620 and 621.
 */
const closes = Float64Array.from({ length: BARS }, (_, t) =>
  t === FALL || t === FALL + 1 ? 93 : t % 2 === 0 ? 100 : 101,
);
const frame = frameOf(closes);
const windows = liveWindows(WARM, BARS - 1, HOLD_OUT);

/** Alerts as [session, price]; `atClose`: at the close of the session. */
function scored(alerts: readonly (readonly [session: number, price: number, atClose?: boolean])[]): LiveSeries {
  const series = new LiveSeries(frame, windows);
  for (const [session, price, atClose = false] of alerts) {
    const within = atClose ? null : { minutes: 20, heldToClose: session % 2 === 0 };
    const alert: LiveAlert = { session, after: atClose ? session : session - 1, price, within };
    if (series.needs(session)) series.take(alert);
  }
  return series;
}
const countsOf = (...alerts: Parameters<typeof scored>[0]) => scored(alerts).counts('full');

describe('alerts within the day', () => {
  it('the market of these alerts has one event', () => {
    expect(frame.events).toMatchObject([{ first: FALL, last: FALL + 1 }]);
    expect(frame.thresholds[FALL - 1]).toBeCloseTo(0.0688, 3);
  });

  it.each([
    ['ten sessions before, with 7 % ahead', [FALL - 10, 100], { tp: 1, detected: 1, leadBars: 11, strictTp: 1 }],
    ['on the day of the breach, before it', [FALL, 101], { tp: 1, detected: 1, leadBars: 1, strictTp: 1 }],
    ['21 sessions before, at the close', [FALL - 21, 101, true], { tp: 1, detected: 1, leadBars: 21 }],
    ['21 sessions before, within the session: the breach is the 22nd close', [FALL - 21, 101], { fp: 1, detected: 0 }],
    ['half of the fall ahead, and not the whole', [FALL - 10, 97], { tp: 1, strictTp: 0, strictFp: 1 }],
    ['too little ahead', [FALL - 10, 95], { fp: 1, detected: 0 }],
    ['on the day of the breach, most of it gone', [FALL, 95], { late: 1, detected: 0 }],
    ['after the breach', [FALL + 1, 94], { late: 1 }],
    ['after the last breach', [FALL + 2, 94], { fp: 1 }],
    ['without an event', [FALL - 60, 100], { fp: 1, detected: 0 }],
    ['21 closes before the end', [BARS - 21, 100], { fp: 1, unresolved: 0 }],
    ['20 closes before the end', [BARS - 20, 100], { fp: 0, unresolved: 1, strictFp: 0 }],
  ] as const)('%s', (_, alert, counts) => {
    expect(countsOf(alert)).toMatchObject({ signals: 1, events: 1, ...counts });
  });

  it('one alert in 21 sessions counts as a signal', () => {
    expect(countsOf([FALL - 60, 100], [FALL - 59, 100], [FALL - 40, 100], [FALL - 39, 100]).signals).toBe(2);
  });

  it('an alert that is not a signal may still announce the event', () => {
    expect(countsOf([FALL - 22, 100], [FALL - 5, 100])).toMatchObject({ signals: 1, tp: 0, fp: 1, detected: 1 });
  });

  it('a session is needed for a signal, or for an event without an announcing alert', () => {
    const series = scored([[FALL - 22, 100]]);
    expect([FALL - 22, FALL - 21, FALL, FALL - 2].map((session) => series.needs(session))).toEqual([
      false,
      true,
      true,
      true,
    ]);
    series.take({ session: FALL - 10, after: FALL - 11, price: 100, within: null });
    expect(series.needs(FALL - 9)).toBe(false);
    expect(series.needs(FALL - 1)).toBe(true);
    expect(series.needs(WARM - 1)).toBe(false);
  });

  it('only alerts of the hold-out announce an event of the hold-out', () => {
    const from = FALL - 3;
    const series = new LiveSeries(frame, { ...windows, holdout: { from, to: BARS - 1 } });
    series.take({ session: from - 1, after: from - 2, price: 100, within: null });
    expect(series.needs(from)).toBe(true);
    expect([series.counts('full').detected, series.counts('holdout').detected]).toEqual([1, 0]);
    series.take({ session: from, after: from - 1, price: 100, within: null });
    expect(series.needs(from + 1)).toBe(false);
    expect(series.counts('holdout')).toMatchObject({ detected: 1, signals: 0 });
  });

  it('a signal at every session has the score of chance', () => {
    const series = scored(
      Array.from({ length: BARS - WARM }, (_, index) => [WARM + index, closes[WARM + index - 1] ?? 0]),
    );
    const { tp, fp, signals } = series.counts('full');
    const shifted = series.shifted('full', 12, 7);
    expect(signals).toBe(Math.ceil((BARS - WARM) / 21));
    expect(tp).toBe(1);
    expect(shifted.tp / (shifted.tp + shifted.fp)).toBeCloseTo(tp / (tp + fp), 1);
    expect(series.shifted('full', 12, 7)).toEqual(shifted);
  });
});

describe('the record', () => {
  const record = liveValidation(
    new Map([
      [
        'A',
        scored([
          [FALL - 10, 100],
          [FALL + 40, 100],
          [FALL + 81, 100],
          [FALL + 110, 100, true],
        ]),
      ],
    ]),
    (_, bar) => `bar ${bar}`,
  );

  it('the record adds up the counts of its symbols', () => {
    expect(record?.symbols).toMatchObject([
      { symbol: 'A', full: { tp: 1, fp: 3, events: 1, recall: 1, precision: 0.25 } },
    ]);
    expect(record?.pooled.full).toMatchObject({
      n_signals: 4,
      precision: 0.25,
      f1: 0.4,
      lead_bars: 11,
      strict_precision: 0.25,
    });
    expect(record?.pooled.full).toMatchObject({ within_day: 3, median_minutes: 20, held_to_close: 2 });
    expect(record?.pooled.full.false_alarms_a_year).toBeCloseTo(3 / ((BARS - WARM) / 252), 5);
    expect(record?.windows).toEqual([{ symbol: 'A', from: `bar ${WARM}`, holdout_from: 'bar 711', to: 'bar 799' }]);
    expect(record?.notes).toContain('belong to alerts within the day');
  });

  it('the record has null for shares of zero', () => {
    const empty = liveValidation(new Map([['A', scored([])]]), () => '');
    expect(empty?.pooled.holdout).toMatchObject({
      precision: 0,
      strict_precision: null,
      chance: { precision: null, strict_precision: null },
      median_minutes: null,
      lead_bars: null,
    });
    expect(liveValidation(new Map(), () => '')).toBeNull();
  });
});
