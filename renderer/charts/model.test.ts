// Test: building a chart's points, states, gaps and regimes.

import { describe, expect, it } from 'vitest';
import type { Timeline } from '../../shared/channels/queries.ts';
import type { Gap } from '../../shared/channels/state.ts';
import type { State } from '../../shared/domain/states.ts';
import { plainMessage } from '../../shared/text/message.ts';
import { iso, row, signal, transition } from '../../test/fixtures/window-fixtures.ts';
import { dayOf, sessionMs, shapeChart } from './model.ts';
import { stepTo } from './stepping.ts';

const DAY = 86_400_000;
const D0 = Date.parse('2026-11-10T00:00:00.000Z');
const close = (day: number): number => D0 + day * DAY;
const timeline = (
  states: readonly State[],
  transitions: Timeline['transitions'] = [],
  regimes: readonly (string | null)[] = [],
): Timeline => ({
  symbol: 'SPY',
  points: states.map((state, index) => ({
    at: iso(close(index)),
    price: 500 + index,
    state,
    regime: regimes[index] ?? null,
    confidence: null,
  })),
  transitions,
});
/** The end of the bands: half a day after the last close, ms. */
const END = close(3) + DAY / 2;
const quiet = { row: null, transitions: [], gaps: [], outageSince: null, now: close(3) };

describe('session days', () => {
  it('a close at midnight belongs to the day that it ends', () => {
    expect(iso(sessionMs(D0))).toBe('2026-11-09T00:00:00.000Z');
    expect(dayOf(D0) + 1).toBe(dayOf(D0 + 1));
  });
});

describe('prices that do not count', () => {
  const holes = [{ from: iso(close(0)), to: iso(close(1)), reason: 'a split' }];
  it('are a gap in the picture, and none of the states', () => {
    const model = shapeChart({ ...timeline([0, 1, 1]), holes }, quiet);
    expect(model.gaps).toEqual([{ from: close(0), to: close(1), cause: 'a split', ofPrices: true }]);
    expect(model.bands).toEqual(shapeChart(timeline([0, 1, 1]), quiet).bands);
  });
});

describe('the forming day', () => {
  const live = (ms: number) => row('SPY', 1, { signal: signal('SPY', 1, { price: 777, updated_at: iso(ms) }) });
  it('is replaced by the live price of the same day', () => {
    const model = shapeChart(timeline([0, 0, 0]), { ...quiet, row: live(close(2) - 1000) });
    expect(model.points.map((point) => point.price)).toEqual([500, 501, 777]);
  });
  it('is added when the live price is of a new day', () => {
    const model = shapeChart(timeline([0, 0, 0]), { ...quiet, row: live(close(2) + 1000) });
    expect(model.points.map((point) => point.price)).toEqual([500, 501, 502, 777]);
  });
  it('has the range of its day as long as no newer price is known', () => {
    const read = timeline([0, 0, 0]);
    const traded = { open: 499, high: 505, low: 498, volume: 1_000 };
    const points = read.points.map((point) => ({ ...point, ...traded }));
    const ranges = (ms: number) =>
      shapeChart({ ...read, points }, { ...quiet, row: live(ms) }).points.map(({ range, volume }) => [range, volume]);
    const known = [{ open: 499, high: 505, low: 498 }, 1_000];
    expect(ranges(close(2))).toEqual([known, known, known]);
    expect(ranges(close(2) + 1000)).toEqual([known, known, known, [undefined, undefined]]);
    expect(shapeChart(read, quiet).points[0]).not.toHaveProperty('range');
  });
  it('stays as read where prices ended: the signal has that day without its confidence', () => {
    const old = row('SPY', 1, {
      signal: signal('SPY', 1, { data_health: 'stale', confidence: null, updated_at: iso(close(2)) }),
    });
    const read = timeline([0, 0, 1]);
    const points = read.points.map((point) => ({ ...point, confidence: 27.6 }));
    const model = shapeChart({ ...read, points }, { ...quiet, row: old });
    expect(model.points.map(({ price, confidence }) => [price, confidence]).at(-1)).toEqual([502, 27.6]);
  });
  it('is that of the live price, also where the history was read later', () => {
    const prices = (ms: number) =>
      shapeChart(timeline([0, 0, 0]), { ...quiet, row: live(ms) }).points.map(({ price }) => price);
    expect(prices(close(1) - 1000)).toEqual([500, 777]);
    // A row older than all of the history says nothing about it.
    expect(prices(close(0) - 40 * DAY)).toEqual([500, 501, 502]);
  });
});

describe('states', () => {
  it('change at a transition, and by the day before the first transition', () => {
    const recorded = transition('SPY', 1, 2, close(2) - DAY / 2);
    const model = shapeChart(timeline([0, 1, 2], [recorded]), quiet);
    expect(model.stateChanges.map(({ at, to, transition: by }) => [at, to, by?.event_id ?? null])).toEqual([
      [close(1), 1, null],
      [close(2) - DAY / 2, 2, recorded.event_id],
    ]);
    expect(model.bands).toEqual([
      { state: 0, from: close(0), to: close(1) },
      { state: 1, from: close(1), to: close(2) - DAY / 2 },
      { state: 2, from: close(2) - DAY / 2, to: END },
    ]);
  });
  it('take a later transition once, and none of another symbol', () => {
    const recorded = transition('SPY', 0, 2, close(2) - 5);
    const model = shapeChart(timeline([0, 0, 0], [recorded]), {
      ...quiet,
      transitions: [recorded, transition('QQQ', 0, 2, close(2) - 9)],
    });
    expect(model.stateChanges).toHaveLength(1);
  });
  it('do not run through an open gap; a closed one is not drawn', () => {
    const gap = (id: number, closed: boolean): Gap => ({
      id,
      from: iso(close(1)),
      to: iso(close(2)),
      cause: plainMessage('Down.'),
      closed,
      filled: 0,
      lost: false,
    });
    expect(shapeChart(timeline([1, 1, 1]), { ...quiet, gaps: [gap(1, false)] }).bands).toEqual([
      { state: 1, from: close(0), to: close(1) },
      { state: 1, from: close(2), to: END },
    ]);
    expect(shapeChart(timeline([1, 1, 1]), { ...quiet, gaps: [gap(1, true)] }).gaps).toEqual([]);
  });
});

describe('the current gap', () => {
  it('is drawn once while the connection is lost', () => {
    const duringOutage = shapeChart(timeline([1, 1, 1]), { ...quiet, outageSince: close(2) });
    expect(duringOutage.gaps).toEqual([{ from: close(2), to: null, cause: '' }]);
    expect(duringOutage.bands).toEqual([{ state: 1, from: close(0), to: close(2) }]);
    const recorded: Gap = {
      id: 1,
      from: iso(close(1)),
      to: null,
      cause: plainMessage('Down.'),
      closed: false,
      filled: 0,
      lost: false,
    };
    expect(shapeChart(timeline([1, 1, 1]), { ...quiet, gaps: [recorded], outageSince: close(2) }).gaps).toHaveLength(1);
  });
});

describe('regimes', () => {
  it('merge from day to day and end where none is known', () => {
    const model = shapeChart(timeline([0, 0, 0], [], ['stress', 'stress', null]), quiet);
    expect(model.regimes).toEqual([{ regime: 'stress', from: close(0), to: close(2) }]);
  });
});

describe('steps along the chart', () => {
  const model = shapeChart(timeline([0, 1, 1, 0]), { ...quiet, now: close(4) });
  it('go by day and end at the first and last point', () => {
    expect([
      stepTo(model, 0, 'ArrowLeft', false),
      stepTo(model, 0, 'ArrowRight', false),
      stepTo(model, 3, 'ArrowRight', false),
    ]).toEqual([0, 1, 3]);
  });
  it('go by transition with Shift', () => {
    expect([
      stepTo(model, 0, 'ArrowRight', true),
      stepTo(model, 1, 'ArrowRight', true),
      stepTo(model, 3, 'ArrowLeft', true),
    ]).toEqual([1, 3, 1]);
  });
  it('leave other keys alone', () => {
    expect([stepTo(model, 0, 'j', false), stepTo(model, 0, 'End', false)]).toEqual([null, 3]);
  });
});
