// Service, market, tape: tells the prices of one symbol from faults of the data. Pure.
// A bar is evaluated by the bars before it and, while it is quarantined, by the bars after it.
import type { Bar } from '../../engine/types.ts';
import { type BarActions, isCorrected, withoutDecision } from './bar-actions.ts';
import { evidenceAgainst, type FaultKind, type MoveContext } from './evidence.ts';
import { RecentMoves } from './recent-moves.ts';

/** Bars after a jump, at its level, with which a jump in the ratio of a split counts as one. */
const BARS_FOR_SPLIT = 5;
/** The same for a jump in any other ratio: a spin-off, another unit, another listing. */
const BARS_FOR_LEVEL = 20;
/** A spike that neither lasts nor returns is used after so many bars. */
const BARS_FOR_SPIKE = 5;
/** Bars after a jump from which their moves show a crash. */
const BARS_FOR_CRASH = 3;
/** Moves after a jump, in usual ones, from which it was a crash: a split leaves moves as they are. */
const CRASH_MOVES = 2.5;
/** Share of a jump that may remain for the price to have returned. */
const RETURNED = 0.4;
/** Missing sessions in a row that make a gap: calendars of other countries miss fewer. */
export const GAP_SESSIONS = 3;

export interface Quarantine {
  /** Index of the first bar in question. */
  readonly from: number;
  /** Index of the bar that ended it; null: it lasts. */
  readonly until: number | null;
  readonly kind: FaultKind;
  /** Close before, and the one in question. */
  readonly before: number;
  readonly close: number;
  /** real: the bars count. adjusted: bars before were adjusted. refused: they were no prices. */
  readonly outcome: 'real' | 'adjusted' | 'refused' | null;
}

/** From bar `index` on, prices have another level. */
export interface Adjustment {
  readonly index: number;
  /** New level over old one: 0.25 for a split 4:1. */
  readonly factor: number;
  /** Index of the bar with whose close it is known. */
  readonly knownBy: number;
  readonly origin: 'inferred' | 'action' | 'dividend';
}

export interface Gap {
  /** Index of the first bar after it. */
  readonly index: number;
  readonly sessions: number;
}

export interface Inspection {
  /** For each bar the index of the bar with whose close it counts; REFUSED or PENDING. */
  readonly releasedBy: Int32Array;
  readonly quarantines: readonly Quarantine[];
  /** In order of `index`. */
  readonly adjustments: readonly Adjustment[];
  readonly gaps: readonly Gap[];
}

export const REFUSED = -1;
export const PENDING = -2;

export interface InspectionContext {
  /** Shares and funds, which split. */
  readonly splits: boolean;
  /** Whether a fall or rise beyond 0.7 or 1.4 has to show in volume, range or the market. An index of volatility jumps. */
  readonly jumps: boolean;
  /** Sessions between two dates, both excluded. */
  readonly sessionsBetween: (from: string, to: string) => number;
  /**
   * The usual moves, as a multiple, that other symbols of the market made on the date; 0: few moved, or none
   * is known.
   */
  readonly marketMove: (date: string) => number;
  /** What is known of the bar of a date, and of the dates without one after `after`. */
  readonly barActions: (date: string, after?: string) => BarActions | null;
}

/** @param bars as they arrived, oldest first, one a date */
export function inspect(bars: readonly Bar[], context: InspectionContext): Inspection {
  const run = new InspectionRun(bars, context);
  for (let index = 0; index < bars.length; index++) run.take(index);
  return run.finish();
}

/** A jump or spike whose nature is not known yet. */
interface Open {
  readonly from: number;
  readonly kind: FaultKind;
  /** New level over that of `before`, should it be a change of level. */
  readonly factor: number;
  /** New level over old one of the splits that are known of it. */
  readonly level: number;
  /** Close that the price is compared with: the last one that counts, at that level. */
  readonly before: number;
}

class InspectionRun {
  readonly #bars: readonly Bar[];
  readonly #context: InspectionContext;
  readonly #releasedBy: Int32Array;
  readonly #quarantines: Quarantine[] = [];
  readonly #adjustments: Adjustment[] = [];
  readonly #gaps: Gap[] = [];
  readonly #moves = new RecentMoves();
  /** Index of the last bar that counts. */
  #last = -1;
  /** Index of the last bar that was not refused by a ruling. */
  #seen = -1;
  #open: Open | null = null;
  /** Sessions without a bar before the present one. */
  #missing = 0;

  constructor(bars: readonly Bar[], context: InspectionContext) {
    this.#bars = bars;
    this.#context = context;
    this.#releasedBy = new Int32Array(bars.length).fill(PENDING);
  }

  take(index: number): void {
    const actions = this.#actionsSince(this.#last, index);
    this.#missing = this.#missingBefore(index);
    if (this.#missing >= GAP_SESSIONS) this.#gaps.push({ index, sessions: this.#missing });
    if (actions?.decision === 'refuse') {
      this.#releasedBy[index] = REFUSED;
      return;
    }
    if (this.#open !== null) this.#follow(this.#open, index);
    else this.#evaluate(index, actions);
    this.#seen = index;
  }

  finish(): Inspection {
    const open = this.#open;
    if (open !== null) this.#record(open, null, null);
    return {
      releasedBy: this.#releasedBy,
      quarantines: this.#quarantines,
      adjustments: this.#adjustments,
      gaps: this.#gaps,
    };
  }

  #bar(index: number): Bar {
    return this.#bars[index] as Bar;
  }

  /** What is known of a bar, and of the dates since another one. */
  #actionsSince(since: number, index: number): BarActions | null {
    const bar = this.#bar(index);
    const actions = this.#context.barActions(bar.date, this.#bars[since]?.date);
    if (actions?.decision === undefined || !isCorrected(actions, bar, this.#bars[index - 1])) return actions;
    // The decision was about another price. What is real stays so where most of its move does.
    const [correction, move] = [actions.decidedPrice?.close, this.#bars[this.#last]?.close].map((close) =>
      Math.abs(Math.log(bar.close / (close ?? bar.close))),
    ) as [number, number];
    return actions.decision === 'real' && correction < RETURNED * move ? actions : withoutDecision(actions);
  }

  #evaluate(index: number, actions: BarActions | null): void {
    if (this.#last < 0) {
      this.#accept(index, index);
      return;
    }
    const before = levelled(this.#bar(this.#last), dividendFactor(actions, this.#bar(this.#last)));
    const bar = this.#bar(index);
    const level = splitFactor(actions, before, bar);
    const found =
      actions?.decision === 'real' ? null : evidenceAgainst(before, atLevelBefore(bar, level), this.#moveTo(index));
    if (found === null) this.#adjust(index, level, index, 'action');
    else this.#open = { from: index, level, ...found, before: before.close * level };
  }

  #moveTo(index: number): MoveContext {
    const [context, { date }] = [this.#context, this.#bar(index)];
    const missing =
      this.#last === index - 1 ? this.#missing : context.sessionsBetween(this.#bar(this.#last).date, date);
    return {
      usual: this.#moves,
      splits: context.splits,
      jumps: context.jumps,
      sessions: 1 + missing,
      // Only a large move asks for it.
      marketMove: () => context.marketMove(date),
      isClosed: true,
    };
  }

  /** Decides by a bar after the one in question, where it can. */
  #follow(open: Open, index: number): void {
    const [bar, seen] = [this.#bar(index), this.#bar(this.#seen)];
    const actions = this.#actionsSince(this.#seen, index);
    const split = splitFactor(actions, seen, bar);
    const jump = Math.log(this.#bar(open.from).close / open.before);
    const now = Math.log(bar.close / (open.before * split * dividendFactor(actions, seen)));
    const after = index - open.from;
    if (Math.abs(now) < RETURNED * Math.abs(jump)) {
      this.#close(open, index, 'refused');
      this.#evaluate(index, this.#actionsSince(this.#last, index));
    } else if (split !== 1) {
      // Bars before a split and after it have no common level: those before are settled by now.
      this.#close(open, index, open.kind === 'spike' ? 'real' : 'adjusted', index - 1);
      this.#evaluate(index, this.#actionsSince(this.#last, index));
    } else if (actions?.factor !== undefined && Math.abs(jump - Math.log(actions.factor)) < RETURNED * Math.abs(jump)) {
      // The split of the jump in question, with a later date.
      this.#close({ ...open, factor: actions.factor }, index, 'adjusted');
    } else if (actions?.decision === 'real') this.#close(open, index, 'real');
    else if (open.kind === 'spike') {
      const stands = Math.abs(now - jump) < Math.abs(jump) / 2 || (now - jump) * jump > 0;
      if (stands || after >= BARS_FOR_SPIKE) this.#close(open, index, 'real');
    } else if (after >= BARS_FOR_CRASH && this.#isCrash(open, index)) this.#close(open, index, 'real');
    else if (after >= (open.kind === 'split' ? BARS_FOR_SPLIT : BARS_FOR_LEVEL)) this.#close(open, index, 'adjusted');
  }

  /** After a crash prices move more than before it, on most days: one large move is news of another kind. */
  #isCrash(open: Open, index: number): boolean {
    const sizes: number[] = [];
    for (let at = open.from + 1; at <= index; at++)
      sizes.push(Math.abs(Math.log(this.#bar(at).close / this.#bar(at - 1).close)));
    const middle = sizes.sort((a, b) => a - b)[(sizes.length - 1) >> 1] ?? 0;
    // The median size of a normal move is 0.67 of its deviation.
    return middle > CRASH_MOVES * 0.67 * this.#moves.deviation;
  }

  /** @param to last bar that counts, or not, by this */
  #close(open: Open, until: number, outcome: 'real' | 'adjusted' | 'refused', to = until): void {
    this.#record(open, until, outcome);
    this.#open = null;
    if (outcome === 'refused') {
      for (let at = open.from; at < until; at++) if (this.#releasedBy[at] === PENDING) this.#releasedBy[at] = REFUSED;
      return;
    }
    if (outcome === 'adjusted') this.#adjust(open.from, open.level * open.factor, until, 'inferred');
    else this.#adjust(open.from, open.level, until, 'action');
    for (let at = open.from; at <= to; at++) if (this.#releasedBy[at] === PENDING) this.#accept(at, until);
  }

  #record({ from, kind, before }: Open, until: number | null, outcome: Quarantine['outcome']): void {
    this.#quarantines.push({ from, until, kind, before, close: this.#bar(from).close, outcome });
  }

  /** The bars before `index` get the level of the bar itself, which counts. */
  #adjust(index: number, factor: number, knownBy: number, origin: Adjustment['origin']): void {
    if (factor !== 1) {
      this.#adjustments.push({ index, factor, knownBy, origin });
      this.#moves.rescale(factor);
    }
    this.#accept(index, knownBy);
  }

  #accept(index: number, releasedBy: number): void {
    this.#releasedBy[index] = releasedBy;
    const factor = this.#last < 0 ? 1 : dividendFactor(this.#actionsSince(this.#last, index), this.#bar(this.#last));
    if (factor !== 1) {
      this.#adjustments.push({ index, factor, knownBy: releasedBy, origin: 'dividend' });
      this.#moves.rescale(factor);
    }
    this.#moves.push(this.#bar(index));
    this.#last = index;
  }

  #missingBefore(index: number): number {
    const before = this.#bars[index - 1];
    return before === undefined ? 0 : this.#context.sessionsBetween(before.date, this.#bar(index).date);
  }
}

/** New level over old one of a day in progress, as its close will say it. A split is in its opening, wherever it goes then. */
export function levelOfDay(actions: BarActions | null, before: Bar, day: Bar): number {
  const dividend = dividendFactor(actions, before);
  const levels = [day, { ...day, close: day.open }].map((bar) => splitFactor(actions, levelled(before, dividend), bar));
  return dividend * (levels.find((level) => level !== 1) ?? 1);
}

const levelled = (bar: Bar, factor: number): Bar => (factor === 1 ? bar : { ...bar, close: bar.close * factor });

/** The bar as it would be without a split. */
export function atLevelBefore(bar: Bar, factor: number): Bar {
  if (factor === 1) return bar;
  const { open, high, low, close, volume } = bar;
  const prices = { open: open / factor, high: high / factor, low: low / factor, close: close / factor };
  return { ...bar, ...prices, volume: volume === null ? null : volume * factor };
}

/** New level over old one of a cash dividend; 1: none, or one that no price has. */
function dividendFactor(actions: BarActions | null, before: Bar): number {
  const factor = 1 - (actions?.dividend ?? 0) / before.close;
  return factor > 0 && factor < 1 ? factor : 1;
}

/** New level over old one of a split; 1: none, or that of a file whose prices are adjusted already. */
function splitFactor(actions: BarActions | null, before: Bar, bar: Bar): number {
  if (actions?.factor === undefined) return 1;
  const move = Math.log(bar.close / before.close);
  return Math.abs(move - Math.log(actions.factor)) < Math.abs(move) ? actions.factor : 1;
}
