// Service, briefings: the data known at an instant.
// Writers read only this, so texts agree with the answers of the API.
import type { State } from '../../shared/domain/states.ts';
import { DAY_MS } from '../../shared/lib/time.ts';
import type { RegimeRecord } from '../../shared/wire/regime.ts';
import { countLeading } from '../count-leading.ts';
import type { Reading } from '../engine/types.ts';
import type { Instrument } from '../market/types.ts';
import type { DueList, Schedule } from '../scheduled/schedule.ts';
import type { ClosedRow } from '../signals/closed-row.ts';
import { type DayStates, dayStates, type LoggedStates } from '../signals/day-states.ts';
import { percent } from '../signals/drafts.ts';
import type { LevelledReading } from '../signals/price-level.ts';
import { RegimeHistory } from '../signals/regime-history.ts';
import type { StateDetector } from '../signals/state-detector.ts';
import { lastRow, type Track } from '../signals/track.ts';
import type { EventLog, StateStep } from '../store/event-log.ts';
import { type HoldOut, holdOut } from './record.ts';

/** The past that a briefing covers, world ms. */
const PAST_MS = 90 * DAY_MS;
/** A symbol without a close for longer than this has ended, and the context omits it. */
const SILENT_MS = 10 * DAY_MS;

/** The data of one symbol at the instant. */
export interface SymbolSnapshot {
  readonly instrument: Instrument;
  readonly symbol: string;
  readonly state: State;
  /** World ms, as `regimeSince`. */
  readonly since: number;
  readonly price: number;
  /** Change since the previous session's close, as a fraction; null without one. */
  readonly change: number | null;
  /** Percent with one decimal, as in the signal; `baseRate` likewise. */
  readonly confidence: number | null;
  readonly baseRate: number | null;
  readonly regime: string | null;
  readonly regimeSince: number | null;
  readonly reading: LevelledReading;
  /** True when the reading is of the session in progress. */
  readonly forming: boolean;
  /** Closes of the past 90 days up to the instant, oldest first, without the session in progress. */
  readonly days: readonly BriefingDay[];
  /** Closes of the past 90 days, then the present price while a session is in progress. */
  readonly prices: readonly number[];
}

/** A closed day with its states as the event log has them. */
export interface BriefingDay extends Pick<ClosedRow, 'closedAt' | 'reading'>, DayStates {}

export type Change = StateStep;

/** Changes of state, as the event log lists them; from close to close for times before the log. */
export interface Changes {
  /** World ms; later than requested if the log begins later. */
  readonly since: number;
  readonly source: 'log' | 'closes';
  /** Oldest first. */
  readonly list: readonly Change[];
}

export interface BriefingContext {
  /** World ms. */
  readonly at: number;
  /** Symbols with a signal, in order of symbol; never empty. */
  readonly snapshots: readonly SymbolSnapshot[];
  /** Symbols with a regime and no signal. */
  readonly regimeOnly: readonly SymbolSnapshot[];
  /** The broad market: SPY, or its nearest substitute. */
  readonly lead: SymbolSnapshot;
  /** Changes of state in (from, at]. */
  changes(from: number): Changes;
  /** The regime of a symbol with what the data favour, as GET /regime answers; null without one. */
  regime(snapshot: SymbolSnapshot): RegimeRecord | null;
  /** Precision of High Risk on a symbol, from the closes up to the instant; null with too little history. */
  record(symbol: string): HoldOut | null;
  /** What is due for the symbols within so many sessions. */
  due(within: number): DueList;
}

export interface BriefingContextDeps {
  readonly detector: StateDetector;
  readonly log: Pick<EventLog, 'changes' | 'steps' | 'flips'>;
  /** World ms from which the log has no gap. */
  readonly logFrom: number;
  readonly schedule: Pick<Schedule, 'due'>;
}

/**
 * Symbols whose session is in progress at the instant; the detector must have evaluated up to it. Other
 * symbols have closes and a state only.
 */
export type LiveSymbols = 'all' | 'none' | ReadonlySet<string>;

/** Builds the context at `instant`. @returns null before the first close */
export function contextAt(deps: BriefingContextDeps, instant: number, live: LiveSymbols): BriefingContext | null {
  const { detector, log, logFrom, schedule } = deps;
  const tracks = [...detector.tracks.values()].sort((a, b) => (a.instrument.symbol < b.instrument.symbol ? -1 : 1));
  const snapshotOf = (track: Track): SymbolSnapshot | null => {
    if (live === 'none') return closedSnapshot(deps, track, instant);
    return live === 'all' || live.has(track.instrument.symbol)
      ? liveSnapshot(deps, track, instant)
      : announcedSnapshot(deps, track, instant);
  };
  const snapshotsOf = (regimeOnly: boolean): SymbolSnapshot[] =>
    tracks.filter(({ instrument }) => instrument.regimeOnly === regimeOnly).flatMap((track) => snapshotOf(track) ?? []);
  const snapshots = snapshotsOf(false);
  const lead = leadOf(snapshots);
  if (lead === undefined) return null;
  return {
    at: instant,
    snapshots,
    regimeOnly: snapshotsOf(true),
    lead,
    changes: memoized((from) => {
      const since = Math.max(from, logFrom);
      return logFrom < instant
        ? { since, source: 'log', list: log.changes(since, instant) }
        : { since: from, source: 'closes', list: changesOfCloses(tracks, from, instant) };
    }),
    regime({ symbol, forming, price, reading: { level, missing } }) {
      const track = detector.tracks.get(symbol);
      if (track === undefined) return null;
      const before = lastRow(track)?.reading.close;
      const found = {
        close: price,
        ...(level !== undefined && before !== undefined && { closeBefore: before * level }),
        ...(missing !== undefined && { missing }),
      };
      const at = {
        volatilityStates: detector.volatilityStates,
        modelVersion: () => detector.modelVersion,
        price: () => (forming ? found : null),
      };
      return new RegimeHistory(track, log.flips(symbol), instant, at).at(instant);
    },
    due: (within) =>
      schedule.due(
        instant,
        [lead, ...snapshots.filter((one) => one !== lead)].map(({ symbol }) => symbol),
        within,
      ),
    record(symbol) {
      const track = detector.tracks.get(symbol);
      return track === undefined ? null : holdOut(track, closesUpTo(track.days, instant));
    },
  };
}

/** Computes the changes once per `from`. */
function memoized(changes: (from: number) => Changes): (from: number) => Changes {
  const known = new Map<number, Changes>();
  return (from) => {
    const found = known.get(from) ?? changes(from);
    known.set(from, found);
    return found;
  };
}

/** Asset classes that briefings cover. */
export const FUNDS: readonly string[] = ['etf', 'index'];
export const isFund = ({ instrument }: SymbolSnapshot): boolean => FUNDS.includes(instrument.assetClass);

function leadOf(snapshots: readonly SymbolSnapshot[]): SymbolSnapshot | undefined {
  for (const symbol of ['SPY', 'SPX', '^GSPC', 'QQQ']) {
    const found = snapshots.find((one) => one.symbol === symbol);
    if (found !== undefined) return found;
  }
  return snapshots.find(isFund) ?? snapshots[0];
}

/** Number of rows that closed by `instant`. */
const closesUpTo = (rows: readonly ClosedRow[], instant: number): number =>
  countLeading(rows, ({ closedAt }) => closedAt <= instant);

function pastOf({ days }: Track, end: number, instant: number, logged: LoggedStates): BriefingDay[] {
  const begin = closesUpTo(days, instant - PAST_MS - 1);
  return days.slice(begin, end).map((row, index) => ({
    closedAt: row.closedAt,
    reading: row.reading,
    ...dayStates(days, begin + index, logged),
  }));
}

function closedSnapshot({ log, logFrom }: BriefingContextDeps, track: Track, instant: number): SymbolSnapshot | null {
  const { instrument, current } = track;
  const end = closesUpTo(track.days, instant);
  const row = track.days[end - 1];
  if (row === undefined || row.closedAt < instant - SILENT_MS) return null;
  const { reading } = row;
  const before = track.days[end - 2]?.reading.close;
  const steps = instrument.regimeOnly ? [] : log.steps(instrument.symbol);
  const from = instrument.regimeOnly ? Number.POSITIVE_INFINITY : logFrom;
  const logged = { steps, from, current: current?.state ?? reading.state };
  const days = pastOf(track, end, instant, logged);
  const { state, announced } = dayStates(track.days, end - 1, logged);
  const entered = row.closedAt < from ? undefined : steps.findLast(({ at }) => at <= row.closedAt);
  return {
    instrument,
    symbol: instrument.symbol,
    state,
    since: entered?.at ?? runStart(track.days, end, (one) => one.state === reading.state),
    price: reading.close,
    change: before === undefined ? null : reading.close / before - 1,
    confidence: state === reading.state ? percent(reading.confidence) : announced,
    baseRate: percent(reading.baseRate),
    regime: reading.regime,
    regimeSince: reading.regime === null ? null : runStart(track.days, end, (one) => one.regime === reading.regime),
    reading,
    forming: false,
    days,
    prices: days.map((one) => one.reading.close),
  };
}

/** Start of the run of matching closes that ends before `end`, world ms. */
function runStart(rows: readonly ClosedRow[], end: number, fits: (reading: Reading) => boolean): number {
  let first = end - 1;
  while (first > 0 && fits((rows[first - 1] as ClosedRow).reading)) first -= 1;
  return (rows[first] as ClosedRow).closedAt;
}

/** The announced state with the last close. */
function announcedSnapshot(deps: BriefingContextDeps, track: Track, instant: number): SymbolSnapshot | null {
  const closed = closedSnapshot(deps, track, instant);
  const { current } = track;
  return closed === null || current === null ? closed : { ...closed, state: current.state, since: current.since };
}

function liveSnapshot(deps: BriefingContextDeps, track: Track, instant: number): SymbolSnapshot | null {
  const { detector } = deps;
  const closed = closedSnapshot(deps, track, instant);
  const present = detector.present(track, instant);
  const { current } = track;
  if (closed === null || present === null || current === null) return closed;
  const { reading, forming } = present;
  const { level = 1 } = reading;
  return {
    ...closed,
    state: current.state,
    since: current.since,
    price: reading.close,
    change: forming ? reading.close / (closed.price * level) - 1 : closed.change,
    confidence: percent(detector.confidence(track, reading)),
    baseRate: percent(reading.baseRate),
    regime: current.regime,
    regimeSince: current.regimeSince,
    reading,
    forming,
    prices: forming ? [...closed.prices.map((price) => price * level), reading.close] : closed.prices,
  };
}

/** Changes from one close to the next, for times before the log. */
function changesOfCloses(tracks: readonly Track[], from: number, to: number): Change[] {
  const changes: Change[] = [];
  for (const { instrument, days } of tracks) {
    if (instrument.regimeOnly) continue;
    const end = closesUpTo(days, to);
    for (let index = Math.max(1, closesUpTo(days, from)); index < end; index++) {
      const [before, row] = [days[index - 1] as ClosedRow, days[index] as ClosedRow];
      if (before.reading.state === row.reading.state) continue;
      changes.push({ symbol: instrument.symbol, from: before.reading.state, to: row.reading.state, at: row.closedAt });
    }
  }
  return changes.sort((a, b) => a.at - b.at || (a.symbol < b.symbol ? -1 : 1));
}
