// Renderer, pure: the values in the columns of a watchlist row.
import type { Row, RowSignal } from '../../../shared/channels/state.ts';
import { breachDistance, type FallChance, fallChance } from '../../../shared/domain/fall-chance.ts';
import { bookOf, type FallCost, fallCost, type HoldingLists } from '../../../shared/domain/holdings.ts';
import type { Column } from '../../store/preferences.ts';
import { lastPriceOf, type SymbolView } from '../../store/select.ts';

/** The number in each column, by which it sorts; null: none. */
export interface RowValues extends Readonly<Record<Column, number | null>> {
  /** null: the state is not known now. */
  readonly signal: RowSignal | null;
  readonly fall: FallChance | null;
  /** What that fall costs the holder; null: not held, or its size is unknown. */
  readonly cost: FallCost | null;
}

export function rowValues(symbol: string, row: Row | undefined, view: SymbolView, lists: HoldingLists): RowValues {
  const signal = view.kind === 'state' ? (row?.signal ?? null) : null;
  const fall = signal === null ? null : fallChance(row);
  const size = fall?.size ?? null;
  const held = bookOf(lists).get(symbol);
  const cost = held === undefined || size === null || signal?.price == null ? null : fallCost(held, signal.price, size);
  const last = lastPriceOf(row);
  return {
    signal,
    fall,
    cost,
    toBreach: signal === null ? null : breachDistance(signal),
    chance: fall?.percent ?? null,
    risk: cost?.amount ?? null,
    price: last?.price ?? null,
    change: signal !== null || view.kind === 'regime_only' ? (last?.change ?? null) : null,
  };
}
