// Renderer, pure: converts times to positions and boxes on a chart.
// x is in CSS pixels from the pane's left edge.
import type { State } from '../../shared/domain/states.ts';
import type { StateBand } from '../../shared/domain/timeline.ts';
import { DAY_MS } from '../../shared/lib/time.ts';
import type { ChartNote, GapBand, RegimeBand, StateChange } from './model.ts';

/**
 * Converts a time to an index among the chart's points. Points are at whole numbers, whatever time is between
 * them.
 */
export type LogicalAt = (ms: number) => number;

/** Beyond the first and the last point the mean step continues. @param times of the points, ascending, ms */
export function timeIndex(times: readonly number[]): LogicalAt {
  const last = times.length - 1;
  const first = times[0] ?? 0;
  const end = times[last] ?? 0;
  const step = last > 0 ? (end - first) / last : DAY_MS;
  return (ms) => {
    if (last < 0) return 0;
    if (ms <= first) return (ms - first) / step;
    if (ms >= end) return last + (ms - end) / step;
    let low = 0;
    let high = last;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((times[middle] ?? 0) <= ms) low = middle;
      else high = middle;
    }
    const from = times[low] ?? 0;
    const to = times[high] ?? 0;
    return to === from ? low : low + (ms - from) / (to - from);
  };
}

/** Position of a time; null while the chart has no scale. */
export type ToX = (ms: number) => number | null;

export interface StripBox {
  readonly state: State;
  readonly x0: number;
  readonly x1: number;
}

/** The narrowest visible box, px. */
export const BLIP = 2;

/**
 * Boxes of the state strip within [0, width]. Equal neighbours merge. Where boxes would overlap, the riskier
 * one keeps its position, so that at low zoom the worst state wins. A blip keeps two pixels.
 */
export function stripBoxes(bands: readonly StateBand[], toX: ToX, width: number): StripBox[] {
  const boxes: StripBox[] = [];
  for (const band of bands) {
    const from = toX(band.from);
    const to = toX(band.to);
    if (from === null || to === null || to < 0 || from > width) continue;
    const x0 = Math.max(0, Math.min(from, width - BLIP));
    const x1 = Math.max(Math.min(to, width), x0 + BLIP);
    insertBox(boxes, { state: band.state, x0, x1 });
  }
  return boxes;
}

function insertBox(boxes: StripBox[], box: StripBox): void {
  let next = box;
  while (true) {
    const last = boxes.at(-1);
    if (last === undefined || last.x1 < next.x0) break;
    if (last.state === next.state) {
      boxes.pop();
      next = { state: next.state, x0: Math.min(last.x0, next.x0), x1: Math.max(last.x1, next.x1) };
      continue;
    }
    if (last.x1 === next.x0) break;
    if (last.state > next.state) {
      if (next.x1 <= last.x1) return;
      next = { ...next, x0: last.x1 };
      break;
    }
    boxes.pop();
    if (next.x0 > last.x0) boxes.push({ ...last, x1: next.x0 });
  }
  boxes.push(next);
}

export interface RibbonBox {
  readonly regime: string;
  readonly x0: number;
  readonly x1: number;
  /** The name when it fits, else its initials, else nothing. */
  readonly label: string;
}

/** Space around a name in the ribbon, px. */
const LABEL_PADDING = 18;

export function ribbonBoxes(
  bands: readonly RegimeBand[],
  toX: ToX,
  width: number,
  nameOf: (regime: string) => string,
  measure: (text: string) => number,
): RibbonBox[] {
  const boxes: RibbonBox[] = [];
  for (const band of bands) {
    const from = toX(band.from);
    const to = toX(band.to);
    if (from === null || to === null || to <= 0 || from >= width) continue;
    const x0 = Math.max(0, from);
    const x1 = Math.min(width, to);
    const name = nameOf(band.regime);
    const label = [name, initials(name)].find((text) => measure(text) + LABEL_PADDING <= x1 - x0) ?? '';
    boxes.push({ regime: band.regime, x0, x1, label });
  }
  return boxes;
}

const initials = (name: string): string =>
  name
    .split(' ')
    .map((word) => word.charAt(0))
    .join('');

export interface GapBox {
  readonly x0: number;
  readonly x1: number;
  readonly gap: GapBand;
}
/** The narrowest recognizable gap, px. */
const GAP_WIDTH = 8;

/** An open gap runs to the right edge. */
export function gapBoxes(gaps: readonly GapBand[], toX: ToX, width: number): GapBox[] {
  const boxes: GapBox[] = [];
  for (const gap of gaps) {
    const from = toX(gap.from);
    const to = gap.to === null ? width : toX(gap.to);
    if (from === null || to === null || to < 0 || from > width) continue;
    const missing = Math.max(0, GAP_WIDTH - (to - from)) / 2;
    const x1 = Math.min(width, to + missing);
    boxes.push({ x0: Math.max(0, Math.min(from - missing, x1 - GAP_WIDTH)), x1, gap });
  }
  return boxes;
}

export interface PlacedStateChange {
  readonly x: number;
  readonly stateChange: StateChange;
}
/** Glyphs closer than this overlap, px. */
const MIN_GLYPH_DISTANCE = 12;

/** The change of state whose glyph covers a position; null where no glyph does. */
export function nearestStateChange(placed: readonly PlacedStateChange[], x: number): StateChange | null {
  const byDistance = [...placed].sort((a, b) => Math.abs(a.x - x) - Math.abs(b.x - x));
  const [nearest] = byDistance;
  return nearest !== undefined && Math.abs(nearest.x - x) <= MIN_GLYPH_DISTANCE / 2 + 2 ? nearest.stateChange : null;
}

/**
 * State changes in view, from left to right. Where glyphs would overlap, keeps the riskiest change, and the
 * oldest of equals; always keeps the newest one.
 */
export function placeStateChanges(stateChanges: readonly StateChange[], toX: ToX, width: number): PlacedStateChange[] {
  const placed: PlacedStateChange[] = [];
  const newest = stateChanges.reduce<StateChange | null>(
    (latest, stateChange) => (latest === null || stateChange.at >= latest.at ? stateChange : latest),
    null,
  );
  const byWeight = [...stateChanges].sort(
    (a, b) => Number(b === newest) - Number(a === newest) || b.to - a.to || a.at - b.at,
  );
  for (const stateChange of byWeight) {
    const x = toX(stateChange.at);
    if (x === null || x < 0 || x > width) continue;
    if (placed.every((other) => Math.abs(other.x - x) >= MIN_GLYPH_DISTANCE)) placed.push({ x, stateChange });
  }
  return placed.sort((a, b) => a.x - b.x);
}

/** The notes of one marker. */
export interface PlacedNotes<Note = ChartNote> {
  readonly x: number;
  /** Oldest first. */
  readonly notes: readonly Note[];
}
/** Markers closer than this overlap, px. */
const MIN_NOTE_DISTANCE = 14;

/**
 * Notes in view, from left to right. Notes whose markers would overlap share one, at the first note's
 * position.
 */
export function placeNotes<Note extends { readonly at: number }>(
  notes: readonly Note[],
  toX: ToX,
  width: number,
): PlacedNotes<Note>[] {
  const placed: { readonly x: number; readonly notes: Note[] }[] = [];
  for (const note of [...notes].sort((a, b) => a.at - b.at)) {
    const x = toX(note.at);
    if (x === null || x < 0 || x > width) continue;
    const last = placed.at(-1);
    if (last !== undefined && x - last.x < MIN_NOTE_DISTANCE) last.notes.push(note);
    else placed.push({ x, notes: [note] });
  }
  return placed;
}

/** The notes whose marker covers a position; empty where no marker does. */
export const notesAt = <Note>(placed: readonly PlacedNotes<Note>[], x: number): readonly Note[] =>
  placed.find((one) => Math.abs(one.x - x) <= MIN_NOTE_DISTANCE / 2 + 1)?.notes ?? [];
