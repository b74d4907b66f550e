// Main, core: what a picture of a symbol shows, from its history and its current signal. Unknown parts stay unknown.
import type { Timeline } from '../../../shared/channels/queries.ts';
import type { Gap, Row } from '../../../shared/channels/state.ts';
import { type PriceFaultKind, priceFaultOf } from '../../../shared/domain/data-health.ts';
import { type SessionCalendar, sessionCalendarOf } from '../../../shared/domain/sessions.ts';
import type { State } from '../../../shared/domain/states.ts';
import { lacksCloses, type StateBand, stateBands } from '../../../shared/domain/timeline.ts';
import { DAY_MS } from '../../../shared/lib/time.ts';

/** Days that a picture shows. */
export const PICTURE_DAYS = 90;

export interface PicturePoint {
  /** World time, as all times here. */
  readonly ms: number;
  /** null: not known. */
  readonly price: number | null;
  readonly breach: number | null;
}
export interface Interval {
  readonly from: number;
  readonly to: number;
}
export interface PictureData {
  readonly symbol: string;
  readonly calendar: SessionCalendar;
  readonly name: string | null;
  /** null: not known. */
  readonly state: State | null;
  /** A service's own word, which names none of the states. */
  readonly stateWord?: string;
  readonly price: number | null;
  /** Percent against the close before; null: not known. */
  readonly change: number | null;
  /** The current breach level; null: not known. */
  readonly breach: number | null;
  /** Oldest first. */
  readonly points: readonly PicturePoint[];
  readonly bands: readonly StateBand[];
  /** Without prices that count. */
  readonly holes: readonly Interval[];
  /** The ninety days, up to the newest value. */
  readonly axis: Interval;
  readonly fault: PriceFaultKind | null;
  /** The newest price is days old. */
  readonly isOld: boolean;
  readonly origin: 'sandbox' | 'replay' | null;
}

export interface PictureContext {
  /** undefined: the symbol is not watched. */
  readonly row: Row | undefined;
  readonly gaps: readonly Gap[];
  readonly now: number;
  readonly origin: PictureData['origin'];
}

export function pictureData(timeline: Timeline, { row, gaps, now, origin }: PictureContext): PictureData {
  const signal = row?.signal ?? null;
  const days = pointsOf(timeline);
  const updated = signal?.updated_at == null ? null : Date.parse(signal.updated_at);
  const last = days.at(-1);
  // A signal may be older than a history that was read after it, whose forming day is newer.
  const isOfLastDay = updated !== null && (last === undefined || dayOf(updated) >= dayOf(last.ms));
  const isCurrent = signal !== null && isOfLastDay && (last === undefined || updated >= last.ms);
  const points = isCurrent && signal.price !== null ? withNewest(days, updated, signal) : days;
  const end = isCurrent ? updated : (last?.ms ?? now);
  const from = end - PICTURE_DAYS * DAY_MS;
  const begin = days[0]?.ms ?? from;
  // A history of ninety days begins with a close.
  const axis = { from: begin - from < DAY_MS ? Math.max(from, begin) : from, to: end };
  const price = isCurrent ? signal.price : (last?.price ?? null);
  const { symbol } = timeline;
  const environment = origin === 'sandbox' ? 'sandbox' : 'production';
  const calendar = sessionCalendarOf(signal?.asset_class ?? 'etf', environment, symbol, signal?.exchange);
  const isOld = signal?.data_health === 'stale' || row?.stale === true || lacksCloses(calendar, end, now);
  return {
    symbol,
    calendar,
    name: signal?.name ?? null,
    state: signal?.state ?? last?.state ?? null,
    ...(signal?.state_word === undefined ? {} : { stateWord: signal.state_word }),
    price,
    change: isOfLastDay && !isOld ? (signal?.change_pct ?? null) : null,
    breach: isOld ? null : ((isCurrent ? signal.breach_level : last?.breach) ?? null),
    points: points.filter(({ ms }) => ms >= axis.from).map(({ ms, price: at, breach }) => ({ ms, price: at, breach })),
    bands: bandsOf(timeline, days, { axis, gaps, newest: isCurrent ? { at: updated, state: signal.state } : null }),
    holes: (timeline.holes ?? []).map(({ from, to }) => ({
      from: Date.parse(from),
      to: to === null ? end : Date.parse(to),
    })),
    axis,
    fault: priceFaultOf(signal),
    isOld,
    origin,
  };
}

type DayPoint = PicturePoint & { readonly state: State };

const pointsOf = ({ points }: Timeline): DayPoint[] =>
  points
    .map(({ at, price, breach_level: breach = null, state }) => ({ ms: Date.parse(at), price, breach, state }))
    .sort((a, b) => a.ms - b.ms);

/** A close at midnight belongs to the day that it ends. */
const dayOf = (ms: number): number => Math.floor((ms - 1) / DAY_MS);

/** The signal's price ends the line, in place of the forming day's older one. */
function withNewest(days: readonly DayPoint[], at: number, signal: NonNullable<Row['signal']>): DayPoint[] {
  const newest = { ms: at, price: signal.price, breach: signal.breach_level ?? null, state: signal.state };
  const last = days.at(-1);
  const isSameDay = last !== undefined && dayOf(last.ms) === dayOf(at);
  return [...(isSameDay ? days.slice(0, -1) : days), newest];
}

interface BandContext {
  readonly axis: Interval;
  readonly gaps: readonly Gap[];
  readonly newest: { readonly at: number; readonly state: State } | null;
}

/** As the transitions have it; before the first of them, as the days have it. Open gaps of the ledger stay open. */
function bandsOf(
  { transitions }: Timeline,
  days: readonly DayPoint[],
  { axis, gaps, newest }: BandContext,
): StateBand[] {
  const [first] = days;
  if (first === undefined) return [];
  const changes = transitions
    .map(({ occurred_at, to_state }) => ({ at: Date.parse(occurred_at), state: to_state }))
    .filter(({ at }) => at > first.ms);
  const began = changes[0]?.at ?? Number.POSITIVE_INFINITY;
  const starts = days.filter(({ ms }) => ms < began).map(({ ms, state }) => ({ at: ms, state }));
  const open = gaps
    .filter(({ closed }) => !closed)
    .map(({ from, to }) => ({ from: Date.parse(from), to: to === null ? axis.to : Date.parse(to) }));
  // What the last day and the signal say is seen even where it began just now.
  const all = [...starts, ...changes, ...(newest === null ? [] : [newest])];
  return stateBands(all, axis.to + DAY_MS / 2, open)
    .filter(({ to }) => to > axis.from)
    .map((band) => ({ ...band, from: Math.max(band.from, axis.from) }));
}
