// Renderer: a table with all its rows; where rows can be chosen, it is one tab stop.
import { type ReactNode, useRef } from 'react';
import { type RovingFocus, useRovingFocus } from '../list/use-roving-focus.ts';
import { type TableColumn, TableHead } from './table-head.tsx';

/** `className` applies to the head and the cells. */
export interface Column<Row> extends TableColumn {
  readonly cell: (row: Row) => ReactNode;
  readonly cellClass?: string | ((row: Row) => string);
  readonly cellTitle?: (row: Row) => string | undefined;
  /** The cells of this column are the heads of their rows. */
  readonly isRowHead?: boolean;
}

interface TableProps<Row> {
  readonly label?: string;
  /** Names the table instead of `label`; for screen readers only. */
  readonly caption?: string;
  readonly className?: string;
  /** A table without a visible head has a look of its own. spoken: for screen readers only. */
  readonly head?: 'shown' | 'spoken' | 'none';
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly rowClass?: (row: Row) => string;
  /** Rows can be chosen: by the button in the first cell, or with the pointer anywhere in the row. */
  readonly choice?: Choice<Row>;
}

interface Choice<Row> {
  readonly isChosen: (row: Row) => boolean;
  readonly onChoose: (row: Row) => void;
}

export function Table<Row>(props: TableProps<Row>) {
  const { choice } = props;
  return choice === undefined ? <PlainTable {...props} /> : <ChoiceTable {...props} choice={choice} />;
}

function ChoiceTable<Row>({ choice, ...props }: TableProps<Row> & { readonly choice: Choice<Row> }) {
  const { rows, keyOf } = props;
  const table = useRef<HTMLTableElement>(null);
  const chosen = rows.find(choice.isChosen);
  const focus = useRovingFocus({
    order: rows.map(keyOf),
    current: chosen === undefined ? null : keyOf(chosen),
    onMove(key) {
      const row = rows.find((each) => keyOf(each) === key);
      if (row !== undefined) choice.onChoose(row);
    },
    scroll: table,
  });
  return <PlainTable {...props} choice={choice} focus={focus} tableRef={table} />;
}

interface PlainTableProps<Row> extends TableProps<Row> {
  readonly focus?: RovingFocus;
  readonly tableRef?: React.RefObject<HTMLTableElement | null>;
}

function PlainTable<Row>(props: PlainTableProps<Row>) {
  const { label, caption, className = '', head = 'shown', columns, rows, keyOf, rowClass, choice } = props;
  const { focus, tableRef } = props;
  return (
    <table
      className={head === 'shown' ? `table ${className}` : className}
      aria-label={label}
      ref={tableRef}
      {...focus?.handlers}
    >
      {caption !== undefined && <caption className="spoken">{caption}</caption>}
      {head !== 'none' && <TableHead columns={columns} isSpoken={head === 'spoken'} />}
      <tbody>
        {rows.map((row) => {
          const key = keyOf(row);
          const choose = choice && (() => choice.onChoose(row));
          const isChosen = choice?.isChosen(row) === true;
          const classes = [choice && 'choice', isChosen && 'is-chosen', rowClass?.(row)].filter(Boolean).join(' ');
          return (
            <tr key={key} className={classes} data-row={key} onClick={choose}>
              {columns.map((column, index) => (
                <Cell key={column.name + column.className} column={column} row={row}>
                  {choose === undefined || index > 0 ? (
                    column.cell(row)
                  ) : (
                    <button
                      type="button"
                      className="choice-button"
                      aria-pressed={isChosen}
                      tabIndex={focus?.tabStop === key ? 0 : -1}
                    >
                      {column.cell(row)}
                    </button>
                  )}
                </Cell>
              ))}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function Cell<Row>({ column, row, children }: { column: Column<Row>; row: Row; children: ReactNode }) {
  const { className = '', cellClass = '', cellTitle, isRowHead = false } = column;
  const shared = {
    className: `${className} ${typeof cellClass === 'string' ? cellClass : cellClass(row)}`.trim(),
    title: cellTitle?.(row),
  };
  return isRowHead ? (
    <th scope="row" {...shared}>
      {children}
    </th>
  ) : (
    <td {...shared}>{children}</td>
  );
}
