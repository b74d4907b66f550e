// Service, market, tape: separates the prices of one symbol from data faults. Pure.
// Evaluates a bar by the bars before it and, while it is quarantined, by the bars after it.
import type { Bar } from '../../engine/types.ts';
import { type BarActions, isCorrected, withoutDecision } from './bar-actions.ts';
import { evidenceAgainst, type FaultKind, type MoveContext } from './evidence.ts';
import { RecentMoves } from './recent-moves.ts';

/** Bars after a jump in the ratio of a split, at its level, that make it a split. */
const BARS_FOR_SPLIT = 5;
/**
 * Bars after a jump in another ratio that make it a change of level: a spin-off, a change of unit or listing.
 */
const BARS_FOR_LEVEL = 20;
/** Bars after which a spike that neither lasts nor returns is used. */
const BARS_FOR_SPIKE = 5;
/** Bars after a jump needed to recognize a crash by their moves. */
const BARS_FOR_CRASH = 3;
/** Moves after a crash, in usual moves: a split does not change the size of moves. */
const CRASH_MOVES = 2.5;
/** Share of a jump below which the price has returned. */
const RETURNED = 0.4;
/** Missing sessions in a row that make a gap: holidays of other countries are shorter. */
export const GAP_SESSIONS = 3;

export interface Quarantine {
  /** Index of the first bar in question. */
  readonly from: number;
  /** Index of the bar that ended the quarantine; null: it lasts. */
  readonly until: number | null;
  readonly kind: FaultKind;
  /** The close before, and the close in question. */
  readonly before: number;
  readonly close: number;
  /** real: the bars count. adjusted: they count, and earlier bars are adjusted. refused: they are dropped. */
  readonly outcome: 'real' | 'adjusted' | 'refused' | null;
}

/** A change of the price level from bar `index` on. */
export interface Adjustment {
  readonly index: number;
  /** New level over old level: 0.25 for a split 4:1. */
  readonly factor: number;
  /** Index of the bar whose close makes it known. */
  readonly knownBy: number;
  readonly origin: 'inferred' | 'action' | 'dividend';
}

export interface Gap {
  /** Index of the first bar after the gap. */
  readonly index: number;
  readonly sessions: number;
}

export interface Inspection {
  /** For each bar, the index of the bar whose close releases it; or REFUSED or PENDING. */
  readonly releasedBy: Int32Array;
  readonly quarantines: readonly Quarantine[];
  /** In order of `index`. */
  readonly adjustments: readonly Adjustment[];
  readonly gaps: readonly Gap[];
}

export const REFUSED = -1;
export const PENDING = -2;

export interface InspectionContext {
  /** Whether the instrument splits: shares and funds. */
  readonly splits: boolean;
  /** Whether a move beyond 0.7 or 1.4 must show in volume, range or market. False for volatility indices. */
  readonly jumps: boolean;
  /** Sessions between two dates, both excluded. */
  readonly sessionsBetween: (from: string, to: string) => number;
  /** Size of the market's move on a date, in usual moves; 0: few or no symbols moved. */
  readonly marketMove: (date: string) => number;
  /** Actions and decisions that apply to the bar of a date, including those dated between `after` and it. */
  readonly barActions: (date: string, after?: string) => BarActions | null;
}

/** @param bars unadjusted, oldest first, one per date */
export function inspect(bars: readonly Bar[], context: InspectionContext): Inspection {
  const run = new InspectionRun(bars, context);
  for (let index = 0; index < bars.length; index++) run.take(index);
  return run.finish();
}

/** A jump or spike under quarantine. */
interface OpenQuarantine {
  readonly from: number;
  readonly kind: FaultKind;
  /** New level over the level of `before`, if the move is a change of level. */
  readonly factor: number;
  /** New level over old level of the known splits in the move. */
  readonly level: number;
  /** Reference for the price: the last close that counts, at that level. */
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
  /** Index of the last bar that no operator decision refused. */
  #seen = -1;
  #open: OpenQuarantine | null = null;
  /** Missing sessions before the current bar. */
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
    if (this.#open !== null) this.#continueQuarantine(this.#open, index);
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

  /** Actions and decision for the bar at `index`, including dates after the bar at `since`. */
  #actionsSince(since: number, index: number): BarActions | null {
    const bar = this.#bar(index);
    const actions = this.#context.barActions(bar.date, this.#bars[since]?.date);
    if (actions?.decision === undefined || !isCorrected(actions, bar, this.#bars[index - 1])) return actions;
    // The decision was about a price corrected since. A confirmation holds if most of the move remains.
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
      // Lazy: only large moves need it.
      marketMove: () => context.marketMove(date),
      isClosed: true,
    };
  }

  /** Ends the quarantine if the bar at `index`, after the bar in question, decides it. */
  #continueQuarantine(open: OpenQuarantine, index: number): void {
    const [bar, seen] = [this.#bar(index), this.#bar(this.#seen)];
    const actions = this.#actionsSince(this.#seen, index);
    const split = splitFactor(actions, seen, bar);
    const jump = Math.log(this.#bar(open.from).close / open.before);
    const now = Math.log(bar.close / (open.before * split * dividendFactor(actions, seen)));
    const after = index - open.from;
    if (Math.abs(now) < RETURNED * Math.abs(jump)) {
      this.#endQuarantine(open, index, 'refused');
      this.#evaluate(index, this.#actionsSince(this.#last, index));
    } else if (split !== 1) {
      // Bars before and after a split have no common level, so the quarantine ends before the split.
      this.#endQuarantine(open, index, open.kind === 'spike' ? 'real' : 'adjusted', index - 1);
      this.#evaluate(index, this.#actionsSince(this.#last, index));
    } else if (actions?.factor !== undefined && Math.abs(jump - Math.log(actions.factor)) < RETURNED * Math.abs(jump)) {
      // The action explains the jump, with a later date.
      this.#endQuarantine({ ...open, factor: actions.factor }, index, 'adjusted');
    } else if (actions?.decision === 'real') this.#endQuarantine(open, index, 'real');
    else if (open.kind === 'spike') {
      const isLasting = Math.abs(now - jump) < Math.abs(jump) / 2 || (now - jump) * jump > 0;
      if (isLasting || after >= BARS_FOR_SPIKE) this.#endQuarantine(open, index, 'real');
    } else if (after >= BARS_FOR_CRASH && this.#isCrash(open, index)) this.#endQuarantine(open, index, 'real');
    else if (after >= (open.kind === 'split' ? BARS_FOR_SPLIT : BARS_FOR_LEVEL))
      this.#endQuarantine(open, index, 'adjusted');
  }

  /**
   * Whether most moves after the jump are larger than usual, as after a crash; a single large move is not
   * enough.
   */
  #isCrash(open: OpenQuarantine, index: number): boolean {
    const sizes: number[] = [];
    for (let at = open.from + 1; at <= index; at++)
      sizes.push(Math.abs(Math.log(this.#bar(at).close / this.#bar(at - 1).close)));
    const middle = sizes.sort((a, b) => a - b)[(sizes.length - 1) >> 1] ?? 0;
    // The median size of a normal move is 0.67 of its deviation.
    return middle > CRASH_MOVES * 0.67 * this.#moves.deviation;
  }

  /** Ends the quarantine. @param to last bar that it releases; default: the bar at `until` */
  #endQuarantine(open: OpenQuarantine, until: number, outcome: 'real' | 'adjusted' | 'refused', to = until): void {
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

  #record({ from, kind, before }: OpenQuarantine, until: number | null, outcome: Quarantine['outcome']): void {
    this.#quarantines.push({ from, until, kind, before, close: this.#bar(from).close, outcome });
  }

  /** Adjusts the bars before `index` to its level, and accepts the bar. */
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

/**
 * Level of the forming day over the level before, by splits and dividends. A split shows at least in the
 * open.
 */
export function levelOfDay(actions: BarActions | null, before: Bar, day: Bar): number {
  const dividend = dividendFactor(actions, before);
  const levels = [day, { ...day, close: day.open }].map((bar) => splitFactor(actions, levelled(before, dividend), bar));
  return dividend * (levels.find((level) => level !== 1) ?? 1);
}

const levelled = (bar: Bar, factor: number): Bar => (factor === 1 ? bar : { ...bar, close: bar.close * factor });

/** The bar at the level before a split. */
export function atLevelBefore(bar: Bar, factor: number): Bar {
  if (factor === 1) return bar;
  const { open, high, low, close, volume } = bar;
  const prices = { open: open / factor, high: high / factor, low: low / factor, close: close / factor };
  return { ...bar, ...prices, volume: volume === null ? null : volume * factor };
}

/** New level over old level of a cash dividend; 1: none, or an impossible amount. */
function dividendFactor(actions: BarActions | null, before: Bar): number {
  const factor = 1 - (actions?.dividend ?? 0) / before.close;
  return factor > 0 && factor < 1 ? factor : 1;
}

/** New level over old level of a split; 1: none, or the prices are already adjusted. */
function splitFactor(actions: BarActions | null, before: Bar, bar: Bar): number {
  if (actions?.factor === undefined) return 1;
  const move = Math.log(bar.close / before.close);
  return Math.abs(move - Math.log(actions.factor)) < Math.abs(move) ? actions.factor : 1;
}
