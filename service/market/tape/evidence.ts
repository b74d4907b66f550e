// Service, market, tape: decides whether a move looks like a data fault. Pure.
// A crash raises the volume and the day's range; a split raises neither.
import type { Bar } from '../../engine/types.ts';
import type { RecentMoves } from './recent-moves.ts';

/** Logarithms of 1.4 and 0.7: larger moves of a share are compared with splits. */
const JUMP_UP = Math.log(1.4);
const JUMP_DOWN = Math.log(0.7);
/** Smallest move compared with the small splits (5:4, 6:5), on an otherwise ordinary day. */
const SMALL_JUMP = 0.16;
/** Coins, indices and currencies do not split; a larger move means a change of unit. */
const OTHER_UNIT = Math.log(5);
/** Smallest possible split, in usual moves: in a crisis every price jumps. */
const JUMP = 4;
/** Smallest spike, in usual moves, if the volume is not known. */
const SPIKE = 8;
/** Smallest spike on a day of ordinary volume, in usual moves. */
const NORMAL_SPIKE = 5;
/** Multiples of the usual volume: below NORMAL_VOLUME the day is ordinary; HOT_VOLUME confirms a move. */
const NORMAL_VOLUME = 1.3;
const HOT_VOLUME = 2.5;
/** Volume of a crash: multiples of the usual volume for each unit of its logarithm. */
const CRASH_VOLUME = 4;
/** Range of a crash day: multiple of the usual range, and share of the move. */
const CRASH_RANGE = 3;
const CRASH_RANGE_SHARE = 1 / 4;
const ORDINARY_RANGE = 2;
/** Distance from a range to the old level, as share of the move, that a single stray price may explain. */
const REACHES_BACK = 1 / 4;
/** Largest multiple of the market's move that the market confirms. */
const MARKET_SHARE = 4;

/** Ratios of splits and reverse splits. */
const RATIOS = [
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
];
const SPLITS: readonly number[] = RATIOS.flatMap((ratio) => [ratio, 1 / ratio]);
/** Largest distance of a move from a split ratio: in usual moves, and as a logarithm. */
const BAND = 2.5;
const WIDEST_BAND = 0.08;

/** level: a jump that matches no split ratio. */
export type FaultKind = 'split' | 'level' | 'spike';

export interface MoveContext {
  readonly usual: RecentMoves;
  readonly splits: boolean;
  readonly jumps: boolean;
  /** Sessions from the first bar to the second; 1: adjacent. */
  readonly sessions: number;
  readonly marketMove: () => number;
  /** Whether the day is over. A forming day contains no price from before its session. */
  readonly isClosed: boolean;
}

export interface Suspicion {
  readonly kind: FaultKind;
  /** New level over old level, if the move is a change of level. */
  readonly factor: number;
}

/** @returns the fault that the bar after `before` resembles; null: it looks like a price */
export function evidenceAgainst(before: Bar, bar: Bar, context: MoveContext): Suspicion | null {
  const { usual, splits, jumps, sessions } = context;
  const move = Math.log(bar.close / before.close);
  const deviation = (usual.isKnown ? usual.deviation : SMALL_JUMP / NORMAL_SPIKE) * Math.sqrt(sessions);
  if (Math.abs(move) < NORMAL_SPIKE * deviation && move > JUMP_DOWN && move < JUMP_UP) return null;
  const opening = Math.log(bar.open / before.close);
  if (jumps || Math.abs(move) > OTHER_UNIT) {
    const volume = usual.volumeOf(bar, bar.close / before.close);
    const split = splits || Math.abs(move) > OTHER_UNIT ? nearestSplit(opening, move, deviation) : null;
    // A source that opens a day at the last close gives a split the range of a crash.
    const isDoubtful = context.isClosed && split !== null && reachesBack(before, bar, move);
    const isLarge = (move > JUMP_UP || move < JUMP_DOWN) && !isTraded(bar, move, volume, isDoubtful, context);
    const isSmall =
      splits &&
      usual.isKnown &&
      split !== null &&
      Math.abs(move) > SMALL_JUMP &&
      isOrdinary(bar, volume, isDoubtful, usual);
    if (Math.abs(move) > JUMP * deviation && (isLarge || isSmall))
      return { kind: split === null ? 'level' : 'split', factor: split ?? Math.exp(opening) };
  }
  if (Math.abs(move) < NORMAL_SPIKE * deviation || isConfirmed(move, deviation, usual.volumeOf(bar, 1), context))
    return null;
  return { kind: 'spike', factor: 1 };
}

/** New level over old level of the split closest to the move; null: none is close. */
export function nearestSplit(opening: number, move: number, deviation: number): number | null {
  const band = Math.min(WIDEST_BAND, BAND * deviation);
  let best: number | null = null;
  let least = band;
  for (const ratio of SPLITS) {
    const distance = Math.min(Math.abs(opening - Math.log(ratio)), Math.abs(move - Math.log(ratio)));
    if (distance < least) [best, least] = [ratio, distance];
  }
  return best;
}

/** Whether the range of the bar comes close to the previous level. */
function reachesBack(before: Bar, bar: Bar, move: number): boolean {
  const left = move < 0 ? Math.log(before.close / bar.high) : Math.log(bar.low / before.close);
  return left < REACHES_BACK * Math.abs(move);
}

/**
 * Whether volume, range or market confirm a large move.
 * @param isDoubtful whether the range counts only together with a large volume or the market
 */
function isTraded(
  bar: Bar,
  move: number,
  volume: number | null,
  isDoubtful: boolean,
  { usual, splits, marketMove }: MoveContext,
): boolean {
  if (volume !== null && volume > 2 + CRASH_VOLUME * Math.abs(move)) return true;
  // An instrument that does not split moves that far only with its market.
  const isOfMarket = (): boolean => Math.abs(move) / usual.deviation <= MARKET_SHARE * marketMove();
  if (!splits && isOfMarket()) return true;
  const range = Math.log(bar.high / bar.low);
  const ranged = range > CRASH_RANGE * usual.range && range > CRASH_RANGE_SHARE * Math.abs(move);
  if (!ranged || Math.abs(move) >= OTHER_UNIT) return false;
  if (isDoubtful) return (volume !== null && volume >= HOT_VOLUME) || isOfMarket();
  return !(volume !== null && volume < NORMAL_VOLUME);
}

/** Whether the day's range and volume are usual. A doubtful range is ignored if the volume is known. */
const isOrdinary = (bar: Bar, volume: number | null, isDoubtful: boolean, usual: RecentMoves): boolean =>
  (Math.log(bar.high / bar.low) < ORDINARY_RANGE * usual.range || (isDoubtful && volume !== null)) &&
  !(volume !== null && volume > NORMAL_VOLUME);

/** Whether the volume of the day or the market confirms a large move. */
function isConfirmed(move: number, deviation: number, volume: number | null, { marketMove }: MoveContext): boolean {
  const size = Math.abs(move) / deviation;
  if (Math.abs(move) < OTHER_UNIT && size <= MARKET_SHARE * marketMove()) return true;
  if (volume === null) return size < SPIKE;
  return size < SPIKE ? volume >= NORMAL_VOLUME : volume >= HOT_VOLUME && Math.abs(move) < OTHER_UNIT;
}
