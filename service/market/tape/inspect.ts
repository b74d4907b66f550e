// Service, market, tape: separates the prices of one symbol from data faults. Pure.
// Judges a bar by the bars before it; the next bars, an action or a decision may settle what was undecided.
import type { PriceAnswer } from '../../../shared/domain/price-questions.ts';
import type { Bar } from '../../engine/types.ts';
import type { BarList } from '../bar-series.ts';
import { type BarActions, isCorrected, withoutDecision } from './bar-actions.ts';
import { type Doubt, doubtOf, type MoveContext } from './evidence.ts';
import { atLevelBefore, dividendFactor, levelled, splitFactor } from './price-levels.ts';
import { RecentMoves } from './recent-moves.ts';

/** Bars after a price in question that may settle it. */
const WATCHED_BARS = 5;
/** Share of the move up to which an opening and a close have returned, in one step: real falls open near their close. */
const RETURNED = 0.3;
/** Share of the move by which a corrected price, or a late split, may differ. */
const SIMILAR = 0.4;
/** Closes in a row that are no prices by themselves, after which the next one at their level is a price in question. */
const LASTING_CLOSES = 2;
/** Bars after a price in question needed to recognize a crash by their moves. */
const BARS_FOR_CRASH = 3;
/** Moves after a crash, in usual moves: a split does not change the size of moves. */
const CRASH_MOVES = 2.5;
/** Bars before a price in question from which its usual moves are measured again. */
const USUAL_BARS = 300;
/** Missing sessions in a row that make a gap: holidays of other countries are shorter. */
export const GAP_SESSIONS = 3;

/** A price that may be a data fault. */
export interface PriceQuestion extends Doubt {
  /** Index of its bar. */
  readonly from: number;
  /** The close before at the level of the bar, after known splits. */
  readonly before: number;
  readonly close: number;
  /** How the price is used until the question is settled. */
  readonly countsAs: PriceAnswer;
  /** null: open. */
  readonly answer: PriceAnswer | null;
  /** Index of the bar whose close settles it; null: open. */
  readonly settledBy: number | null;
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
  /** For each bar, the index of the bar whose close shows that it is no price; or NEVER. */
  readonly droppedBy: Int32Array;
  readonly questions: readonly PriceQuestion[];
  /** In order of `index`. */
  readonly adjustments: readonly Adjustment[];
  readonly gaps: readonly Gap[];
}

export const NEVER = 2 ** 31 - 1;

export interface InspectionContext extends Pick<MoveContext, 'splits' | 'inputOnly' | 'reportsSplits'> {
  /** Sessions between two dates, both excluded. */
  readonly sessionsBetween: (from: string, to: string) => number;
  /** Size of the market's move on a date in the direction of a sign, in usual moves; 0: few symbols moved. */
  readonly marketMove: (date: string, sign: number) => number;
  /** Actions and decisions that apply to the bar of a date, including those dated between `after` and it. */
  readonly barActions: (date: string, after?: string) => BarActions | null;
}

/** @param bars unadjusted, oldest first, one per date */
export function inspect(bars: BarList, context: InspectionContext): Inspection {
  const run = new InspectionRun(bars, context);
  for (let index = 0; index < bars.length; index++) run.take(index);
  return run.finish();
}

/** A price in question that later bars may settle. */
interface Watched {
  /** Position in the list of questions. */
  readonly at: number;
  /** Index of the last bar before it that counts. */
  readonly last: number;
}

class InspectionRun {
  readonly #bars: BarList;
  readonly #context: InspectionContext;
  readonly #droppedBy: Int32Array;
  readonly #questions: PriceQuestion[] = [];
  readonly #adjustments: Adjustment[] = [];
  readonly #gaps: Gap[] = [];
  #moves = new RecentMoves();
  /** Index of the last bar that counts. */
  #last = -1;
  #watched: Watched | null = null;
  /** Missing sessions before the current bar. */
  #missing = 0;

  constructor(bars: BarList, context: InspectionContext) {
    this.#bars = bars;
    this.#context = context;
    this.#droppedBy = new Int32Array(bars.length).fill(NEVER);
  }

  take(index: number): void {
    this.#missing = this.#missingBefore(index);
    if (this.#missing >= GAP_SESSIONS) this.#gaps.push({ index, sessions: this.#missing });
    if (this.#watched !== null) this.#settle(this.#watched, index);
    const actions = this.#actionsSince(this.#last, index);
    if (this.#last < 0 && actions?.decision !== 'refuse') this.#accept(index);
    else this.#evaluate(index, actions);
  }

  finish(): Inspection {
    return {
      droppedBy: this.#droppedBy,
      questions: this.#questions,
      adjustments: this.#adjustments.sort((a, b) => a.index - b.index),
      gaps: this.#gaps,
    };
  }

  #bar(index: number): Bar {
    return this.#bars.at(index) as Bar;
  }

  /** undefined: there is none before the first. */
  #barBefore(index: number): Bar | undefined {
    return index > 0 ? this.#bar(index - 1) : undefined;
  }

  /** The last bar that counts. */
  #lastBar(): Bar | undefined {
    return this.#last < 0 ? undefined : this.#bar(this.#last);
  }

  /** Actions and decision for the bar at `index`, including dates after the bar at `since`. */
  #actionsSince(since: number, index: number): BarActions | null {
    const bar = this.#bar(index);
    const actions = this.#context.barActions(bar.date, this.#barBefore(since + 1)?.date);
    if (actions?.decision === undefined || !isCorrected(actions, bar, this.#barBefore(index))) return actions;
    // The decision was about a price corrected since. A confirmation holds if most of the move remains.
    const [correction, move] = [actions.decidedPrice?.close, this.#lastBar()?.close].map((close) =>
      Math.abs(Math.log(bar.close / (close ?? bar.close))),
    ) as [number, number];
    return actions.decision === 'real' && correction < SIMILAR * move ? actions : withoutDecision(actions);
  }

  #evaluate(index: number, actions: BarActions | null): void {
    const [bar, last] = [this.#bar(index), this.#lastBar()];
    if (last === undefined) {
      this.#droppedBy[index] = index;
      return;
    }
    const before = levelled(last, dividendFactor(actions, last));
    const level = splitFactor(actions, before, bar);
    const move = this.#moveTo(index);
    const { decision } = actions ?? {};
    const doubt = decision === 'real' ? null : doubtOf(before, atLevelBefore(bar, level), move);
    const question = { from: index, before: before.close * level, close: bar.close, settledBy: null, answer: null };
    if (decision === 'refuse') {
      const about = doubt ?? { kind: 'stray', factor: 1, isCertain: true, volume: null, range: null };
      this.#questions.push({ ...question, ...about, countsAs: 'no_price', answer: 'no_price', settledBy: index });
      this.#droppedBy[index] = index;
    } else if (doubt === null) {
      // Without its action, the price would be in question.
      const solved = level === 1 ? null : doubtOf(before, bar, move);
      const unadjusted = {
        ...question,
        before: before.close,
        factor: level,
        countsAs: 'price',
        answer: 'split',
      } as const;
      if (solved !== null) this.#questions.push({ ...solved, ...unadjusted, settledBy: index });
      this.#adjust(index, level, 'action');
    } else {
      this.#watched = { at: this.#questions.length, last: this.#last };
      const countsAs = !doubt.isCertain ? 'price' : doubt.kind === 'stray' ? 'no_price' : 'split';
      this.#questions.push({ ...question, ...doubt, countsAs });
      if (countsAs === 'no_price') this.#droppedBy[index] = index;
      else if (countsAs === 'split') this.#adjust(index, level * doubt.factor, 'inferred');
      else this.#adjust(index, level, 'action');
    }
  }

  #moveTo(index: number): MoveContext {
    const { date } = this.#bar(index);
    const { splits, inputOnly, reportsSplits, sessionsBetween, marketMove } = this.#context;
    const missing = this.#last === index - 1 ? this.#missing : sessionsBetween(this.#bar(this.#last).date, date);
    return {
      ...{ usual: this.#moves, splits, inputOnly, reportsSplits },
      sessions: 1 + missing,
      // Lazy: only large moves need it.
      marketMove: (sign) => marketMove(date, sign),
      isClosed: true,
      isLasting: this.#isLasting(index),
    };
  }

  /** Whether the closes just before stay at the level of the bar, and did not count: then no single price is wrong. */
  #isLasting(index: number): boolean {
    if (index - this.#last <= LASTING_CLOSES) return false;
    const [{ close }, jump] = [this.#bar(index), Math.log(this.#bar(index).close / this.#bar(this.#last).close)];
    return [...Array(LASTING_CLOSES).keys()].every(
      (at) => Math.abs(Math.log(this.#bar(index - 1 - at).close / close) / jump) < SIMILAR,
    );
  }

  /** Settles the price in question if the bar at `index` shows what it was. */
  #settle(watched: Watched, index: number): void {
    const question = this.#questions[watched.at] as PriceQuestion;
    const { from, countsAs } = question;
    const [bar, last] = [this.#bar(index), this.#bar(this.#last)];
    const actions = this.#actionsSince(this.#last, index);
    const level = splitFactor(actions, last, bar);
    const jump = Math.log(question.close / question.before);
    const reference = question.before * level * dividendFactor(actions, last);
    const distance = (price: number): number => Math.abs(Math.log(price / reference) / jump);
    const isAway = countsAs !== 'price' || distance(last.close * level) > 1 - RETURNED;
    const isBack = isAway && distance(bar.open) < RETURNED && distance(bar.close) < RETURNED;
    const late = actions?.factor;
    const isLate = late !== undefined && level === 1 && Math.abs(jump - Math.log(late)) < SIMILAR * Math.abs(jump);
    if (isBack) this.#takeBack(watched, index);
    else if (isLate && countsAs === 'price') this.#adjustLate(watched, index, late);
    else if (isLate && countsAs === 'split') this.#answer(watched, index, 'split');
    else if (countsAs === 'price' && index - from >= BARS_FOR_CRASH && this.#isCrash(from, index))
      this.#answer(watched, index, 'price');
    else if (level !== 1 || index - from >= WATCHED_BARS) this.#watched = null;
  }

  #answer({ at }: Watched, index: number, answer: PriceAnswer, factor?: number): void {
    const question = this.#questions[at] as PriceQuestion;
    this.#questions[at] = { ...question, answer, settledBy: index, factor: factor ?? question.factor };
    this.#watched = null;
  }

  /** The price has returned: it was none, nor were those at its level since. */
  #takeBack(watched: Watched, index: number): void {
    const { from, countsAs, factor } = this.#questions[watched.at] as PriceQuestion;
    for (let at = from; at < index; at++) this.#droppedBy[at] = Math.min(index, this.#droppedBy[at] as number);
    this.#answer(watched, index, 'no_price');
    this.#last = watched.last;
    this.#moves = this.#movesUpTo(index);
    if (countsAs !== 'split') return;
    // The bars before were adjusted to its level until now.
    this.#adjustments.push({ index, factor: 1 / factor, knownBy: index, origin: 'inferred' });
    this.#moves.rescale(1 / factor);
  }

  /** The action explains the price in question, with a later date. */
  #adjustLate(watched: Watched, index: number, factor: number): void {
    const { from } = this.#questions[watched.at] as PriceQuestion;
    this.#adjustments.push({ index: from, factor, knownBy: index, origin: 'inferred' });
    this.#answer(watched, index, 'split', factor);
    this.#moves = this.#movesUpTo(index);
  }

  /** The usual moves of the bars before `end`, without those that turned out to be no prices. */
  #movesUpTo(end: number): RecentMoves {
    const moves = new RecentMoves();
    for (let at = Math.max(0, end - USUAL_BARS); at < end; at++) {
      for (const { index, factor } of this.#adjustments) if (index === at) moves.rescale(factor);
      if (this.#droppedBy[at] === NEVER) moves.push(this.#bar(at));
    }
    return moves;
  }

  /**
   * Whether most moves after the price in question are larger than usual, as after a crash; a single large move
   * is not enough.
   */
  #isCrash(from: number, index: number): boolean {
    const sizes: number[] = [];
    for (let at = from + 1; at <= index; at++)
      sizes.push(Math.abs(Math.log(this.#bar(at).close / this.#bar(at - 1).close)));
    const middle = sizes.sort((a, b) => a - b)[(sizes.length - 1) >> 1] ?? 0;
    // The median size of a normal move is 0.67 of its deviation.
    return middle > CRASH_MOVES * 0.67 * this.#movesUpTo(from).deviation;
  }

  /** Adjusts the bars before `index` to its level, and accepts the bar. */
  #adjust(index: number, factor: number, origin: Adjustment['origin']): void {
    if (factor !== 1) {
      this.#adjustments.push({ index, factor, knownBy: index, origin });
      this.#moves.rescale(factor);
    }
    this.#accept(index);
  }

  #accept(index: number): void {
    const factor = this.#last < 0 ? 1 : dividendFactor(this.#actionsSince(this.#last, index), this.#bar(this.#last));
    if (factor !== 1) {
      this.#adjustments.push({ index, factor, knownBy: index, origin: 'dividend' });
      this.#moves.rescale(factor);
    }
    this.#moves.push(this.#bar(index));
    this.#last = index;
  }

  #missingBefore(index: number): number {
    const before = this.#barBefore(index);
    return before === undefined ? 0 : this.#context.sessionsBetween(before.date, this.#bar(index).date);
  }
}
