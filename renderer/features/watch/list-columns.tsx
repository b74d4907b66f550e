// Renderer: the heads of the watchlist's columns. A click sorts, another one turns it round, a third gives the trader's own order back.
import { type Column, preferences, type Sort } from '../../store/preferences.ts';
import { en } from '../../text/en.ts';
import { Icon } from '../../ui/icon.tsx';

const HEADS = [
  { column: 'change', className: 'num wl-change', label: en.watch.change },
  { column: 'state', className: 'wl-state', label: en.watch.state },
  { column: 'since', className: 'num wl-since', label: en.watch.since },
  { column: 'confidence', className: 'num wl-conf', label: en.watch.confidence },
  { column: 'age', className: 'num wl-age', label: en.watch.age },
] as const;

export function ListColumns({ columns, sort }: { columns: readonly Column[]; sort: Sort | null }) {
  return (
    <thead>
      <tr aria-rowindex={1}>
        <th className="wl-glyph" scope="col">
          <span className="spoken">{en.watch.state}</span>
        </th>
        <Head className="wl-sym" column="symbol" label={en.watch.symbol} sort={sort} />
        {columns.includes('spark') && (
          <th className="wl-spark" scope="col">
            {en.watch.spark}
          </th>
        )}
        {HEADS.filter(({ column }) => column === 'state' || columns.includes(column)).map((head) => (
          <Head key={head.column} {...head} sort={sort} />
        ))}
      </tr>
    </thead>
  );
}

interface HeadProps {
  readonly className: string;
  readonly column: Sort['column'];
  readonly label: string;
  readonly sort: Sort | null;
}

function Head({ className, column, label, sort }: HeadProps) {
  const isSorted = sort?.column === column;
  return (
    <th
      className={className}
      scope="col"
      aria-sort={isSorted ? (sort.descending ? 'descending' : 'ascending') : undefined}
    >
      <button
        type="button"
        className="wl-sort"
        title={en.lists.sortBy(en.lists.sortNames[column])}
        onClick={() => preferences.nextSort(column)}
      >
        {label}
        {isSorted && <Icon name={sort.descending ? 'down' : 'up'} size={9} />}
      </button>
    </th>
  );
}
