// Service, signals: turns prices into announced states. Market and engine in, event drafts out; it writes nothing and tells nobody.
import type { Engine, Reading } from '../engine/types.ts';
import type { ClosedDay, MarketSource } from '../market/types.ts';
import type { EventDraft } from '../store/event-log.ts';
import type { Standing } from '../store/standings.ts';
import { flipDraft, type Occurrence, transitionDraft } from './drafts.ts';
import type { EventIds } from './event-id.ts';
import { noteOf } from './notes.ts';
import { confidenceIn, lastRow, newTrack, type Track, takeClose } from './track.ts';

/** How long a state stands at least before prices may move it, and how long a triggered one is held, world ms (CONTRACT, "The sandbox world"). */
export const DWELL_MS = 300_000;

/** How far back closes that nobody judged are still told, world ms. */
const CATCH_UP_MS = 90 * 86_400_000;

export interface JudgeParts {
  readonly market: MarketSource;
  readonly engine: Engine;
  readonly ids: EventIds;
}

/** Draft with its moment, so that a stretch can be put in order. */
interface Dated {
  readonly at: number;
  readonly symbol: string;
  readonly draft: EventDraft;
}

export class Judge {
  readonly tracks: ReadonlyMap<string, Track>;
  /** What transitions say that they were judged by. */
  modelVersion: string;
  /** World ms up to which everything is judged. */
  judgedTo = Number.NEGATIVE_INFINITY;
  readonly #parts: JudgeParts;

  constructor(parts: JudgeParts) {
    this.#parts = parts;
    this.modelVersion = parts.engine.modelVersion;
    this.tracks = new Map(
      parts.market.instruments.filter((one) => !one.inputOnly).map((one) => [one.symbol, newTrack(one)]),
    );
  }

  /**
   * Takes in all closes up to `moment` without judging them, and stands where `stored` says (or, without it, where the rule stands).
   * @returns drafts for closes that came late: before `moment`, and not known to `stored`
   */
  resume(moment: number, stored: readonly Standing[]): EventDraft[] {
    for (const day of this.#closed(moment)) this.#takeIn(day);
    const standings = new Map(stored.map((one) => [one.symbol, one]));
    const late: Dated[] = [];
    for (const track of this.tracks.values()) {
      const known = standings.get(track.instrument.symbol);
      if (known !== undefined) {
        track.standing = known;
        for (const row of track.days) {
          if (row.closedAt < moment - CATCH_UP_MS || (known.day !== null && row.reading.date <= known.day)) continue;
          track.memory = row.reading.state;
          late.push(...this.#settle(track, row.closedAt, row.reading, true));
        }
      }
      this.#recall(track, moment);
    }
    this.judgedTo = moment;
    return inOrder(late);
  }

  /** Judges everything in (judgedTo, to]. Drafts come in order of time. */
  advance(to: number): EventDraft[] {
    const drafts: EventDraft[] = [];
    for (const day of this.#closed(to)) {
      const end = Math.max(...day.closesAt.values());
      drafts.push(...this.#judgeForming(end - 1), ...this.#judgeClose(day));
    }
    drafts.push(...this.#judgeForming(to));
    return drafts;
  }

  /** What the engine says of a symbol now: of the forming bar where there is one, else of the last close. */
  present(track: Track, now: number): { reading: Reading; forming: boolean } | null {
    const row = lastRow(track);
    if (row === null) return null;
    const bar = this.#parts.market.forming(track.instrument.symbol, now);
    const reading = bar === null ? null : this.#parts.engine.peek(track.instrument.symbol, bar, track.memory);
    return reading === null ? { reading: row.reading, forming: false } : { reading, forming: true };
  }

  /** Confidence in the announced state: the reading's own where it agrees, else what was last given in that state. */
  confidence(track: Track, reading: Reading): number | null {
    const state = track.standing?.state ?? reading.state;
    if (reading.state === state) return reading.confidence;
    const own = confidenceIn(track, state);
    if (own !== null) return own;
    for (const other of this.tracks.values()) {
      const borrowed = confidenceIn(other, state);
      if (borrowed !== null) return borrowed;
    }
    return null;
  }

  #closed(to: number): Iterable<ClosedDay> {
    return this.#parts.market.closedDays((symbol) => this.#parts.engine.lastDate(symbol), to);
  }

  #takeIn(day: ClosedDay): Track[] {
    const taken: Track[] = [];
    for (const [symbol, reading] of this.#parts.engine.closeDay(day.date, day.bars)) {
      const track = this.tracks.get(symbol);
      const closedAt = day.closesAt.get(symbol);
      if (track === undefined || closedAt === undefined) continue;
      takeClose(track, { closedAt, reading });
      taken.push(track);
    }
    return taken;
  }

  #judgeClose(day: ClosedDay): EventDraft[] {
    const dated: Dated[] = [];
    for (const track of this.#takeIn(day)) {
      const row = lastRow(track);
      if (row === null) continue;
      if (track.standing === null) track.standing = standingAt(track, row.closedAt);
      else dated.push(...this.#settle(track, row.closedAt, row.reading, true));
      track.standing = { ...track.standing, day: row.reading.date };
    }
    return inOrder(dated);
  }

  #judgeForming(to: number): EventDraft[] {
    if (to <= this.judgedTo) return [];
    const dated: Dated[] = [];
    for (const track of this.tracks.values()) {
      for (const moment of this.#moments(track, to)) dated.push(...this.#judgeAt(track, moment));
    }
    this.judgedTo = to;
    return inOrder(dated);
  }

  #judgeAt(track: Track, moment: number): Dated[] {
    const { market, engine } = this.#parts;
    const { symbol } = track.instrument;
    const bar = market.forming(symbol, moment);
    const before = track.memory;
    if (bar !== null) {
      track.memory = engine.peekState(symbol, bar.close, before);
      track.decidedAt = moment;
    }
    if (!wouldChange(track, moment)) return [];
    const reading = bar === null ? null : engine.peek(symbol, bar, before);
    return this.#settle(track, moment, reading ?? lastRow(track)?.reading ?? null, reading === null);
  }

  /** The source's moments of decision, and the ends of what is held. */
  #moments(track: Track, to: number): Iterable<number> {
    const moments = this.#parts.market.decisions(track.instrument.symbol, this.judgedTo, to);
    const ends = [track.standing?.heldUntil, track.standing?.regimeHeldUntil].filter(
      (end): end is number => end !== null && end !== undefined && end > this.judgedTo && end <= to,
    );
    if (ends.length === 0) return moments;
    return [...new Set([...moments, ...ends])].sort((a, b) => a - b);
  }

  /** Announces what the rule says, where dwell and holds let it. */
  #settle(track: Track, at: number, reading: Reading | null, closing: boolean): Dated[] {
    const { standing, instrument } = track;
    if (standing === null || reading === null) return [];
    const dated: Dated[] = [];
    const when: Occurrence = { at, ordinal: 0 };
    const add = (draft: EventDraft): void => void dated.push({ at, symbol: instrument.symbol, draft });
    const closed = closing ? reading : lastRow(track)?.reading;
    if (regimeMoves(track, at, closed)) {
      const to = closed?.regime ?? null;
      const confidence = to === null ? null : regimeConfidence(closed);
      if (standing.regime !== null && to !== null) {
        add(flipDraft(this.#parts.ids, instrument.symbol, when, { from: standing.regime, to, confidence }));
      }
      track.standing = { ...standing, regime: to, regimeSince: at, regimeHeldUntil: null };
    }
    if (stateMoves(track, at)) {
      const change = { from: standing.state, to: track.memory, regime: track.standing?.regime ?? null };
      track.standing = { ...(track.standing ?? standing), state: track.memory, since: at, heldUntil: null };
      const confidence = this.confidence(track, reading);
      add(
        transitionDraft(this.#parts.ids, this.modelVersion, instrument, when, {
          ...change,
          confidence,
          note: noteOf(track, reading, closing),
        }),
      );
    }
    return dated;
  }

  /** Brings the rule's live memory to `moment` within the day in progress; announces nothing. */
  #recall(track: Track, moment: number): void {
    const row = lastRow(track);
    if (row === null) return;
    const { market, engine } = this.#parts;
    const { symbol } = track.instrument;
    track.memory = row.reading.state;
    let since = track.closedSince;
    for (const at of market.decisions(symbol, row.closedAt, moment)) {
      const bar = market.forming(symbol, at);
      if (bar === null) continue;
      const next = engine.peekState(symbol, bar.close, track.memory);
      if (next !== track.memory) since = at;
      track.memory = next;
      track.decidedAt = at;
    }
    track.standing = { ...(track.standing ?? standingAt(track, since)), day: row.reading.date };
  }
}

/** Where the rule stands, announced as it is: for a symbol of which nothing was announced yet. */
function standingAt(track: Track, since: number): Standing {
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
    state: track.memory,
    since,
    heldUntil: null,
    regime,
    regimeSince: regime === null ? null : regimeSince,
    regimeHeldUntil: null,
  };
}

const stateMoves = ({ instrument, standing, memory }: Track, at: number): boolean =>
  !instrument.regimeOnly &&
  standing !== null &&
  memory !== standing.state &&
  at - standing.since >= DWELL_MS &&
  at >= (standing.heldUntil ?? at);

function regimeMoves({ standing }: Track, at: number, closed: Reading | undefined): boolean {
  const regime = closed?.regime ?? null;
  return standing !== null && regime !== null && regime !== standing.regime && at >= (standing.regimeHeldUntil ?? at);
}

const wouldChange = (track: Track, at: number): boolean =>
  stateMoves(track, at) || regimeMoves(track, at, lastRow(track)?.reading);

/** Percent that the engine gives to the regime it names; null where it gives no probabilities. */
function regimeConfidence(reading: Reading | undefined): number | null {
  if (reading === undefined || reading.regime === null || reading.regimeProbabilities === null) return null;
  return reading.regimeProbabilities[reading.regime] * 100;
}

const inOrder = (dated: Dated[]): EventDraft[] =>
  dated.sort((a, b) => a.at - b.at || (a.symbol < b.symbol ? -1 : a.symbol > b.symbol ? 1 : 0)).map((one) => one.draft);
