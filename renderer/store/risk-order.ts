// Renderer: the order by risk of the rows and lists that the window has, and what is at stake.
import type { Stake } from '../../shared/domain/holdings.ts';
import { type RiskOrder, riskOrder } from '../../shared/domain/risk-order.ts';
import { texts } from '../../shared/text/texts.ts';
import type { CoreSnapshot } from './state.ts';
import { useSnapshot } from './store.ts';

type Ranked = Pick<CoreSnapshot, 'rows' | 'watchlists'>;
const orders = new WeakMap<Ranked['rows'], { readonly lists: Ranked['watchlists']; readonly order: RiskOrder }>();

/** The same object while rows and lists are the same. */
export function riskOrderOf({ rows, watchlists: lists }: Ranked): RiskOrder {
  const known = orders.get(rows);
  if (known?.lists === lists) return known.order;
  const order = riskOrder(lists, (symbol) => rows[symbol]);
  orders.set(rows, { lists, order });
  return order;
}

export const useRiskOrder = (): RiskOrder => useSnapshot(riskOrderOf);

/** A text about what is at stake in a symbol; null: it is not held. */
const useStake = (symbol: string, textOf: (stake: Stake) => string): string | null =>
  useSnapshot((snapshot) => {
    const stake = riskOrderOf(snapshot).stakeOf(symbol);
    return stake === null ? null : textOf(stake);
  });
export const useStakeText = (symbol: string): string | null => useStake(symbol, texts.book.stake);
/** The figure of a column: "6,896 · 1.2 %". */
export const useStakeFigure = (symbol: string): string | null => useStake(symbol, texts.book.stakeFigure);
