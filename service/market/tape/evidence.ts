// Service, market, tape: weighs whether a large move is a price or a fault of the data. Pure.
// Undoes the fault that would explain the move: the more unusual the day still is, the likelier a real move.
import type { PriceDoubt } from '../../../shared/domain/price-questions.ts';
import type { Bar } from '../../engine/types.ts';
import type { RecentMoves } from './recent-moves.ts';

/** Smallest move in doubt, in usual moves: of all prices (a change of level), and of a stray close. */
const LEVEL_MOVE = 4;
const STRAY_MOVE = 5;
/** A stray close of this size is in doubt also with more volume, or without a known one. */
const WILD_MOVE = 8;
/** Nothing falls or rises that far on an ordinary day: as a logarithm, and in usual moves. */
const IMPOSSIBLE = Math.log(5);
const IMPOSSIBLE_MOVE = 15;
/** Logarithms of the smallest split in doubt, 11:10, and of the smallest change of level in another ratio. */
const SMALLEST_SPLIT = 0.07;
const SMALLEST_LEVEL = 0.16;
/** The smallest split that is certain at a close, and in doubt without its exact ratio: 5:4. */
const SMALLEST_CERTAIN = Math.log(1.24);
/** The smallest one that is in doubt within the day, or on a day that began at the old level: 4:3. */
const SMALLEST_EXACT = Math.log(1.32);
/** Usual move of a symbol with too few bars to measure it. */
const ASSUMED_DEVIATION = 0.032;
/** Largest multiple of the market's move that the market confirms. */
const MARKET_SHARE = 4;

/**
 * Surprise of a repaired day: at 1 or less it is a day like others, so the fault is certain; from 2 on it is none, so
 * the move was real; in between it is undecided.
 */
const CERTAIN = 1;
const REAL = 2;
const UNDECIDED = 1.01;
const UNKNOWN = 1.5;
/** What the silence of a vendor that reports splits adds. */
const SILENCE = 0.4;

/** Where a surprise of 1 ends, and one of 2 begins. */
type Limits = readonly [certain: number, real: number];
/**
 * In usual volumes: a real move multiplies the volume, a larger one more so; on a day with the exact ratio and the
 * range of a split, the more so.
 */
const levelVolume = (move: number, isSplitLike: boolean): Limits => [
  1.25,
  (isSplitLike ? 2 : 1) * Math.max(1.8, 1 + 4 * Math.abs(move)),
];
const STRAY_VOLUME: Limits = [1, 1.5];
const WILD_VOLUME: Limits = [1, 2.5];
const impossibleVolume = (move: number): Limits => [2.5, 1 + 4 * Math.abs(move)];
/** In usual ranges, of at least this share of the move: a real move leaves a range. */
const RANGE: Limits = [2, 4];
const LEAST_RANGE = 1 / 20;
/** Distance of the opening from where it would be, in usual moves of at least this size. */
const OPENING: Limits = [1.5, 3];
const LEAST_OPENING = 0.007;
/** The same as a share of the split. */
const OPENING_SHARE: Limits = [1 / 12, 1 / 3];
/** Move within the day, in usual moves. */
const WITHIN_DAY: Limits = [2.5, 5];
/** Distance of a stray close from the edge of its day, in usual ranges: a second price there refutes it. */
const BEYOND: Limits = [1 / 100, 1 / 20];
/** Distance of a price to the old level, as share of the move, that a single stray price may explain. */
const REACHES_BACK = 1 / 4;

/** Ratios of splits, stock dividends and reverse splits, as logarithms. */
const SPLITS: readonly number[] = [
  ...[
    11 / 10,
    6 / 5,
    5 / 4,
    4 / 3,
    3 / 2,
    5 / 3,
    2,
    5 / 2,
    3,
    4,
    5,
    6,
    7,
    8,
    9,
    10,
    12,
    15,
    20,
    25,
    30,
    40,
    50,
    75,
    100,
    200,
    500,
    1000,
  ],
].flatMap((ratio) => [Math.log(ratio), -Math.log(ratio)]);

export interface MoveContext {
  readonly usual: RecentMoves;
  /** Whether the instrument splits: shares and funds. */
  readonly splits: boolean;
  /** Whether the instrument is an input alone, as a volatility index: it may jump without any sign. */
  readonly inputOnly: boolean;
  /** Whether the source reports splits, so that its silence is evidence. */
  readonly reportsSplits: boolean;
  /** Sessions from the first bar to the second; 1: adjacent. */
  readonly sessions: number;
  /** Size of the market's move in the direction of a sign, in usual moves; 0: few or no symbols moved. */
  readonly marketMove: (sign: number) => number;
  /** Whether closes before it stay at its level: then it is no stray price, and nothing is certain. Default: false */
  readonly isLasting?: boolean;
  /** Whether the day is over. The volume and range of a forming day exonerate, but do not accuse. */
  readonly isClosed: boolean;
}

/** A fault that explains a move. */
export interface Doubt {
  readonly kind: PriceDoubt;
  /** New level over old level; 1: the level is the same. */
  readonly factor: number;
  readonly isCertain: boolean;
  /** Volume and range of the day without the fault, as multiples of the usual ones; null: not known. */
  readonly volume: number | null;
  readonly range: number | null;
}

type Explanation = Omit<Doubt, 'isCertain'> & { readonly surprise: number };

/** @returns the fault that may explain the bar after `before`; null: the move is real */
export function doubtOf(before: Bar, bar: Bar, context: MoveContext): Doubt | null {
  const move = Math.log(bar.close / before.close);
  const { usual, sessions, marketMove, isClosed, isLasting = false } = context;
  const deviation = (usual.isKnown ? usual.deviation : ASSUMED_DEVIATION) * Math.sqrt(sessions);
  const size = Math.abs(move) / deviation;
  const isImpossible = Math.abs(move) > IMPOSSIBLE && size > IMPOSSIBLE_MOVE;
  if (size < LEVEL_MOVE || (context.inputOnly && !isImpossible)) return null;
  if (!isImpossible && size <= MARKET_SHARE * marketMove(Math.sign(move))) return null;
  const given = { before: before.close, bar, move, deviation, isImpossible, context };
  const possible = [...(isLasting ? [] : strays(given)), ...levels(given)].filter(({ surprise }) => surprise < REAL);
  // Of equals the first: a close alone is wrong rather than all prices. A stray price of a forming day ends with
  // the next one, but a level does not.
  const [likeliest] = possible.sort((a, b) =>
    isClosed ? a.surprise - b.surprise : Number(a.kind === 'stray') - Number(b.kind === 'stray'),
  );
  if (likeliest === undefined) return null;
  const { surprise, ...doubt } = likeliest;
  return { ...doubt, isCertain: surprise <= CERTAIN && !isLasting };
}

interface LargeMove {
  /** The close before. */
  readonly before: number;
  readonly bar: Bar;
  /** Logarithm of its close over the close before. */
  readonly move: number;
  /** Usual move over as many sessions. */
  readonly deviation: number;
  readonly isImpossible: boolean;
  readonly context: MoveContext;
}

/** Explanations by a new level of all prices. */
function* levels(given: LargeMove): Generator<Explanation> {
  const { before, bar, move, deviation, isImpossible, context } = given;
  const { usual, splits, isClosed, reportsSplits } = context;
  if (Math.abs(move) < SMALLEST_SPLIT) return;
  const volume = usual.volumeOf(bar, Math.exp(move));
  for (const { shape, isWhole } of shapesOf(bar, move)) {
    // No split comes within a day.
    if (!isClosed && !isWhole) continue;
    const opening = Math.log(shape.open / before);
    const split = nearestSplit(opening);
    const range = usual.isKnown && usual.range > 0 ? Math.log(shape.high / shape.low) / usual.range : null;
    const found = { volume, range };
    const ofDay = Math.max(isWhole ? 0 : UNDECIDED, surpriseOfRange(given, shape));
    const ofClose = (level: number): number => degree(Math.abs(move - level) / deviation, WITHIN_DAY);
    const ofOpening = degree(Math.abs(opening - split), openingLimits(deviation, split));
    const isExact = ofOpening <= CERTAIN;
    const isSmall = Math.abs(split) < SMALLEST_CERTAIN;
    const isPossible = isClosed && isWhole ? isExact || !isSmall : isExact && Math.abs(split) > SMALLEST_EXACT;
    const ofPrices = Math.max(ofDay, ofOpening, ofClose(split), isSmall ? UNDECIDED : 0);
    const ofSource = reportsSplits ? UNDECIDED : 0;
    const silence = reportsSplits ? SILENCE : 0;
    if (isPossible && split * move > 0 && (splits || isImpossible))
      yield {
        ...{ kind: 'split', factor: Math.exp(split), ...found },
        surprise: Math.max(ofPrices, surpriseOfVolume(given, volume, ofPrices), ofSource) + silence,
      };
    if (isClosed && isWhole && Math.abs(opening) > Math.max(SMALLEST_LEVEL, LEVEL_MOVE * deviation))
      yield {
        ...{ kind: 'level', factor: Math.exp(opening), ...found },
        surprise: Math.max(
          ...[ofDay, ofClose(opening), surpriseOfVolume(given, volume, REAL), isImpossible ? CERTAIN : UNDECIDED],
        ),
      };
  }
}

function openingLimits(deviation: number, split: number): Limits {
  const usual = Math.max(deviation, LEAST_OPENING);
  const limit = (at: 0 | 1): number => Math.min(OPENING[at] * usual, OPENING_SHARE[at] * Math.abs(split));
  return [limit(0), limit(1)];
}

/** @param ofPrices the surprise of the day's prices */
function surpriseOfVolume({ move, isImpossible, context }: LargeMove, volume: number | null, ofPrices: number): number {
  if (volume === null) return isImpossible ? CERTAIN : UNKNOWN;
  const known = degree(volume, levelVolume(move, ofPrices <= CERTAIN));
  return context.isClosed ? known : Math.max(UNKNOWN, known);
}

function surpriseOfRange({ move, context: { usual } }: LargeMove, { high, low }: Bar): number {
  const unit = Math.max(usual.isKnown ? usual.range : 0, LEAST_RANGE * Math.abs(move));
  return degree(Math.log(high / low) / unit, RANGE);
}

/** Explanations by a wrong close, in a day that is ordinary without it. */
function* strays({ before, bar, move, deviation, isImpossible, context }: LargeMove): Generator<Explanation> {
  const { usual, isClosed } = context;
  const size = Math.abs(move) / deviation;
  const isWild = size >= WILD_MOVE;
  const volume = usual.volumeOf(bar, 1);
  if (size < STRAY_MOVE || (volume === null && !isWild)) return;
  const limits = isImpossible ? impossibleVolume(move) : isWild ? WILD_VOLUME : STRAY_VOLUME;
  const ofVolume = volume === null ? (isImpossible ? CERTAIN : UNKNOWN) : degree(volume, limits);
  const [edge, other] = move < 0 ? [bar.low, bar.high] : [bar.high, bar.low];
  // A single price has no other prices of its day, nor has a forming day.
  const ofDay =
    !isClosed || bar.high === bar.low
      ? 0
      : Math.max(
          degree(Math.abs(Math.log(bar.open / before)) / deviation, OPENING),
          degree(Math.abs(Math.log(other / bar.open)) / usual.range, RANGE),
          degree(Math.abs(Math.log(bar.close / edge)) / usual.range, BEYOND),
        );
  yield {
    ...{ kind: 'stray', factor: 1, volume, range: null },
    surprise: Math.max(ofDay, ofVolume, isImpossible ? CERTAIN : UNDECIDED),
  };
}

/**
 * The bar, and the bar without prices that reach back to the old level: one stray price, or a source that
 * opens a day at the last close, gives a split the range of a crash.
 */
function shapesOf(bar: Bar, move: number): { readonly shape: Bar; readonly isWhole: boolean }[] {
  const isBack = (price: number): boolean => Math.log(bar.close / price) / move > 1 - REACHES_BACK;
  const whole = { shape: bar, isWhole: true };
  const [edge, outer] = move < 0 ? (['high', Math.max] as const) : (['low', Math.min] as const);
  if (!isBack(bar[edge])) return [whole];
  const open = isBack(bar.open) ? bar.close : bar.open;
  return [whole, { shape: { ...bar, open, [edge]: outer(open, bar.close) }, isWhole: false }];
}

/** The split whose logarithm is nearest. */
const nearestSplit = (level: number): number =>
  SPLITS.reduce((best, one) => (Math.abs(level - one) < Math.abs(level - best) ? one : best));

/** The factor of a split that differs from a change of level by less than `band`, both as logarithms; or null. */
export function splitWithin(level: number, band: number): number | null {
  const nearest = nearestSplit(level);
  return Math.abs(level - nearest) < band ? Math.exp(nearest) : null;
}

/** The surprise of a value, by ratio: 1 at the first limit, 2 at the second. */
const degree = (value: number, [certain, real]: Limits): number =>
  1 + Math.log(value / certain) / Math.log(real / certain);
