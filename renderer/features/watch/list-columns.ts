// Renderer: the column heads of the watchlist: clicks sort, then reverse, then restore the order.

import { texts } from '../../../shared/text/texts.ts';
import { type Column, preferences, type Sort } from '../../store/preferences.ts';
import type { ColumnSort, TableColumn } from '../../ui/table/table-head.tsx';

const SORTED = [
  { column: 'price', className: 'num wl-price', name: texts.watchlist.price },
  { column: 'change', className: 'num wl-change', name: texts.watchlist.change },
  { column: 'state', className: 'wl-state', name: texts.watchlist.state },
  { column: 'since', className: 'num wl-since', name: texts.watchlist.since },
  { column: 'confidence', className: 'num wl-conf', name: texts.watchlist.confidence },
  { column: 'breach', className: 'num wl-breach', name: texts.watchlist.breach },
  { column: 'age', className: 'num wl-age', name: texts.watchlist.age },
] as const;

export function listColumns(columns: readonly Column[], sort: Sort | null): readonly TableColumn[] {
  const sortOf = (column: Sort['column']): ColumnSort => ({
    by: sort?.column !== column ? null : sort.descending ? 'descending' : 'ascending',
    title: texts.lists.sortBy(texts.lists.sortNames[column]),
    onSort: () => preferences.nextSort(column),
  });
  return [
    { name: texts.watchlist.state, className: 'wl-glyph', isSpoken: true },
    { name: texts.watchlist.symbol, className: 'wl-sym', sort: sortOf('symbol') },
    ...(columns.includes('spark') ? [{ name: texts.watchlist.spark, className: 'wl-spark' }] : []),
    ...SORTED.filter(({ column }) => column === 'state' || columns.includes(column)).map(
      ({ column, ...head }): TableColumn => ({ ...head, sort: sortOf(column) }),
    ),
  ];
}
