// Renderer: the current entries of the list; a sorted list freezes under the pointer.
// A row that moves while the pointer approaches would be clicked by mistake.
import { useMemo, useState } from 'react';
import { riskOrder } from '../../../shared/domain/risk-order.ts';
import type { Watchlist } from '../../../shared/domain/watchlists.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useIsOffline } from '../../store/connection-status.ts';
import { COLUMNS, type Column, type Grouping, type Sort, usePreference } from '../../store/preferences.ts';
import { symbolViewOf } from '../../store/select.ts';
import { useSnapshot } from '../../store/store.ts';
import { type ListItem, listItems } from './list-order.ts';

export interface ListView {
  readonly items: readonly ListItem[];
  readonly columns: readonly Column[];
  readonly sort: Sort | null;
  /** The rows are in the trader's order, so they can be moved. */
  readonly isOwnOrder: boolean;
  /** Handlers of the element that contains the rows. */
  readonly hold: { readonly onPointerEnter: () => void; readonly onPointerLeave: () => void };
}

interface Order {
  readonly list: Watchlist;
  readonly grouping: Grouping;
  readonly sort: Sort | null;
  readonly items: readonly ListItem[];
}

export function useListView(list: Watchlist): ListView {
  const isOffline = useIsOffline();
  const sort = usePreference((preference) => preference.sort);
  const grouping = usePreference((preference) => preference.grouping);
  const hidden = usePreference((preference) => preference.hidden);
  const [isOver, setOver] = useState(false);
  const [frozen, setFrozen] = useState<Order | null>(null);
  const isOwnOrder = sort === null && grouping === 'sections';
  // In the trader's order, changed rows do not change the order.
  const orderedRows = useSnapshot((snapshot) => (isOwnOrder ? null : snapshot.rows));
  const watchlists = useSnapshot((snapshot) => snapshot.watchlists);
  const now = useMemo((): Order => {
    const known = orderedRows ?? {};
    const options = {
      grouping,
      sort,
      rows: known,
      viewOf: (symbol: string) => symbolViewOf(known[symbol], isOffline),
      order: riskOrder(watchlists, (symbol) => known[symbol]),
      offlineHeading: texts.lists.unknownState,
    };
    return { list, grouping, sort, items: listItems(list, options) };
  }, [list, grouping, sort, orderedRows, watchlists, isOffline]);
  const isFrozen = frozen !== null && frozen.list === list && frozen.sort === sort && frozen.grouping === grouping;
  // Freezes the order at the time when the pointer entered, or when the user last changed the order.
  if (isOver ? !isFrozen : frozen !== null) setFrozen(isOver ? now : null);
  const columns = useMemo(() => COLUMNS.filter((column) => !hidden.includes(column)), [hidden]);
  return {
    items: isFrozen ? frozen.items : now.items,
    columns,
    sort,
    isOwnOrder,
    hold: { onPointerEnter: () => setOver(true), onPointerLeave: () => setOver(false) },
  };
}
