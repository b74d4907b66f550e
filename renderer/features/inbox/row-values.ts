// Renderer, pure: what a row of the inbox says: distance to the breach, loss today, times; and the next breach.
import type { Row } from '../../../shared/channels/state.ts';
import { breachDistance } from '../../../shared/domain/fall-chance.ts';
import { bookOf, type FallCost, fallCost, type HoldingLists } from '../../../shared/domain/holdings.ts';
import { clockTime, DASH, datePartsIn, type Zone } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import { lastPriceOf } from '../../store/select.ts';

/** "1.9 %" above the breach level, "past 8.1 %" below it. */
export function breachText(row: Row | undefined): string {
  const signal = row?.signal ?? null;
  const distance = signal === null || row?.stale === true ? null : breachDistance(signal);
  return distance === null ? DASH : texts.watchlist.toBreach(distance);
}

/** What the holder has lost since the previous close, negative for a gain; null: not held, or not known. */
export function lossToday(lists: HoldingLists, row: Row | undefined): FallCost | null {
  const last = lastPriceOf(row);
  if (row === undefined || row.stale || last === null || last.isOld || last.price === null || last.change === null)
    return null;
  const held = bookOf(lists).get(row.symbol);
  return held === undefined ? null : fallCost(held, last.price / (1 + last.change / 100), -last.change);
}

/** "10:30" today, else "28 Nov". */
export function dayOrTime(ms: number, zone: Zone, now: number): string {
  const { day, month } = datePartsIn(ms, zone);
  return isSameDay(ms, now, zone) ? clockTime(ms, zone) : `${day} ${month}`;
}

/** "2 to 10 Nov", "28 Oct to 3 Nov", "10:15 to 11:20" today. */
export function dayRange(from: number, until: number, zone: Zone, now: number): string {
  if (isSameDay(from, until, zone))
    return isSameDay(from, now, zone)
      ? texts.inbox.range(dayOrTime(from, zone, now), dayOrTime(until, zone, now))
      : dayOrTime(from, zone, now);
  const [start, end] = [datePartsIn(from, zone), datePartsIn(until, zone)];
  const last = `${end.day} ${end.month}`;
  return texts.inbox.range(start.month === end.month ? start.day : `${start.day} ${start.month}`, last);
}

function isSameDay(a: number, b: number, zone: Zone): boolean {
  const [one, other] = [datePartsIn(a, zone), datePartsIn(b, zone)];
  return one.day === other.day && one.month === other.month && one.year === other.year;
}

/** The symbol that is nearest to High Risk. */
export interface NextBreach {
  readonly symbol: string;
  readonly level: number;
  /** How many symbols may become High Risk. */
  readonly count: number;
}

/** null: no symbol has a breach level ahead. */
export function nextBreach(rows: readonly Row[]): NextBreach | null {
  const ahead = rows.filter(({ stale, signal }) => !stale && signal !== null && signal.state < 2);
  let nearest: NextBreach | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const { symbol, signal } of ahead) {
    const distance = signal === null ? null : breachDistance(signal);
    const level = signal?.breach_level ?? null;
    if (distance === null || distance <= 0 || level === null || distance >= least) continue;
    least = distance;
    nearest = { symbol, level, count: ahead.length };
  }
  return nearest;
}
