// Test: the chart by hour, and the timeline as a file.
import { describe, expect, it } from 'vitest';
import { iso, T0, transition } from '../../../test/fixtures/window-fixtures.ts';
import { fineChart, regimeChart } from '../../charts/fine-model.ts';
import type { ChartModel } from '../../charts/model.ts';
import { timelineCsv, timelineFile } from './timeline-file.ts';

const HOUR = 3_600_000;
const M0 = Math.floor(T0 / HOUR) * HOUR;
const base: ChartModel = {
  symbol: 'SPY',
  resolution: 'day',
  points: [
    { ms: M0 - 24 * HOUR, price: 500, state: 0, regime: 'stress', confidence: 93 },
    { ms: M0 + 10 * 60_000, price: 510, state: 2, regime: 'stress', confidence: 36 },
  ],
  bands: [
    { state: 0, from: M0 - 24 * HOUR, to: M0 - HOUR },
    { state: 2, from: M0 - HOUR, to: M0 + 12 * HOUR },
  ],
  regimes: [],
  stateChanges: [{ at: M0 - HOUR, from: 0, to: 2, transition: transition('SPY', 0, 2, M0 - HOUR, 'evt_1') }],
  gaps: [{ from: M0 - 3 * HOUR, to: M0 - 2 * HOUR, cause: '=cmd()' }],
};
const series = {
  granularity: 'hour',
  from: M0 - 4 * HOUR,
  to: M0,
  points: [-3, -2, -1, 0].map((hours) => ({
    at: iso(M0 + hours * HOUR),
    regime: hours < -1 ? 'stress' : 'calm_uptrend',
    confidence: null,
  })),
} as const;

describe('the chart by hour', () => {
  const fine = fineChart(base, series, 'always');
  it('has a price at each session close, and none between', () => {
    expect(fine.points.map((point) => [(point.ms - M0) / HOUR, point.price, point.state])).toEqual([
      [-3, null, 0],
      [-2, null, 0],
      [-1, null, 2],
      [0, null, 2],
      [1, 510, 2],
    ]);
  });
  it('merges equal regimes and keeps bands, transitions and gaps of the day chart', () => {
    expect(fine.regimes.slice(0, 2).map((band) => band.regime)).toEqual(['stress', 'calm_uptrend']);
    expect([fine.stateChanges, fine.bands, fine.gaps]).toEqual([base.stateChanges, base.bands, base.gaps]);
  });
  it('of a symbol with regimes alone claims neither price nor state', () => {
    const { points, bands } = regimeChart('BTC', series, [], null, 0);
    expect(points.map(({ price, state }) => [price, state])).toEqual(series.points.map(() => [null, null]));
    expect(bands).toEqual([]);
  });
});

describe('the timeline as a file', () => {
  const file = timelineFile(base, { from: M0 - 4 * HOUR, to: M0 + HOUR }, 'sandbox');
  it('holds the shown range and names its source', () => {
    expect(file).toMatchObject({ symbol: 'SPY', environment: 'sandbox', granularity: 'day', from: iso(M0 - 4 * HOUR) });
    expect(file.points.map((point) => point.price)).toEqual([510]);
    expect(file.transitions).toEqual([
      {
        time: iso(M0 - HOUR),
        from: 'normal',
        to: 'high_risk',
        state_confidence_percent: 36.4,
        regime: 'stress',
        regime_confidence_percent: null,
        event_id: 'evt_1',
      },
    ]);
  });
  it('never writes the confidence of a regime beside a state', () => {
    const sure = { ...series, points: series.points.map((point) => ({ ...point, confidence: 81 })) };
    const hours = timelineFile(fineChart(base, sure, 'always'), { from: M0 - 2 * HOUR, to: M0 + HOUR }, 'sandbox');
    const confidences = hours.points.map((one) => [one.state_confidence_percent, one.regime_confidence_percent]);
    expect(confidences).toEqual([
      [null, 81],
      [null, 81],
      [null, 81],
      [36, null],
    ]);
    // The regime of the change is not that of the hour.
    expect(hours.transitions[0]).toMatchObject({ state_confidence_percent: 36.4, regime_confidence_percent: null });
    const stress = { ...sure, points: sure.points.map((point) => ({ ...point, regime: 'stress' })) };
    const same = timelineFile(fineChart(base, stress, 'always'), { from: M0 - 2 * HOUR, to: M0 }, 'sandbox');
    expect(same.transitions[0]).toMatchObject({ state_confidence_percent: 36.4, regime_confidence_percent: 81 });
    const [head = '', ...lines] = timelineCsv(hours).split('\n');
    const cell = (name: string, line: string | undefined) => line?.split(',')[head.split(',').indexOf(name)];
    expect(lines.map((line) => cell('regime_confidence_percent', line)).slice(0, 4)).toEqual(['81', '81', '81', '']);
    expect(cell('state_confidence_percent', lines[3])).toBe('36');
  });
  it('has the notes of its range', () => {
    const notes = [
      { kind: 'symbol', id: 1, at: M0 - 5 * HOUR, text: 'too early' },
      { kind: 'symbol', id: 2, at: M0 - 2 * HOUR, text: '=Sold, half' },
      { kind: 'alert', ledgerId: 3, at: M0 - HOUR, text: 'expected' },
    ] as const;
    const noted = timelineFile({ ...base, notes }, { from: M0 - 4 * HOUR, to: M0 + HOUR }, 'sandbox');
    expect(noted.notes).toEqual([
      { time: iso(M0 - 2 * HOUR), note: '=Sold, half' },
      { time: iso(M0 - HOUR), note: 'expected' },
    ]);
    const lines = timelineCsv(noted).trim().split('\n');
    expect(lines.at(-2)).toBe(`note,SPY,${iso(M0 - 2 * HOUR)},,,,,,,,,,,,,"'=Sold, half"`);
  });
  it('is one table, without a cell that a spreadsheet would compute', () => {
    const lines = timelineCsv(file).trim().split('\n');
    expect(lines.map((line) => line.split(',')[0])).toEqual(['kind', 'point', 'transition', 'gap']);
    expect(lines.at(-1)).toContain("'=cmd()");
    expect(lines[1]).toBe(`point,SPY,${iso(M0 + 10 * 60_000)},,510,,,,,high_risk,36,,stress,,,`);
  });
});
