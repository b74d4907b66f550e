// Service, briefings: columns of the tables of symbols and of dimensions.
import { stateLabel } from '../../shared/domain/states.ts';
import { priceText } from '../signals/notes.ts';
import type { SymbolSnapshot } from './context.ts';
import {
  type Column,
  orNone,
  percent,
  points,
  power,
  rankText,
  regimeText,
  signed,
  signedPower,
  wholePercent,
} from './format.ts';
import { type DimensionRank, eventRate, moveOver, roomToBreach, size, usualMove } from './measures.ts';

/** Columns of tables whose rows are symbols. */
export const COLUMNS = {
  symbol: ['Symbol', ({ symbol }) => symbol],
  state: ['State', ({ state }) => stateLabel(state)],
  now: ['Now', ({ state }) => stateLabel(state)],
  price: ['>Price', ({ price }) => priceText(price)],
  day: ['>Day', ({ change }) => signed(change, 2)],
  week: ['>5 sessions', (snapshot) => signed(moveOver(snapshot, 5))],
  month: ['>21 sessions', (snapshot) => signed(moveOver(snapshot, 21))],
  drawdown: ['>Way to breach', ({ reading }) => orNone(reading.drawdownFraction, wholePercent)],
  breach: ['>Breach at', ({ reading }) => orNone(reading.breachLevel, priceText)],
  room: ['>Room', (snapshot) => orNone(roomToBreach(snapshot), percent)],
  usualDays: ['>In usual days', (snapshot) => usualDaysToBreach(snapshot)],
  usual: ['>Usual day', (snapshot) => orNone(usualMove(snapshot), (move) => percent(move, 2))],
  timesUsual: ['>Times usual', (snapshot) => (size(snapshot) ?? 0).toFixed(1)],
  confidence: ['>Confidence', ({ confidence }) => points(confidence)],
  baseRate: ['>Base rate', ({ baseRate }) => points(baseRate)],
  eventRate: ['>Base rate', (snapshot) => points(eventRate(snapshot))],
  regime: ['Regime', ({ regime }) => regimeText(regime)],
} as const satisfies Record<string, Column<SymbolSnapshot>>;

/** Columns of tables whose rows are dimensions. */
export const DIMENSION_COLUMNS = {
  name: ['Dimension', ({ dimension }) => `${dimension.code} ${dimension.name}`],
  domain: ['Measures', ({ dimension }) => dimension.domain],
  power: ['>Power', (rank) => power(rank.power)],
  rank: ['90-day place', ({ rank }) => rankText(rank)],
  change: ['>5 sessions', ({ change }) => signedPower(change)],
  share: ['>Share of risk', ({ share }) => signed(share, 0)],
} as const satisfies Record<string, Column<DimensionRank>>;

function usualDaysToBreach(snapshot: SymbolSnapshot): string {
  const usual = usualMove(snapshot);
  const left = roomToBreach(snapshot);
  return usual === null || left === null || usual === 0 ? 'n/a' : (left / usual).toFixed(1);
}
