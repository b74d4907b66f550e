// Renderer: a grid: a table with rows chosen by keyboard, which draws only the rows in view.
import { Fragment, type HTMLAttributes, type ReactNode } from 'react';
import type { List, ListRow } from '../list/use-list.ts';
import { type TableColumn, TableHead } from './table-head.tsx';

interface GridProps<Item> {
  readonly list: List<Item>;
  readonly label: string;
  readonly className: string;
  readonly scrollClass?: string;
  readonly columns: readonly TableColumn[];
  /** Number of rows, if not all of them are loaded yet. */
  readonly count?: number;
  readonly isMultiselect?: boolean;
  /** Draws a row or heading. `position` is its position in the grid, from 1; 1 is the head. */
  readonly draw: (row: ListRow<Item>, position: number) => ReactNode;
  /** Further handlers of the table. */
  readonly handlers?: HTMLAttributes<HTMLTableElement>;
  /** Drawn below the table. */
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
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: its rows are choosable.
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

/** Room of the undrawn rows. One cell without a column span, which would bring hidden columns back. */
const Spacer = ({ height }: { height: number }) =>
  height <= 0 ? null : (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it is focusable.
    <tr aria-hidden="true" className="table-spacer">
      <td style={{ height }} />
    </tr>
  );
