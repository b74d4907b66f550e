// Test: positions of boxes, gaps and markers on a chart.
import { describe, expect, it } from 'vitest';
import type { State } from '../../shared/domain/states.ts';
import { transition } from '../../test/fixtures/window-fixtures.ts';
import {
  BLIP,
  gapBoxes,
  nearestStateChange,
  notesAt,
  placeNotes,
  placeStateChanges,
  ribbonBoxes,
  stripBoxes,
  timeIndex,
} from './geometry.ts';

const same = (ms: number): number => ms;
const band = (state: State, from: number, to: number) => ({ state, from, to });
const stateChange = (at: number, to: State) => ({ at, from: 0 as State, to, transition: transition('SPY', 0, to, at) });

describe('the index of a time', () => {
  const at = timeIndex([0, 10, 40]);
  it('lies between its neighbours, whatever the time between them', () => {
    expect([0, 5, 10, 25, 40].map(at)).toEqual([0, 0.5, 1, 1.5, 2]);
  });
  it('continues by the mean step before the first and after the last', () => {
    expect([at(-20), at(60)]).toEqual([-1, 3]);
  });
  it('copes with one point and with none', () => {
    expect(timeIndex([50])(50)).toBe(0);
    expect(timeIndex([])(50)).toBe(0);
  });
});

describe('the state strip', () => {
  it('merges equal neighbours', () => {
    expect(stripBoxes([band(1, 0, 10), band(1, 10, 30)], same, 100)).toEqual([{ state: 1, x0: 0, x1: 30 }]);
  });
  it('leaves gaps open', () => {
    expect(stripBoxes([band(1, 0, 10), band(1, 20, 30)], same, 100)).toHaveLength(2);
  });
  it('keeps a blip at two pixels; the next box begins after it', () => {
    expect(stripBoxes([band(0, 0, 10), band(2, 10, 10.1), band(0, 10.1, 50)], same, 100)).toEqual([
      { state: 0, x0: 0, x1: 10 },
      { state: 2, x0: 10, x1: 10 + BLIP },
      { state: 0, x0: 10 + BLIP, x1: 50 },
    ]);
  });
  it('lets the riskiest win where many share a position', () => {
    const denseBands = [band(0, 0, 10), band(1, 10, 10.2), band(2, 10.2, 10.4), band(1, 10.4, 10.6), band(0, 10.6, 50)];
    const boxes = stripBoxes(denseBands, same, 100);
    expect(boxes.find((box) => box.state === 2)).toMatchObject({ x0: 10.2, x1: 10.2 + BLIP });
    for (const [index, box] of boxes.entries()) expect(box.x0).toBeGreaterThanOrEqual(boxes[index - 1]?.x1 ?? 0);
  });
  it('never lets a riskier state vanish behind a calmer one', () => {
    const boxes = stripBoxes([band(2, 10, 10.1), band(1, 10.1, 10.2), band(0, 10.2, 10.3)], same, 100);
    expect(boxes[0]).toEqual({ state: 2, x0: 10, x1: 12 });
  });
  it('stays within the pane', () => {
    const boxes = stripBoxes([band(2, -50, -40), band(1, -10, 5), band(2, 99.9, 300), band(0, 400, 500)], same, 100);
    expect(boxes).toEqual([
      { state: 1, x0: 0, x1: 5 },
      { state: 2, x0: 98, x1: 100 },
    ]);
  });
});

describe('the regime ribbon', () => {
  const boxes = (width: number) =>
    ribbonBoxes(
      [{ regime: 'volatile_downtrend', from: 0, to: width }],
      same,
      1000,
      () => 'Volatile Downtrend',
      (text) => text.length * 6,
    );
  it('writes the name when it fits, else its initials, else nothing', () => {
    expect([boxes(200)[0]?.label, boxes(60)[0]?.label, boxes(10)[0]?.label]).toEqual(['Volatile Downtrend', 'VD', '']);
  });
});

describe('gaps', () => {
  it('are at least as wide as can be seen, and keep their centre', () => {
    expect(gapBoxes([{ from: 50, to: 51, cause: '' }], same, 100)[0]).toMatchObject({ x0: 46.5, x1: 54.5 });
  });
  it('run to the edge while they are open, and never out of the pane', () => {
    expect(gapBoxes([{ from: 60, to: null, cause: '' }], same, 100)[0]).toMatchObject({ x0: 60, x1: 100 });
    expect(gapBoxes([{ from: 100, to: null, cause: '' }], same, 100)[0]).toMatchObject({ x0: 92, x1: 100 });
  });
});

describe('transition markers', () => {
  it('keeps the riskiest of those that would hide each other', () => {
    const placed = placeStateChanges(
      [stateChange(10, 1), stateChange(14, 2), stateChange(18, 0), stateChange(40, 0)],
      same,
      100,
    );
    expect(placed.map(({ x, stateChange: { to } }) => [x, to])).toEqual([
      [14, 2],
      [40, 0],
    ]);
  });
  it('always keeps the newest', () => {
    const placed = placeStateChanges([stateChange(10, 2), stateChange(30, 2), stateChange(36, 0)], same, 100);
    expect(placed.map(({ x }) => x)).toEqual([10, 36]);
  });
  it('leaves out what is not in view', () => {
    expect(placeStateChanges([stateChange(-1, 2), stateChange(101, 2)], same, 100)).toEqual([]);
  });
});

it('a position on a glyph has its change of state, one beside it none', () => {
  const placed = placeStateChanges([stateChange(20, 2), stateChange(60, 0)], same, 100);
  expect(nearestStateChange(placed, 24)?.at).toBe(20);
  expect(nearestStateChange(placed, 57)?.to).toBe(0);
  expect(nearestStateChange(placed, 40)).toBeNull();
  expect(nearestStateChange([], 40)).toBeNull();
});

describe('notes', () => {
  const note = (at: number) => ({ kind: 'symbol' as const, id: at, at, text: `at ${at}` });
  const times = (placed: ReturnType<typeof placeNotes>) => placed.map(({ x, notes }) => [x, notes.map(({ at }) => at)]);
  it('share a marker where they would overlap, and are left out where they are not in view', () => {
    expect(times(placeNotes([note(40), note(10), note(20), note(-1), note(101)], same, 100))).toEqual([
      [10, [10, 20]],
      [40, [40]],
    ]);
  });
  it('are found under the pointer', () => {
    const placed = placeNotes([note(10), note(40)], same, 100);
    expect([3, 10, 25, 45].map((x) => notesAt(placed, x).map(({ at }) => at))).toEqual([[10], [10], [], [40]]);
  });
});
