// Service, signals: reads closed days into an engine and tracks, from nothing or from a checkpoint.
// Both give the same to the byte: a checkpoint is used only if the days before it are those that it was made of.
import { messageOf } from '../../shared/lib/result.ts';
import { DAY_MS, dateOf } from '../../shared/lib/time.ts';
import type { Engine, EngineState, Reading } from '../engine/types.ts';
import type { ClosedDay, MarketSource } from '../market/types.ts';
import { inOneTurn, type Steps } from '../steps.ts';
import { type RowStore, tradingOf } from './closed-row.ts';
import { closeOf, DaysRead, type SavedDays } from './days-read.ts';
import { addClose, newTrack, type SavedTrack, saveTrack, type Track } from './track.ts';

/** A checkpoint is of the begin of a month, so long ago that its bars are hardly corrected any more. */
const SETTLED_MS = 10 * DAY_MS;

/** An engine, and the tracks of the same bars. */
export interface EvaluatedCloses {
  readonly engine: Engine;
  readonly tracks: ReadonlyMap<string, Track>;
}

export interface SavedCloses {
  readonly days: SavedDays;
  readonly engine: EngineState;
  /** In the order of the market's instruments; null for an input. Each is made when it is asked for. */
  readonly tracks: Iterable<SavedTrack | null>;
}

export interface Checkpoints {
  /** Where older rows of the tracks are. */
  readonly rows: RowStore;
  /** The checkpoint; null: there is none that this version can read. */
  load(): Steps<SavedCloses | null>;
  /** Replaces the checkpoint. A failure is logged, and the one before remains. */
  save(take: () => SavedCloses): Steps<void>;
  /** Logs that a reading continues from the checkpoint. */
  used(closes: SavedCloses): void;
  /** Deletes the checkpoint, and logs why. */
  discard(why: string): void;
  /** Deletes the stored rows that neither the checkpoint nor these tracks have. */
  prune(tracks: Iterable<Track>): Steps<void>;
}

export interface ClosesReaderDeps {
  readonly market: MarketSource;
  /** @throws RangeError for a state of another engine */
  readonly newEngine: (saved: EngineState | null) => Engine;
  /** null: every reading begins from nothing. */
  readonly checkpoints: Checkpoints | null;
}

export interface ClosesQuery {
  /** World ms: the bars are read as known then. */
  readonly instant: number;
  /** Limits a day to the bars that are to be read. */
  readonly partOf: (day: ClosedDay) => ClosedDay;
  /** Tracks in use meanwhile: their stored rows are kept. */
  readonly inUse: Iterable<Track>;
}

interface Begun {
  readonly read: DaysRead;
  readonly closes: EvaluatedCloses;
  readonly days: Iterable<ClosedDay>;
}

/** Reads a day a step, and saves a checkpoint on the way if a newer one is due, also when it is stopped. */
export function* readCloses(deps: ClosesReaderDeps, query: ClosesQuery): Steps<EvaluatedCloses> {
  const { checkpoints } = deps;
  const begun = yield* continued(deps, query);
  // Not before: the rows of a checkpoint that is not used are of no use, and their room is that of the new ones.
  if (checkpoints !== null) yield* checkpoints.prune(query.inUse);
  const { read, closes, days } = begun ?? fromNothing(deps, query);
  const boundary = Date.parse(`${dateOf(query.instant - SETTLED_MS).slice(0, 7)}-01`);
  let isDue = checkpoints !== null && read.closedAt < boundary;
  const before = read.count;
  const save = function* (): Steps<void> {
    isDue = false;
    if (read.count > before) yield* checkpoints?.save(() => saveCloses(deps.market, read, closes)) ?? [];
  };
  let first: number | null = null;
  let isBetweenDays = false;
  try {
    for (const day of days) {
      isBetweenDays = false;
      if (isDue && closeOf(day) >= boundary) yield* save();
      addCloses(closes.tracks, day, closes.engine.closeDay(day.date, day.bars));
      read.add(day);
      isBetweenDays = true;
      first ??= read.closedAt;
      const [done, total] = [read.closedAt - first, query.instant - first].map((ms) => Math.round(ms / DAY_MS));
      yield { what: 'computing', done: done as number, total: total as number };
      isBetweenDays = false;
    }
    if (isDue) yield* save();
    return closes;
  } finally {
    // Stopped: the next reading goes on after this day.
    if (isBetweenDays && isDue) inOneTurn(save());
  }
}

function fromNothing(deps: ClosesReaderDeps, query: ClosesQuery): Begun {
  return {
    read: new DaysRead(deps.market),
    closes: { engine: deps.newEngine(null), tracks: tracksOf(deps, null) },
    days: daysFrom(deps, query, () => null),
  };
}

/** The checkpoint, with the days after it; null: it is not used. */
function* continued(deps: ClosesReaderDeps, query: ClosesQuery): Steps<Begun | null> {
  const { checkpoints, newEngine } = deps;
  const saved = checkpoints === null ? null : yield* checkpoints.load();
  if (checkpoints === null || saved === null) return null;
  const found = yield* daysAfter(deps, query, saved);
  if (found === null) {
    checkpoints.discard('the bars before it have changed');
    return null;
  }
  try {
    const closes = { engine: newEngine(saved.engine), tracks: tracksOf(deps, saved) };
    checkpoints.used(saved);
    return { ...found, closes };
  } catch (error) {
    checkpoints.discard(messageOf(error));
    return null;
  }
}

/** The days after the checkpoint; null: those before it are no longer the same. */
function* daysAfter(
  deps: ClosesReaderDeps,
  query: ClosesQuery,
  saved: SavedCloses,
): Steps<Omit<Begun, 'closes'> | null> {
  const { market } = deps;
  const read = new DaysRead(market);
  let days = daysFrom(deps, query, () => null);
  if (read.isWhole) {
    // One iterator for all days: the source may change between two steps.
    while (read.count < saved.days.count) {
      const day = days.next();
      if (day.done === true) return null;
      read.add(day.value);
      yield;
    }
  } else {
    const first = days.next();
    if (first.done === true || saved.days.closedAt > query.instant) return null;
    read.add(first.value);
    const eve = dateOf(Date.parse(saved.days.date) - DAY_MS);
    for (const day of market.closedDays(() => eve, saved.days.closedAt)) read.add(day);
    const lastDates = new Map(market.instruments.map(({ symbol }, i) => [symbol, saved.engine.symbols[i]?.lastDate]));
    days = daysFrom(deps, query, (symbol) => lastDates.get(symbol) ?? null);
  }
  return read.save().hash === saved.days.hash ? { read, days } : null;
}

function* daysFrom(
  { market }: ClosesReaderDeps,
  { instant, partOf }: ClosesQuery,
  after: (symbol: string) => string | null,
): Generator<ClosedDay> {
  for (const day of market.closedDays(after, instant)) {
    const part = partOf(day);
    if (part.bars.size > 0) yield part;
  }
}

function tracksOf({ market, checkpoints }: ClosesReaderDeps, saved: SavedCloses | null): Map<string, Track> {
  const tracks = saved?.tracks[Symbol.iterator]();
  return new Map(
    market.instruments.flatMap((one) => {
      const track = tracks?.next().value;
      return one.inputOnly ? [] : [[one.symbol, newTrack(one, checkpoints?.rows, track)]];
    }),
  );
}

const saveCloses = (
  { instruments }: MarketSource,
  read: DaysRead,
  { engine, tracks }: EvaluatedCloses,
): SavedCloses => ({
  days: read.save(),
  engine: engine.save(),
  tracks: (function* () {
    for (const { symbol } of instruments) {
      const track = tracks.get(symbol);
      yield track === undefined ? null : saveTrack(track);
    }
  })(),
});

/** Adds the engine's readings of a day to the tracks. @returns the tracks that have a new one */
export function addCloses(
  tracks: ReadonlyMap<string, Track>,
  day: ClosedDay,
  readings: ReadonlyMap<string, Reading>,
): Track[] {
  const taken: Track[] = [];
  for (const [symbol, reading] of readings) {
    const track = tracks.get(symbol);
    const closedAt = day.closesAt.get(symbol);
    const bar = day.bars.get(symbol);
    if (track === undefined || closedAt === undefined || bar === undefined) continue;
    addClose(track, { closedAt, reading, trading: tradingOf(bar) }, bar.missing);
    taken.push(track);
  }
  return taken;
}
