// Renderer: the column heads of the watchlist: a click sorts, then reverses, then restores the order.
import { type Column, preferences, type Sort } from '../../store/preferences.ts';
import { en } from '../../text/en.ts';
import type { ColumnSort, TableColumn } from '../../ui/table/table-head.tsx';

const SORTED = [
  { column: 'change', className: 'num wl-change', name: en.watch.change },
  { column: 'state', className: 'wl-state', name: en.watch.state },
  { column: 'since', className: 'num wl-since', name: en.watch.since },
  { column: 'confidence', className: 'num wl-conf', name: en.watch.confidence },
  { column: 'age', className: 'num wl-age', name: en.watch.age },
] as const;

export function listColumns(columns: readonly Column[], sort: Sort | null): readonly TableColumn[] {
  const sortOf = (column: Sort['column']): ColumnSort => ({
    by: sort?.column !== column ? null : sort.descending ? 'descending' : 'ascending',
    title: en.lists.sortBy(en.lists.sortNames[column]),
    onSort: () => preferences.nextSort(column),
  });
  return [
    { name: en.watch.state, className: 'wl-glyph', isSpoken: true },
    { name: en.watch.symbol, className: 'wl-sym', sort: sortOf('symbol') },
    ...(columns.includes('spark') ? [{ name: en.watch.spark, className: 'wl-spark' }] : []),
    ...SORTED.filter(({ column }) => column === 'state' || columns.includes(column)).map(
      ({ column, ...head }): TableColumn => ({ ...head, sort: sortOf(column) }),
    ),
  ];
}
