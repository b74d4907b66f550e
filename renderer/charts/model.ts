// Renderer, pure: builds the model of a symbol's chart from what the core reports.

import type { Granularity, Timeline } from '../../shared/channels/queries.ts';
import type { Gap, Row } from '../../shared/channels/state.ts';
import type { SessionCalendar } from '../../shared/domain/sessions.ts';
import type { State } from '../../shared/domain/states.ts';
import { type StateBand, stateBands } from '../../shared/domain/timeline.ts';
import { DAY_MS } from '../../shared/lib/time.ts';
import { textOf } from '../../shared/text/message.ts';
import type { Transition } from '../../shared/wire/records.ts';

/** A session day, hour or minute. `ms` is its exact time; for the forming one, the time of its last price. */
export interface ChartPoint
  extends Pick<Timeline['points'][number], 'confidence_of' | 'base_rate' | 'breach_level' | 'breach_progress'> {
  readonly ms: number;
  /** null between two session prices, and for a symbol with only regimes. */
  readonly price: number | null;
  /** null where unknown. */
  readonly state: State | null;
  readonly regime: string | null;
  /** Confidence of the state, percent; null where unknown. */
  readonly confidence: number | null;
  /** Confidence of the regime, percent; absent where unknown. */
  readonly regimeConfidence?: number | null;
  /**
   * No line joins this price with the next one, because no price between them is known: the market was
   * closed, or nothing was read.
   */
  readonly cut?: boolean;
  /** No line reaches this price. */
  readonly isLone?: boolean;
  /** Set for a session day; absent where only its close is known. */
  readonly range?: PriceRange;
  /** Volume of a session day in shares, contracts or coins; absent where unknown. */
  readonly volume?: number;
}
/** Open, high and low of a session day. */
export interface PriceRange {
  readonly open: number;
  readonly high: number;
  readonly low: number;
}
/** World time, ms; `to` is exclusive. */
export interface RegimeBand {
  readonly regime: string;
  readonly from: number;
  readonly to: number;
}
/** A change of state, world time in ms. `transition` is null if only the daily history has the change. */
export interface StateChange {
  readonly at: number;
  readonly from: State;
  readonly to: State;
  readonly transition: Transition | null;
}
/** World time, ms. */
export interface GapBand {
  readonly from: number;
  /** null: still open. */
  readonly to: number | null;
  readonly cause: string;
  /** A gap in prices: the service had none that count, but its announcements were received. */
  readonly ofPrices?: boolean;
}
/** A note of the user, on the symbol or on one of its alerts; world time, ms. */
export type ChartNote = { readonly at: number; readonly text: string } & (
  | { readonly kind: 'symbol'; readonly id: number }
  | { readonly kind: 'alert'; readonly ledgerId: number }
);
/** Something that is due; world time, ms: by day, the close of its session. */
export interface ChartDue {
  readonly at: number;
  /** YYYY-MM-DD on the clock of the symbol's market. */
  readonly day: string;
  readonly letter: string;
  readonly text: string;
}
export interface ChartModel {
  readonly symbol: string;
  /** Distance between points. */
  readonly resolution: Granularity;
  /** Only daily closes are known, so a chart by hour or minute has no prices between them. */
  readonly hasClosesOnly?: boolean;
  /** Opening hours of the symbol's market; unused by day. */
  readonly calendar?: SessionCalendar;
  /** The current breach level: the price at which the warned fall has happened; absent where unknown. */
  readonly breachLevel?: number;
  /** Prices at which a rule currently notifies. */
  readonly alertLevels?: readonly number[];
  /** Oldest first. */
  readonly points: readonly ChartPoint[];
  readonly bands: readonly StateBand[];
  readonly regimes: readonly RegimeBand[];
  /** Oldest first. */
  readonly stateChanges: readonly StateChange[];
  readonly gaps: readonly GapBand[];
  /** Oldest first; absent: none. */
  readonly notes?: readonly ChartNote[];
  /** What is or was due, also after the last point; absent: none. */
  readonly due?: readonly ChartDue[];
}

export interface LiveState {
  /** The live row, or the last known one; it extends the forming day. */
  readonly row: Row | null;
  /** Transitions received since the timeline was read. Duplicates of the timeline's own are dropped. */
  readonly transitions: readonly Transition[];
  readonly gaps: readonly Gap[];
  /** Prices at which a rule notifies; absent: none. */
  readonly alertLevels?: readonly number[];
  /** Start of the outage, world time, ms; null while connected. */
  readonly outageSince: number | null;
  /** World time, ms; the last bands end here. */
  readonly now: number;
}

export function shapeChart(timeline: Timeline, live: LiveState): ChartModel {
  const points: readonly DayPoint[] = withForming(dailyPoints(timeline), live.row);
  const end = endOf(points, live.now);
  const gaps = openGaps(live);
  const stateChanges = stateChangesOf(
    points,
    mergeTransitions(timeline.transitions, live.transitions, timeline.symbol),
  );
  const first = points[0];
  const stateStarts = [
    ...(first === undefined ? [] : [{ at: first.ms, state: first.state }]),
    ...stateChanges.map(({ at, to }) => ({ at, state: to })),
  ];
  return {
    symbol: timeline.symbol,
    resolution: 'day',
    ...breachOf(live.row),
    ...(live.alertLevels !== undefined && { alertLevels: live.alertLevels }),
    points,
    bands: stateBands(
      stateStarts,
      end,
      gaps.map((gap) => ({ from: gap.from, to: gap.to ?? end })),
    ),
    regimes: regimeBands(points, end),
    stateChanges,
    gaps: [...gaps, ...holesOf(timeline)],
  };
}

/**
 * The chart as it was at an instant, world time, ms: without what came after, and with the breach
 * level of then.
 */
export function chartUntil(model: ChartModel, at: number): ChartModel {
  const { breachLevel: _level, alertLevels: _levels, ...rest } = model;
  const points = model.points.filter(({ ms }) => ms <= at);
  const level = points.at(-1)?.breach_level;
  const clipped = <Band extends { readonly from: number; readonly to: number }>(bands: readonly Band[]): Band[] =>
    bands.flatMap((band) => (band.from > at ? [] : { ...band, to: Math.min(band.to, at) }));
  return {
    ...rest,
    ...(level == null ? {} : { breachLevel: level }),
    points,
    bands: clipped(model.bands),
    regimes: clipped(model.regimes),
    stateChanges: model.stateChanges.filter((change) => change.at <= at),
    gaps: model.gaps.flatMap((gap) =>
      gap.from > at ? [] : { ...gap, to: gap.to === null ? at : Math.min(gap.to, at) },
    ),
  };
}

const holesOf = ({ holes = [] }: Timeline): GapBand[] =>
  holes.map(({ from, to, reason }) => ({
    from: Date.parse(from),
    to: to === null ? null : Date.parse(to),
    cause: reason,
    ofPrices: true,
  }));

/** The breach level of a current price; none for an old one. */
function breachOf(row: Row | null): Pick<ChartModel, 'breachLevel'> {
  const signal = row?.signal ?? null;
  if (signal?.breach_level == null || signal.data_health === 'stale') return {};
  return { breachLevel: signal.breach_level };
}

/**
 * End of the last bands, ms. The forming day extends half a day beyond its point, so that a new state is
 * visible.
 */
export function endOf(points: readonly ChartPoint[], now: number): number {
  const first = points[0]?.ms ?? now;
  const last = points.at(-1)?.ms ?? now;
  const step = points.length > 1 ? (last - first) / (points.length - 1) : DAY_MS;
  return Math.max(last, Math.min(now, last + DAY_MS)) + step / 2;
}

/** Unfilled gaps. During an outage they include the current one, even if the core could not record it. */
export function openGaps({ gaps, outageSince }: Pick<LiveState, 'gaps' | 'outageSince'>): GapBand[] {
  const open: GapBand[] = gaps
    .filter((gap) => !gap.closed)
    .map((gap) => ({
      from: Date.parse(gap.from),
      to: gap.to === null ? null : Date.parse(gap.to),
      cause: textOf(gap.cause),
    }));
  if (outageSince !== null && open.every((gap) => gap.to !== null))
    open.push({ from: outageSince, to: null, cause: '' });
  return open;
}

/** The day of a time, in days since the epoch. A close at midnight belongs to the day that it ends. */
export const dayOf = (ms: number): number => Math.floor((ms - 1) / DAY_MS);

/** Midnight UTC of a session day, whatever the hour of its close. */
export const sessionMs = (ms: number): number => dayOf(ms) * DAY_MS;

/** A session day has a state. */
type DayPoint = ChartPoint & { readonly state: State };

function dailyPoints(timeline: Timeline): DayPoint[] {
  const byDay = new Map<number, DayPoint>();
  for (const { at, open, high, low, volume, ...rest } of timeline.points) {
    const ms = Date.parse(at);
    const hasRange = open !== undefined && high !== undefined && low !== undefined;
    byDay.set(dayOf(ms), {
      ms,
      ...rest,
      ...(hasRange && { range: { open, high, low } }),
      ...(volume !== undefined && { volume }),
    });
  }
  return [...byDay.values()].sort((a, b) => a.ms - b.ms);
}

/** The window has one price, that of the row: a history that was read later ends with it. */
function withForming(read: DayPoint[], row: Row | null): DayPoint[] {
  const signal = row?.signal ?? null;
  if (signal === null || signal.updated_at === null || signal.price === null) return read;
  const ms = Date.parse(signal.updated_at);
  const points = read.filter((point) => dayOf(point.ms) <= dayOf(ms));
  const last = points.at(-1);
  if (last === undefined) return read;
  // After the end of the prices the last close is the newest, and the signal no longer states its confidence.
  if (signal.data_health === 'stale' && dayOf(ms) === dayOf(last.ms)) return points;
  // The last day's range and volume are older than its newest price: they are known again after the close.
  const { range, volume } = ms <= last.ms ? last : {};
  const forming = {
    ...(range !== undefined && { range }),
    ...(volume !== undefined && { volume }),
    ms,
    price: signal.price,
    state: signal.state,
    regime: signal.regime,
    confidence: signal.confidence,
  };
  return dayOf(ms) === dayOf(last.ms) ? [...points.slice(0, -1), forming] : [...points, forming];
}

function mergeTransitions(read: readonly Transition[], live: readonly Transition[], symbol: string): Transition[] {
  const byId = new Map(read.map((transition) => [transition.event_id, transition]));
  for (const transition of live) if (transition.symbol === symbol) byId.set(transition.event_id, transition);
  return [...byId.values()].sort((a, b) => a.occurred_at.localeCompare(b.occurred_at));
}

/** Transitions as received; before the first of them, the changes from day to day. */
function stateChangesOf(points: readonly DayPoint[], transitions: readonly Transition[]): StateChange[] {
  const oldest = points[0]?.ms ?? Number.POSITIVE_INFINITY;
  const recorded: StateChange[] = transitions
    .map((transition) => ({
      at: Date.parse(transition.occurred_at),
      from: transition.from_state,
      to: transition.to_state,
      transition,
    }))
    .filter((stateChange) => stateChange.at >= oldest);
  const begin = recorded[0]?.at ?? Number.POSITIVE_INFINITY;
  const daily: StateChange[] = [];
  for (const [index, point] of points.entries()) {
    const before = points[index - 1];
    if (point.ms >= begin) break;
    if (before !== undefined && before.state !== point.state) {
      daily.push({ at: point.ms, from: before.state, to: point.state, transition: null });
    }
  }
  return [...daily, ...recorded];
}

export function regimeBands(points: readonly ChartPoint[], end: number): RegimeBand[] {
  const bands: RegimeBand[] = [];
  for (const [index, point] of points.entries()) {
    if (point.regime === null) continue;
    const to = points[index + 1]?.ms ?? end;
    const last = bands.at(-1);
    if (last !== undefined && last.regime === point.regime && last.to === point.ms)
      bands[bands.length - 1] = { ...last, to };
    else bands.push({ regime: point.regime, from: point.ms, to });
  }
  return bands;
}
