// Renderer: a table whose rows are chosen by keyboard and of which only the rows in view are drawn.
import { Fragment, type HTMLAttributes, type ReactNode } from 'react';
import type { List, ListRow } from '../list/use-list.ts';
import { type TableColumn, TableHead } from './table-head.tsx';

interface GridProps<Item> {
  readonly list: List<Item>;
  readonly label: string;
  readonly className: string;
  readonly scrollClass?: string;
  readonly columns: readonly TableColumn[];
  /** How many rows there are, where not all of them are in the list yet. */
  readonly count?: number;
  readonly isMultiselect?: boolean;
  /** Draws a row or heading. `position` is its place in the grid, from 1; 1 is the head. */
  readonly draw: (row: ListRow<Item>, position: number) => ReactNode;
  /** Further handlers of the table. */
  readonly handlers?: HTMLAttributes<HTMLTableElement>;
  /** Below the table. */
  readonly children?: ReactNode;
}

export function Grid<Item>(props: GridProps<Item>) {
  const { list, columns, draw } = props;
  return (
    <div
      className={`scroll ${props.scrollClass ?? ''}`}
      ref={list.scroll}
      tabIndex={list.tabStop === null ? 0 : undefined}
    >
      <table
        className={`table ${props.className}`}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a grid is what a table is whose rows are chosen.
        role="grid"
        aria-label={props.label}
        aria-readonly="true"
        aria-multiselectable={props.isMultiselect}
        aria-rowcount={(props.count ?? list.count) + 1}
        {...props.handlers}
        {...list.handlers}
      >
        <TableHead columns={columns} isGrid />
        <tbody>
          {list.rows.map((row) => (
            <Fragment key={row.key}>
              <Spacer height={row.gap} />
              {draw(row, row.index + 2)}
            </Fragment>
          ))}
          <Spacer height={list.gapBelow} />
        </tbody>
      </table>
      {props.children}
    </div>
  );
}

/** Room of the rows that are not drawn. One cell spans no columns: hidden ones would come back. */
const Spacer = ({ height }: { height: number }) =>
  height <= 0 ? null : (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it takes the focus.
    <tr aria-hidden="true" className="table-spacer">
      <td style={{ height }} />
    </tr>
  );
