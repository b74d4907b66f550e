// Service, signals: turns prices into states, and changes of state into event drafts.
// It writes nothing and announces nothing.
import { DAY_MS } from '../../shared/lib/time.ts';
import type { Engine, Reading } from '../engine/types.ts';
import type { ClosedDay, MarketSource } from '../market/types.ts';
import type { CurrentState } from '../store/current-states.ts';
import type { EventDraft } from '../store/event-log.ts';
import { type DayTrading, tradingOf } from './closed-row.ts';
import { flipDraft, type Occurrence, percent, transitionDraft } from './drafts.ts';
import { DWELL_MS } from './dwell.ts';
import type { EventIds } from './event-id.ts';
import { heldBy, heldText, noteOf, sentences } from './notes.ts';
import { PastChanges } from './past-changes.ts';
import { type LevelledReading, peekOf, peekStateOf } from './price-level.ts';
import { addClose, confidenceIn, lastRow, newTrack, replaceCloses, type Track } from './track.ts';

/** How far back missed closes are still announced, world ms. */
const CATCH_UP_MS = 90 * DAY_MS;

export interface StateDetectorDeps {
  readonly market: MarketSource;
  /** Without history; used first. */
  readonly engine: Engine;
  /** Another one like it, for when closed bars of the past change. Absent: they never do. */
  readonly newEngine?: () => Engine;
  readonly ids: EventIds;
  /** Whether texts may quote prices. Default: they may. */
  readonly quotes?: boolean;
}

interface RebuildResult {
  readonly engine: Engine;
  readonly tracks: ReadonlyMap<string, Track>;
}

/** World ms up to which the prices of a symbol after its last close are evaluated; none for others. */
export type IntradayProgress = Readonly<Record<string, number>>;

/** A draft with its instant, for sorting within an interval. */
interface DatedDraft {
  readonly at: number;
  readonly symbol: string;
  readonly draft: EventDraft;
}

export class StateDetector {
  readonly tracks: ReadonlyMap<string, Track>;
  /** The model version of transitions. */
  modelVersion: string;
  /** World ms up to which everything is evaluated. */
  evaluatedTo = Number.NEGATIVE_INFINITY;
  readonly engineVersion: string;
  readonly ids: EventIds;
  /** Whether texts may quote prices. */
  readonly quotes: boolean;
  readonly #deps: StateDetectorDeps;
  readonly #past: PastChanges;
  #engine: Engine;
  #rebuild: Generator<undefined, RebuildResult> | null = null;
  /** Drafts of closes that a rebuilt engine has and the one before had not. */
  readonly #late: EventDraft[] = [];

  constructor(deps: StateDetectorDeps) {
    this.#deps = deps;
    this.#engine = deps.engine;
    this.#past = new PastChanges(deps.newEngine === undefined ? undefined : deps.market.revisions);
    this.ids = deps.ids;
    this.quotes = deps.quotes ?? true;
    this.engineVersion = deps.engine.modelVersion;
    this.modelVersion = this.engineVersion;
    this.tracks = new Map(
      deps.market.instruments.filter((one) => !one.inputOnly).map((one) => [one.symbol, newTrack(one)]),
    );
  }

  /**
   * Adds all closes up to `instant` without evaluating them, and restores the state from `stored` (without
   * it, from the rule).
   * @param decided `intradayProgress` of the run before; null: this is the first. Prices after it came since, and are
   *   evaluated like late ones
   * @returns drafts for late closes: before `instant`, and not in `stored`
   */
  resume(instant: number, stored: readonly CurrentState[], decided: IntradayProgress | null = null): EventDraft[] {
    this.#past.readUpTo(instant);
    const currentStates = new Map(stored.map((one) => [one.symbol, one]));
    const { comesLate = false } = this.#deps.market;
    for (const day of this.#closed(instant)) {
      const read = comesLate ? evaluatedPart(day, currentStates, instant) : day;
      if (read.bars.size > 0) closeBars(this.#engine, this.tracks, read);
    }
    const late: DatedDraft[] = [];
    for (const track of this.tracks.values()) {
      const { symbol } = track.instrument;
      const known = currentStates.get(symbol);
      if (known !== undefined) {
        track.current = known;
        late.push(...this.#draftLateChanges(track, instant));
      }
      const isLate = comesLate && known !== undefined && decided !== null;
      this.#replayIntraday(track, isLate ? Math.min(instant, decided[symbol] ?? 0) : instant);
    }
    this.evaluatedTo = instant;
    return inOrder(late);
  }

  /**
   * Evaluates everything in (evaluatedTo, to], or up to an instant at which closed bars of the past change: then the
   * engine is rebuilt, by `rebuildSome` or by the next call. Drafts are in order of time.
   */
  advance(to: number): EventDraft[] {
    while (this.rebuildSome(Number.POSITIVE_INFINITY));
    const change = this.#past.next(this.evaluatedTo, to, (symbol) => this.#engine.lastDate(symbol));
    const late = this.#late.splice(0);
    if (change === null) return [...late, ...this.#evaluate(to)];
    const drafts = change > this.evaluatedTo ? this.#evaluate(change - 1) : [];
    this.#rebuild = this.#rebuildAt(change);
    return [...late, ...drafts];
  }

  /** For the next `resume`. null: no prices come late. */
  intradayProgress(): IntradayProgress | null {
    if (this.#deps.market.comesLate !== true) return null;
    const isWithin = (track: Track): boolean => track.decidedAt > (lastRow(track)?.closedAt ?? track.decidedAt);
    return Object.fromEntries(
      [...this.tracks].filter(([, track]) => isWithin(track)).map(([symbol, { decidedAt }]) => [symbol, decidedAt]),
    );
  }

  /** Takes over what was announced, where it is something else than this detector has. */
  adopt(announced: readonly CurrentState[]): void {
    for (const current of announced) {
      const track = this.tracks.get(current.symbol);
      if (track !== undefined) track.current = current;
    }
  }

  /** Whether closed bars of the past changed, and the engine is not rebuilt yet. */
  get isRebuilding(): boolean {
    return this.#rebuild !== null;
  }

  /** Rebuilds the engine for some closed days. What is served meanwhile is as before. @returns whether more remains */
  rebuildSome(days: number): boolean {
    for (let done = 0; this.#rebuild !== null && done < days; done++) {
      const step = this.#rebuild.next();
      if (step.done !== true) continue;
      this.#rebuild = null;
      this.#engine = step.value.engine;
      const late: DatedDraft[] = [];
      for (const [symbol, track] of this.tracks) {
        const other = step.value.tracks.get(symbol);
        const reached = this.#intradayEvaluatedTo(track);
        if (other !== undefined) replaceCloses(track, other);
        late.push(...this.#draftLateChanges(track, this.evaluatedTo));
        this.#replayIntraday(track, reached);
      }
      this.#late.push(...inOrder(late));
    }
    return this.#rebuild !== null;
  }

  /** Reads the bars that closed so far once more, as they are known at `instant`. */
  *#rebuildAt(instant: number): Generator<undefined, RebuildResult> {
    const engine = this.#deps.newEngine?.() ?? this.#engine;
    const until = this.evaluatedTo;
    // A close that was not evaluated waits for the prices within its day that came with it. A new symbol has none.
    const isKnown = (symbol: string, date: string): boolean => date <= (this.#engine.lastDate(symbol) ?? date);
    const tracks = new Map([...this.tracks].map(([symbol, { instrument }]) => [symbol, newTrack(instrument)]));
    for (const day of this.#deps.market.closedDays(() => null, instant)) {
      const bars = new Map(
        [...day.bars].filter(([symbol]) => (day.closesAt.get(symbol) ?? until) <= until && isKnown(symbol, day.date)),
      );
      if (bars.size > 0) closeBars(engine, tracks, { ...day, bars });
      yield undefined;
    }
    return { engine, tracks };
  }

  /** Announces what the closes after the last announced day say. */
  #draftLateChanges(track: Track, instant: number): DatedDraft[] {
    const day = track.current?.day ?? null;
    const late: DatedDraft[] = [];
    for (const row of track.days) {
      if (row.closedAt < instant - CATCH_UP_MS || (day !== null && row.reading.date <= day)) continue;
      track.liveState = row.reading.state;
      late.push(...this.#draftChanges(track, row.closedAt, row.reading, true));
    }
    return late;
  }

  #evaluate(to: number): EventDraft[] {
    const drafts: EventDraft[] = [];
    for (const day of this.#closed(to)) {
      const end = Math.max(...day.closesAt.values());
      // A feed's last price of a session comes before its close, and decides before it, also where both are there.
      const before = this.#deps.market.comesLate === true ? end : end - 1;
      drafts.push(...this.#detectForming(before), ...this.#detectClosed(day));
    }
    drafts.push(...this.#detectForming(to));
    return drafts;
  }

  /** The current reading of a symbol: of the forming bar if there is one, else of the last close. */
  present(track: Track, now: number): { reading: LevelledReading; trading: DayTrading; forming: boolean } | null {
    const row = lastRow(track);
    if (row === null) return null;
    const bar = this.#deps.market.forming(track.instrument.symbol, now);
    const reading = bar === null ? null : peekOf(this.#engine, track.instrument.symbol, bar, track.liveState);
    return bar === null || reading === null
      ? { reading: row.reading, trading: row.trading, forming: false }
      : { reading, trading: tradingOf(bar), forming: true };
  }

  /**
   * Confidence in the announced state, with the reading's claim: the reading's own when it agrees, else the
   * last one given in that state.
   */
  confidence(track: Track, reading: Reading): number | null {
    const state = track.current?.state ?? reading.state;
    if (reading.state === state) return reading.confidence;
    const own = confidenceIn(track, state, reading.claim);
    if (own !== null) return own;
    for (const other of this.tracks.values()) {
      const borrowed = confidenceIn(other, state, reading.claim);
      if (borrowed !== null) return borrowed;
    }
    return null;
  }

  #closed(to: number): Iterable<ClosedDay> {
    return this.#deps.market.closedDays((symbol) => this.#engine.lastDate(symbol), to);
  }

  #detectClosed(day: ClosedDay): EventDraft[] {
    const dated: DatedDraft[] = [];
    for (const track of closeBars(this.#engine, this.tracks, day)) {
      const row = lastRow(track);
      if (row === null) continue;
      if (track.current === null) track.current = currentStateAt(track, row.closedAt);
      else dated.push(...this.#draftChanges(track, row.closedAt, row.reading, true));
      track.current = { ...track.current, day: row.reading.date };
    }
    return inOrder(dated);
  }

  #detectForming(to: number): EventDraft[] {
    if (to <= this.evaluatedTo && this.#deps.market.comesLate !== true) return [];
    const dated: DatedDraft[] = [];
    for (const track of this.tracks.values()) {
      for (const instant of this.#instants(track, to)) dated.push(...this.#detectAt(track, instant));
    }
    this.evaluatedTo = Math.max(this.evaluatedTo, to);
    return inOrder(dated);
  }

  /** World ms up to which the prices of a symbol are evaluated. */
  #intradayEvaluatedTo(track: Track): number {
    const isLate = this.#deps.market.comesLate === true && track.current !== null;
    return isLate ? Math.min(this.evaluatedTo, track.decidedAt) : this.evaluatedTo;
  }

  #detectAt(track: Track, instant: number): DatedDraft[] {
    const { market } = this.#deps;
    const engine = this.#engine;
    const { symbol } = track.instrument;
    const bar = market.forming(symbol, instant);
    const before = track.liveState;
    if (bar !== null) {
      track.liveState = peekStateOf(engine, symbol, bar, before);
      track.decidedAt = instant;
    }
    if (!anyMayChange(track, instant)) return [];
    const reading = bar === null ? null : peekOf(engine, symbol, bar, before);
    return this.#draftChanges(track, instant, reading ?? lastRow(track)?.reading ?? null, reading === null);
  }

  /** The source's decision times, and the ends of hold-downs. */
  #instants(track: Track, to: number): Iterable<number> {
    const instants = this.#deps.market.decisions(track.instrument.symbol, this.#intradayEvaluatedTo(track), to);
    const ends = [track.current?.holdDownUntil, track.current?.regimeHoldDownUntil].filter(
      (end): end is number => end !== null && end !== undefined && end > this.evaluatedTo && end <= to,
    );
    if (ends.length === 0) return instants;
    return [...new Set([...instants, ...ends])].sort((a, b) => a - b);
  }

  /** Announces the result of the rule, as far as dwell and hold-downs allow it. */
  #draftChanges(track: Track, at: number, reading: LevelledReading | null, closing: boolean): DatedDraft[] {
    const { current, instrument } = track;
    if (current === null || reading === null) return [];
    // What came that late is history, while the service runs as with a restart.
    if (at < this.evaluatedTo - CATCH_UP_MS) return [];
    const dated: DatedDraft[] = [];
    const when: Occurrence = { at, ordinal: 0 };
    const add = (draft: EventDraft): void => void dated.push({ at, symbol: instrument.symbol, draft });
    const closed = closing ? reading : lastRow(track)?.reading;
    if (regimeMayChange(track, at, closed)) {
      const to = closed?.regime ?? null;
      const confidence = to === null ? null : regimeConfidence(closed);
      if (current.regime !== null && to !== null) {
        add(flipDraft(this.ids, instrument.symbol, when, { from: current.regime, to, confidence }));
      }
      track.current = { ...current, regime: to, regimeSince: at, regimeHoldDownUntil: null };
    }
    if (stateMayChange(track, at)) {
      const change = { from: current.state, to: track.liveState, regime: track.current?.regime ?? null };
      track.current = { ...(track.current ?? current), state: track.liveState, since: at, holdDownUntil: null };
      const confidence = this.confidence(track, reading);
      const held = heldBy(track, reading, at);
      add(
        transitionDraft(this.ids, this.modelVersion, instrument, when, {
          ...change,
          confidence,
          claim: reading.claim,
          heldBy: held,
          note: sentences(
            noteOf(track, reading, closing, this.quotes),
            heldText(change.to, held, percent(confidence), percent(reading.baseRate)),
          ),
        }),
      );
    }
    return dated;
  }

  /** Advances the rule's live memory to `instant` within the day in progress; announces nothing. */
  #replayIntraday(track: Track, instant: number): void {
    const row = lastRow(track);
    if (row === null) return;
    const { market } = this.#deps;
    const engine = this.#engine;
    const { symbol } = track.instrument;
    track.liveState = row.reading.state;
    let since = track.closedSince;
    for (const at of market.decisions(symbol, row.closedAt, instant)) {
      const bar = market.forming(symbol, at);
      if (bar === null) continue;
      const next = peekStateOf(engine, symbol, bar, track.liveState);
      if (next !== track.liveState) since = at;
      track.liveState = next;
      track.decidedAt = at;
    }
    track.current = { ...(track.current ?? currentStateAt(track, since)), day: row.reading.date };
  }
}

/** The bars that were evaluated by `instant`; the others are, after the prices within the day that came late with them. */
function evaluatedPart(day: ClosedDay, states: ReadonlyMap<string, CurrentState>, instant: number): ClosedDay {
  const isOld = (symbol: string): boolean => (day.closesAt.get(symbol) ?? instant) < instant - CATCH_UP_MS;
  const bars = [...day.bars].filter(([symbol]) => {
    const last = states.get(symbol)?.day ?? null;
    return last === null || day.date <= last || isOld(symbol);
  });
  return { ...day, bars: new Map(bars) };
}

/** Closes the bars of a day. @returns the tracks that have a new reading */
function closeBars(engine: Engine, tracks: ReadonlyMap<string, Track>, day: ClosedDay): Track[] {
  const taken: Track[] = [];
  for (const [symbol, reading] of engine.closeDay(day.date, day.bars)) {
    const track = tracks.get(symbol);
    const closedAt = day.closesAt.get(symbol);
    const bar = day.bars.get(symbol);
    if (track === undefined || closedAt === undefined || bar === undefined) continue;
    addClose(track, { closedAt, reading, trading: tradingOf(bar) });
    taken.push(track);
  }
  return taken;
}

/** The state of the rule, for a symbol without an announced state. */
function currentStateAt(track: Track, since: number): CurrentState {
  const closed = lastRow(track);
  const regime = closed?.reading.regime ?? null;
  let regimeSince = closed?.closedAt ?? null;
  for (let index = track.days.length - 1; index >= 0; index--) {
    const row = track.days[index];
    if (row === undefined || row.reading.regime !== regime) break;
    regimeSince = row.closedAt;
  }
  return {
    symbol: track.instrument.symbol,
    day: closed?.reading.date ?? null,
    state: track.liveState,
    since,
    holdDownUntil: null,
    regime,
    regimeSince: regime === null ? null : regimeSince,
    regimeHoldDownUntil: null,
  };
}

const stateMayChange = ({ instrument, current, liveState }: Track, at: number): boolean =>
  !instrument.regimeOnly &&
  current !== null &&
  liveState !== current.state &&
  at - current.since >= DWELL_MS &&
  at >= (current.holdDownUntil ?? at);

function regimeMayChange({ current }: Track, at: number, closed: Reading | undefined): boolean {
  const regime = closed?.regime ?? null;
  return current !== null && regime !== null && regime !== current.regime && at >= (current.regimeHoldDownUntil ?? at);
}

const anyMayChange = (track: Track, at: number): boolean =>
  stateMayChange(track, at) || regimeMayChange(track, at, lastRow(track)?.reading);

/** Percent that the engine gives to its regime; null without probabilities. */
function regimeConfidence(reading: Reading | undefined): number | null {
  if (reading === undefined || reading.regime === null || reading.regimeProbabilities === null) return null;
  return reading.regimeProbabilities[reading.regime] * 100;
}

const inOrder = (dated: DatedDraft[]): EventDraft[] =>
  dated.sort((a, b) => a.at - b.at || (a.symbol < b.symbol ? -1 : a.symbol > b.symbol ? 1 : 0)).map((one) => one.draft);
