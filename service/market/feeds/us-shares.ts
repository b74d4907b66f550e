// Service, market feeds: what vendors of shares and funds of the United States have in common.
import { isSymbol } from '../../../shared/domain/instruments.ts';
import { isSession, sessionOn } from '../../../shared/domain/sessions.ts';
import { inferListing } from '../csv/instruments.ts';
import type { FeedBar, FeedListing } from './price-feed.ts';

/** They write classes of shares with a dot: BRK.B for BRK-B. */
export const tickerOf = (symbol: string): string => symbol.replace('-', '.');

/** Infers a listing from the ticker alone; null: it is no share and no fund. */
export function shareListing(symbol: string): FeedListing | null {
  const { name, assetClass } = inferListing(symbol).instrument;
  if (!isSymbol(symbol) || (assetClass !== 'equity' && assetClass !== 'etf')) return null;
  return { symbol, name, assetClass, calendar: 'us', currency: 'USD' };
}

/** Prices and volume of a row. */
export interface ShareRow {
  readonly o: number;
  readonly h: number;
  readonly l: number;
  readonly c: number;
  readonly v: number;
}

/** Without a valid price: the day becomes a gap, and the other rows of the page count. */
export const isSound = ({ o, h, l, c }: ShareRow): boolean => Math.min(o, h, l, c) > 0 && h >= l;

/** @param closeDelayMs time after the close from which the row is final */
export function dayBar(symbol: string, date: string, row: ShareRow, closeDelayMs: number, now: number): FeedBar | null {
  if (!isSound(row) || !isSession('us', date)) return null;
  const { open: start, close: end } = sessionOn('us', date);
  const { o: open, h: high, l: low, c: close, v } = row;
  const prices = { open, high, low, close, volume: v > 0 ? v : null };
  return { symbol, step: 'day', date, start, end, isClosed: end + closeDelayMs <= now, ...prices };
}
