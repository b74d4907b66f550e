// Renderer: the order by risk of the rows and lists that the window has.
import { type RiskOrder, riskOrder } from '../../shared/domain/risk-order.ts';
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
