// Renderer: the head of a table; a sortable column is a button and shows its direction.
import type { ReactNode } from 'react';
import { Icon } from '../icon.tsx';

export interface ColumnSort {
  readonly by: 'ascending' | 'descending' | null;
  readonly title?: string;
  readonly onSort: () => void;
}

export interface TableColumn {
  readonly name: string;
  /** Replaces the name in the head. */
  readonly label?: ReactNode;
  readonly className?: string;
  readonly title?: string;
  readonly span?: number;
  /** The name is for screen readers only. */
  readonly isSpoken?: boolean;
  readonly sort?: ColumnSort;
}

interface TableHeadProps {
  readonly columns: readonly TableColumn[];
  /** The rows of the table are numbered; the head is row 1. */
  readonly isGrid?: boolean;
  /** The whole head is for screen readers only. */
  readonly isSpoken?: boolean;
}

export const TableHead = ({ columns, isGrid = false, isSpoken = false }: TableHeadProps) => (
  <thead className={isSpoken ? 'spoken-head' : undefined}>
    <tr aria-rowindex={isGrid ? 1 : undefined}>
      {columns.map((column) => (
        <th
          key={column.name + column.className}
          scope="col"
          colSpan={column.span}
          className={column.className}
          title={column.title}
          aria-sort={column.sort?.by ?? undefined}
        >
          <HeadText {...column} isSpoken={isSpoken || column.isSpoken === true} />
        </th>
      ))}
    </tr>
  </thead>
);

function HeadText({ name, label = name, isSpoken = false, sort }: TableColumn) {
  if (isSpoken) return <span className="spoken">{label}</span>;
  if (sort === undefined) return label;
  return (
    <button type="button" className="table-sort" title={sort.title} onClick={sort.onSort}>
      {label}
      {sort.by !== null && <Icon name={sort.by === 'descending' ? 'down' : 'up'} size={9} />}
    </button>
  );
}
