// Service, market, tape: whether a move looks like a fault of the data. Pure.
// A crash shows in what is traded and how far prices range within the day; a split shows in neither.
import type { Bar } from '../../engine/types.ts';
import type { RecentMoves } from './recent-moves.ts';

/** Logarithms of 1.4 and of 0.7: beyond them a move of a share is compared with a split. */
const JUMP_UP = Math.log(1.4);
const JUMP_DOWN = Math.log(0.7);
/** Smallest move that is compared with the small splits (5:4, 6:5), on an otherwise ordinary day. */
const SMALL_JUMP = 0.16;
/** Coins, indices and currencies do not split; a larger factor means another unit. */
const OTHER_UNIT = Math.log(5);
/** Usual moves from which a move may be a split at all: in a crisis everything jumps. */
const JUMP = 4;
/** Usual moves from which a move is a spike until something confirms it. */
const SPIKE = 8;
/** The same where the volume of the day is an ordinary one. */
const NORMAL_SPIKE = 5;
/** Times the usual volume: below NORMAL_VOLUME nothing happened, above HOT_VOLUME something did. */
const NORMAL_VOLUME = 1.3;
const HOT_VOLUME = 2.5;
/** A crash trades more the larger it is: times the usual volume for each unit of logarithm. */
const CRASH_VOLUME = 4;
/** Times the usual range, and share of the move, from which a day ranged like a crash. */
const CRASH_RANGE = 3;
const CRASH_RANGE_SHARE = 1 / 4;
const ORDINARY_RANGE = 2;
/** Share of the move: where a range comes that close to the old level, one price there may have made it. */
const REACHES_BACK = 1 / 4;
/** How much larger than the market's a move may be for the market to confirm it. */
const MARKET_SHARE = 4;

/** Ratios in which shares are split or joined. */
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
/** How far an opening may be from the ratio, in usual moves and as a logarithm. */
const BAND = 2.5;
const WIDEST_BAND = 0.08;

/** level: a jump in no ratio of a split. */
export type FaultKind = 'split' | 'level' | 'spike';

export interface MoveContext {
  readonly usual: RecentMoves;
  readonly splits: boolean;
  readonly jumps: boolean;
  /** Sessions that the move took, 1 for neighbours. */
  readonly sessions: number;
  readonly marketMove: () => number;
  /** Whether the day is over: one in progress is made of several prices, none of which is from before it. */
  readonly isClosed: boolean;
}

export interface Suspicion {
  readonly kind: FaultKind;
  /** New level over old one, should it be a change of level. */
  readonly factor: number;
}

/** @returns what the bar after `before` may be instead of a price; null: nothing speaks against it */
export function evidenceAgainst(before: Bar, bar: Bar, context: MoveContext): Suspicion | null {
  const { usual, splits, jumps, sessions } = context;
  const move = Math.log(bar.close / before.close);
  const deviation = (usual.isKnown ? usual.deviation : SMALL_JUMP / NORMAL_SPIKE) * Math.sqrt(sessions);
  if (Math.abs(move) < NORMAL_SPIKE * deviation && move > JUMP_DOWN && move < JUMP_UP) return null;
  const opening = Math.log(bar.open / before.close);
  if (jumps || Math.abs(move) > OTHER_UNIT) {
    const volume = usual.volumeOf(bar, bar.close / before.close);
    const split = splits || Math.abs(move) > OTHER_UNIT ? nearestSplit(opening, move, deviation) : null;
    // Sources that fill an opening with the last close, or one trade before it, give a split the range of a crash.
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

/** New price over old one of the split that the move resembles; null where it resembles none. */
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

/** Whether the range of the bar comes close to the level before it. */
function reachesBack(before: Bar, bar: Bar, move: number): boolean {
  const left = move < 0 ? Math.log(before.close / bar.high) : Math.log(bar.low / before.close);
  return left < REACHES_BACK * Math.abs(move);
}

/**
 * Whether the day traded like one on which a price loses or gains that much.
 * @param isDoubtful whether its range says so only with a large volume or the market
 */
function isTraded(
  bar: Bar,
  move: number,
  volume: number | null,
  isDoubtful: boolean,
  { usual, splits, marketMove }: MoveContext,
): boolean {
  if (volume !== null && volume > 2 + CRASH_VOLUME * Math.abs(move)) return true;
  // What does not split falls that far only with its market.
  const isOfMarket = (): boolean => Math.abs(move) / usual.deviation <= MARKET_SHARE * marketMove();
  if (!splits && isOfMarket()) return true;
  const range = Math.log(bar.high / bar.low);
  const ranged = range > CRASH_RANGE * usual.range && range > CRASH_RANGE_SHARE * Math.abs(move);
  if (!ranged || Math.abs(move) >= OTHER_UNIT) return false;
  if (isDoubtful) return (volume !== null && volume >= HOT_VOLUME) || isOfMarket();
  return !(volume !== null && volume < NORMAL_VOLUME);
}

/** Whether range and volume of the day are the usual ones. A doubtful range says nothing where the volume is known. */
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
