// Service, signals: evaluates prices to states, and drafts events for changes of state.
// Keeps the states in memory; the announcer writes states and drafts.
import { DAY_MS } from '../../shared/lib/time.ts';
import type { Engine, EngineState, Reading } from '../engine/types.ts';
import type { ClosedDay, MarketSource, PriceInQuestion } from '../market/types.ts';
import { inOneTurn, type Steps } from '../steps.ts';
import type { CurrentState } from '../store/current-states.ts';
import type { EventDraft } from '../store/event-log.ts';
import { type DayTrading, tradingOf } from './closed-row.ts';
import { addCloses, type Checkpoints, type EvaluatedCloses, readCloses } from './closes-reader.ts';
import type { EventIds } from './event-id.ts';
import { PastChanges } from './past-changes.ts';
import { formingPrice, type LevelledReading, peekOf, peekStateOf } from './price-level.ts';
import { applyChanges, type DatedDraft, hasChange, inOrder, mayRise } from './state-changes.ts';
import { confidenceIn, lastRow, newTrack, replaceCloses, ruleStateOf, type Track } from './track.ts';

/** Maximum age of a missed change for which an event is drafted, world ms. */
const CATCH_UP_MS = 90 * DAY_MS;

export interface StateDetectorDeps {
  readonly market: MarketSource;
  /** An engine without history, of the version of all others. Without `newEngine` it is the only one. */
  readonly engine: Engine;
  /**
   * Creates the engine that is used, and another one after past bars change. Absent: past bars never change.
   * @throws RangeError for a saved state of another engine
   */
  readonly newEngine?: (saved: EngineState | null) => Engine;
  /** Default: nothing is kept over a start. */
  readonly checkpoints?: Checkpoints;
  readonly ids: EventIds;
}

/** World ms up to which intraday prices are evaluated, for each symbol evaluated since its last close. */
export type IntradayProgress = Readonly<Record<string, number>>;

export class StateDetector {
  readonly tracks: ReadonlyMap<string, Track>;
  /** The model version of transitions. */
  modelVersion: string;
  /** World ms up to which everything is evaluated. */
  evaluatedTo = Number.NEGATIVE_INFINITY;
  readonly engineVersion: string;
  readonly volatilityStates: Engine['volatilityStates'];
  readonly ids: EventIds;
  readonly #deps: StateDetectorDeps;
  readonly #past: PastChanges;
  #engine: Engine;
  #rebuild: Steps<EvaluatedCloses> | null = null;
  /** Drafts for closes that only the rebuilt engine has. */
  readonly #late: EventDraft[] = [];

  constructor(deps: StateDetectorDeps) {
    this.#deps = deps;
    this.#engine = deps.engine;
    this.#past = new PastChanges(deps.newEngine === undefined ? undefined : deps.market.revisions);
    this.ids = deps.ids;
    this.engineVersion = deps.engine.modelVersion;
    this.volatilityStates = deps.engine.volatilityStates;
    this.modelVersion = this.engineVersion;
    this.tracks = new Map(
      deps.market.instruments.filter((one) => !one.inputOnly).map((one) => [one.symbol, newTrack(one)]),
    );
  }

  /**
   * Reads the closes up to `instant` and restores the announced states from `stored`, else from the rule.
   * @param decided `intradayProgress` of the previous run; null: the first run. Later intraday prices are
   *   evaluated as late ones
   * @returns drafts for the closes up to `instant` that `stored` does not contain
   */
  resume(...given: Parameters<StateDetector['resumeInSteps']>): EventDraft[] {
    return inOneTurn(this.resumeInSteps(...given));
  }

  /** Like `resume`, in steps. */
  *resumeInSteps(
    instant: number,
    stored: readonly CurrentState[],
    decided: IntradayProgress | null = null,
  ): Steps<EventDraft[]> {
    this.#past.readUpTo(instant);
    const currentStates = new Map(stored.map((one) => [one.symbol, one]));
    const { comesLate = false } = this.#deps.market;
    const partOf = (day: ClosedDay): ClosedDay => (comesLate ? evaluatedPart(day, currentStates, instant) : day);
    const closes = yield* this.#read(instant, partOf);
    this.#engine = closes.engine;
    for (const [symbol, track] of closes.tracks) replaceCloses(this.tracks.get(symbol) as Track, track);
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
   * Evaluates the prices in (evaluatedTo, to]; stops before an instant at which past bars change. The engine
   * is then rebuilt, by `rebuildSome` or by the next call.
   * @returns drafts in order of time
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

  /** The argument for the next `resume`; null: no prices come late. */
  intradayProgress(): IntradayProgress | null {
    if (this.#deps.market.comesLate !== true) return null;
    const isWithin = (track: Track): boolean => track.decidedAt > (lastRow(track)?.closedAt ?? track.decidedAt);
    return Object.fromEntries(
      [...this.tracks].filter(([, track]) => isWithin(track)).map(([symbol, { decidedAt }]) => [symbol, decidedAt]),
    );
  }

  /** Replaces the announced states by those that the leader wrote. */
  adopt(announced: readonly CurrentState[]): void {
    for (const current of announced) {
      const track = this.tracks.get(current.symbol);
      if (track !== undefined) track.current = current;
    }
  }

  /** Whether past bars changed and the engine is not rebuilt yet. */
  get isRebuilding(): boolean {
    return this.#rebuild !== null;
  }

  /**
   * Rebuilds the engine by `days` closed days. Queries keep the old results. @returns whether more remains
   */
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
        late.push(...this.#draftWithdrawal(track));
      }
      this.#late.push(...inOrder(late));
    }
    return this.#rebuild !== null;
  }

  /** Reads all evaluated closes again, as known at `instant`, into a new engine. */
  #rebuildAt(instant: number): Steps<EvaluatedCloses> {
    const until = this.evaluatedTo;
    // Skips closes not yet evaluated; their intraday prices come first. A new symbol has none.
    const isKnown = (symbol: string, date: string): boolean => date <= (this.#engine.lastDate(symbol) ?? date);
    return this.#read(instant, (day) => ({
      ...day,
      bars: new Map(
        [...day.bars].filter(([symbol]) => (day.closesAt.get(symbol) ?? until) <= until && isKnown(symbol, day.date)),
      ),
    }));
  }

  #read(instant: number, partOf: (day: ClosedDay) => ClosedDay): Steps<EvaluatedCloses> {
    const { market, engine, newEngine = () => engine, checkpoints = null } = this.#deps;
    return readCloses({ market, newEngine, checkpoints }, { instant, partOf, inUse: this.tracks.values() });
  }

  /** Drafts the changes of the closes after the last evaluated day. */
  #draftLateChanges(track: Track, instant: number): DatedDraft[] {
    const day = track.current?.day ?? null;
    const late: DatedDraft[] = [];
    const isRecent = day !== null && (track.recent[0]?.reading.date ?? '') <= day;
    for (const row of isRecent ? track.recent : track.days) {
      if (row.closedAt < instant - CATCH_UP_MS || (day !== null && row.reading.date <= day)) continue;
      track.liveState = row.reading.state;
      late.push(...this.#draftChanges(track, row.closedAt, row.reading, true));
    }
    return late;
  }

  /** Takes a state back at once if the price on which it rests turned out to be a fault. */
  #draftWithdrawal(track: Track): DatedDraft[] {
    const present = track.current?.restsOn == null ? null : this.present(track, this.evaluatedTo);
    return present === null ? [] : this.#draftChanges(track, this.evaluatedTo, present.reading, !present.forming);
  }

  #evaluate(to: number): EventDraft[] {
    const drafts: EventDraft[] = [];
    for (const day of this.#closed(to)) {
      const end = Math.max(...day.closesAt.values());
      // The last intraday price is evaluated before the close, even if both have arrived.
      const before = this.#deps.market.comesLate === true ? end : end - 1;
      drafts.push(...this.#detectForming(before), ...this.#detectClosed(day));
    }
    drafts.push(...this.#detectForming(to));
    for (const track of this.tracks.values()) drafts.push(...inOrder(this.#draftRise(track, to)));
    return drafts;
  }

  /** The current reading of a symbol: from the forming bar if there is one, else from the last close. */
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
   * Confidence in the announced state, with the reading's claim: the reading's own if it has that state, else
   * the newest confidence given in that state, by any symbol.
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

  question(symbol: string, at: number, date?: string): PriceInQuestion | null {
    return this.#deps.market.question?.(symbol, at, date) ?? null;
  }

  #closed(to: number): Iterable<ClosedDay> {
    return this.#deps.market.closedDays((symbol) => this.#engine.lastDate(symbol), to);
  }

  #detectClosed(day: ClosedDay): EventDraft[] {
    const dated: DatedDraft[] = [];
    for (const track of addCloses(this.tracks, day, this.#engine.closeDay(day.date, day.bars))) {
      const row = lastRow(track);
      if (row === null) continue;
      if (track.current === null) track.current = ruleStateOf(track, row.closedAt);
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

  /** World ms up to which the intraday prices of a symbol are evaluated. */
  #intradayEvaluatedTo(track: Track): number {
    const isLate = this.#deps.market.comesLate === true && track.current !== null;
    return isLate ? Math.min(this.evaluatedTo, track.decidedAt) : this.evaluatedTo;
  }

  #detectAt(track: Track, instant: number): DatedDraft[] {
    const { market } = this.#deps;
    const engine = this.#engine;
    const { symbol } = track.instrument;
    const price = formingPrice(market, symbol, instant);
    const before = track.liveState;
    if (price !== null) {
      track.liveState = peekStateOf(engine, symbol, price, before);
      track.decidedAt = instant;
    }
    if (!hasChange(track, instant)) return [];
    const bar = market.forming(symbol, instant);
    const reading = bar === null ? null : peekOf(engine, symbol, bar, before);
    return this.#draftChanges(track, instant, reading ?? lastRow(track)?.reading ?? null, reading === null);
  }

  /** Instants to evaluate up to `to`: the source's decision times and the ends of hold-downs. */
  #instants(track: Track, to: number): Iterable<number> {
    const instants = this.#deps.market.decisions(track.instrument.symbol, this.#intradayEvaluatedTo(track), to);
    const ends = [track.current?.holdDownUntil, track.current?.regimeHoldDownUntil].filter(
      (end): end is number => end !== null && end !== undefined && end > this.evaluatedTo && end <= to,
    );
    if (ends.length === 0) return instants;
    return [...new Set([...instants, ...ends])].sort((a, b) => a - b);
  }

  /**
   * Applies the changes that the rule, dwell and hold-downs allow. Ignores changes older than CATCH_UP_MS.
   */
  #draftChanges(track: Track, at: number, reading: LevelledReading | null, closing: boolean): DatedDraft[] {
    // At runtime as after a restart.
    if (reading === null || at < this.evaluatedTo - CATCH_UP_MS) return [];
    return applyChanges(this, track, at, reading, closing);
  }

  /**
   * Drafts a rise by prices that were evaluated before they changed: the next price may come days later. A rise
   * older than CATCH_UP_MS is not announced.
   */
  #draftRise(track: Track, at: number): DatedDraft[] {
    const present = mayRise(track, at) ? this.present(track, at) : null;
    if (present === null) return [];
    if (track.decidedAt >= at - CATCH_UP_MS) return this.#draftChanges(track, at, present.reading, !present.forming);
    track.current = { ...ruleStateOf(track, track.closed.since), day: present.reading.date };
    return [];
  }

  /** Advances the rule's live state over the intraday prices up to `instant`, without drafts. */
  #replayIntraday(track: Track, instant: number): void {
    const row = lastRow(track);
    if (row === null) return;
    const { market } = this.#deps;
    const engine = this.#engine;
    const { symbol } = track.instrument;
    track.liveState = row.reading.state;
    let since = track.closed.since;
    for (const at of market.decisions(symbol, row.closedAt, instant)) {
      const price = formingPrice(market, symbol, at);
      if (price === null) continue;
      const next = peekStateOf(engine, symbol, price, track.liveState);
      if (next !== track.liveState) since = at;
      track.liveState = next;
      track.decidedAt = at;
    }
    track.current = { ...(track.current ?? ruleStateOf(track, since)), day: row.reading.date };
  }
}

/** The bars already evaluated by `instant`; the other bars are evaluated after their late intraday prices. */
function evaluatedPart(day: ClosedDay, states: ReadonlyMap<string, CurrentState>, instant: number): ClosedDay {
  const isOld = (symbol: string): boolean => (day.closesAt.get(symbol) ?? instant) < instant - CATCH_UP_MS;
  const bars = [...day.bars].filter(([symbol]) => {
    const last = states.get(symbol)?.day ?? null;
    return last === null || day.date <= last || isOld(symbol);
  });
  return { ...day, bars: new Map(bars) };
}
