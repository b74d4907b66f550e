// Renderer, pure: where a dragged row of the watchlist lands.
import { moveSymbol, positionOf } from '../../../shared/domain/watchlist-edits.ts';
import type { Watchlist } from '../../../shared/domain/watchlists.ts';

/** The position where a dragged row would land: at a row's upper or lower edge, or first in a section. */
export type Drop = { readonly symbol: string; readonly below: boolean } | { readonly section: number };

/** The list after the drop. */
export function landed(list: Watchlist, symbol: string, at: Drop): Watchlist {
  if ('section' in at) return moveSymbol(list, symbol, { section: at.section, index: 0 });
  if (at.symbol === symbol) return list;
  const from = positionOf(list, symbol);
  const target = positionOf(list, at.symbol);
  if (from === null || target === null) return list;
  // Positions do not count the moved row.
  const shift = from.section === target.section && from.index < target.index ? -1 : 0;
  return moveSymbol(list, symbol, { section: target.section, index: target.index + shift + (at.below ? 1 : 0) });
}
