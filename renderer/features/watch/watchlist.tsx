// Renderer: the watchlist: the trader's symbols, and the choice of the symbol in other panels.
import { useMemo, useState } from 'react';
import { removeSymbol } from '../../../shared/domain/watchlist-edits.ts';
import { symbolsOf, type Watchlist } from '../../../shared/domain/watchlists.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useServices } from '../../services.ts';
import { useIsOffline } from '../../store/connection-status.ts';
import {
  type ListNote,
  useListEdits,
  useListNote,
  useListsComeBack,
  useListView,
  useShownList,
} from '../../store/list-edits.ts';
import { COLUMNS, type Column, preferences, ROW_HEIGHTS, type Sort, usePreference } from '../../store/preferences.ts';
import { riskOrderOf } from '../../store/risk-order.ts';
import { symbolViewOf } from '../../store/select.ts';
import { useSnapshot } from '../../store/store.ts';
import { useList } from '../../ui/list/use-list.ts';
import type { RowKeys } from '../../ui/list/use-roving-focus.ts';
import { isInPopup, isWriting } from '../../ui/shortcuts/registry.ts';
import { useShortcuts } from '../../ui/shortcuts/use-shortcuts.ts';
import { Grid } from '../../ui/table/grid.tsx';
import type { ColumnSort, TableColumn } from '../../ui/table/table-head.tsx';
import { HoldingsLine } from './holdings-line.tsx';
import { ListHead } from './list-head.tsx';
import { filledColumns, type ListItem, listItems } from './list-order.ts';
import { MarketLine } from './market-line.tsx';
import { SectionHead } from './section-head.tsx';
import { RowMenu, type RowMenuRequest, rowMenuOf } from './symbol-menu.tsx';
import { type Drop, useDrag } from './use-drag.ts';
import { useIsOwnOrder, useMoves } from './use-moves.ts';
import { ElevatedHatch, WatchRow } from './watch-row.tsx';
import './watchlist.css';

interface WatchlistProps {
  /** Called when the user opens a symbol, to focus its chart. */
  readonly onOpen: () => void;
}

/** Height of `.wl-note`, px: kept free below the list, so that it covers no row. */
const NOTE_HEIGHT = 48;
const PAGE_ROWS = 20;

export function WatchlistPanel({ onOpen }: WatchlistProps) {
  const list = useShownList();
  const isOffline = useIsOffline();
  useListsComeBack();
  if (list === undefined) return <section className="panel watchlist" />;
  return (
    <section className={`panel watchlist${isOffline ? ' offline' : ''}`} aria-label={texts.watchlist.lists}>
      <ListHead list={list} />
      <HoldingsLine list={list} />
      <MarketLine list={list} />
      <ElevatedHatch />
      <Rows key={list.id} list={list} onOpen={onOpen} />
      <Note />
    </section>
  );
}

function Rows({ list, onOpen }: { list: Watchlist; onOpen: () => void }) {
  const { intents } = useServices();
  const selected = useSnapshot((snapshot) => snapshot.selected);
  const { items, columns, sort, hold } = useShownRows(list);
  const isOwnOrder = useIsOwnOrder();
  const edits = useListEdits();
  const moves = useMoves(list);
  const drag = useDrag(list, moves.by);
  const rowHeight = ROW_HEIGHTS[usePreference((preference) => preference.density)];
  const move = (by: -1 | 1): RowKeys[string] => {
    return (symbol, _event, go) => {
      moves.step(symbol, by);
      go(symbol);
    };
  };
  const remove: RowKeys[string] = (symbol, _event, go) => {
    const order = items.flatMap((item) => (item.kind === 'row' ? [item.symbol] : []));
    const next = order[order.indexOf(symbol) + 1] ?? order[order.indexOf(symbol) - 1];
    void edits.edit(list, (now) => removeSymbol(now, symbol), texts.lists.removed(symbol));
    if (next !== undefined) go(next);
  };
  const rows = useList<ListItem>({
    items,
    keyOf,
    isHeading,
    current: selected,
    onMove: intents.select,
    keys: { Enter: onOpen, Delete: remove, 'Alt+ArrowUp': move(-1), 'Alt+ArrowDown': move(1) },
    size: { row: rowHeight, page: PAGE_ROWS, head: 2 * rowHeight, foot: items.length === 0 ? 0 : NOTE_HEIGHT },
  });
  useShortcuts('watchlist', {
    next: () => rows.step(1),
    previous: () => rows.step(-1),
    undo: (event) => !isWriting(event) && !isInPopup(event) && edits.undo(),
  });
  const [menu, setMenu] = useState<RowMenuRequest | null>(null);
  const heads = useMemo(() => listColumns(columns, sort), [columns, sort]);
  return (
    <Grid
      list={rows}
      label={list.name}
      className="wl-table"
      scrollClass="wl-scroll"
      columns={heads}
      handlers={{
        ...hold,
        ...drag.handlers,
        onContextMenu(event) {
          const request = rowMenuOf(event);
          if (request === null) return;
          event.preventDefault();
          setMenu(request);
        },
      }}
      draw={({ item, isTabStop }, position) =>
        item.kind === 'head' ? (
          <SectionHead
            list={list}
            head={item}
            cells={heads.length}
            index={position}
            isDrop={drag.drop !== null && 'section' in drag.drop && drag.drop.section === item.section}
          />
        ) : (
          <WatchRow
            symbol={item.symbol}
            columns={columns}
            index={position}
            isTabStop={isTabStop}
            draggable={isOwnOrder}
            dropMarker={dropMarkerOf(item.symbol, drag.dragged, drag.drop)}
          />
        )
      }
    >
      {menu !== null && <RowMenu key={menu.symbol} list={list} request={menu} onClose={() => setMenu(null)} />}
      {symbolsOf(list).length === 0 ? (
        <p className="empty">{texts.lists.emptyHow}</p>
      ) : (
        items.length === 0 && <p className="empty">{texts.lists.views.none}</p>
      )}
    </Grid>
  );
}

const keyOf = ({ key }: ListItem): string => key;
const isHeading = ({ kind }: ListItem): boolean => kind === 'head';

/** The last edit of the list, with Undo. */
function Note() {
  const note = useListNote();
  const edits = useListEdits();
  return (
    <div className="wl-note" role="status">
      {note !== null && (
        <p key={note.id}>
          <span className="grow">{textOfNote(note.said)}</span>
          {note.undo && (
            <button
              type="button"
              className="btn line"
              onClick={({ currentTarget }) => {
                // The note disappears; the focus returns to the list.
                const row = currentTarget.closest('.watchlist')?.querySelector<HTMLElement>('tr[tabindex="0"]');
                edits.undo();
                row?.focus();
              }}
            >
              {texts.lists.undo}
            </button>
          )}
        </p>
      )}
    </div>
  );
}

function dropMarkerOf(
  symbol: string,
  dragged: string | null,
  drop: Drop | null,
): 'dragged' | 'drop-above' | 'drop-below' | '' {
  if (symbol === dragged) return 'dragged';
  if (drop === null || 'section' in drop || drop.symbol !== symbol) return '';
  return drop.below ? 'drop-below' : 'drop-above';
}

const textOfNote = ({ kind, message }: ListNote): string => (kind === 'undone' ? texts.lists.undone(message) : message);

const CLASS_OF: Readonly<Record<Column, string>> = {
  toBreach: 'wl-breach',
  chance: 'wl-chance',
  risk: 'wl-stake',
  price: 'wl-price',
  change: 'wl-change',
};

/** The column heads of the watchlist: clicks sort, then reverse, then restore the order. */
function listColumns(columns: readonly Column[], sort: Sort | null): readonly TableColumn[] {
  const sortOf = (column: Sort['column']): ColumnSort => ({
    by: sort?.column !== column ? null : sort.descending ? 'descending' : 'ascending',
    title: texts.lists.sortBy(texts.lists.sortNames[column]),
    onSort: () => preferences.nextSort(column),
  });
  return [
    { name: texts.watchlist.state, className: 'wl-glyph', isSpoken: true },
    { name: texts.watchlist.symbol, className: 'wl-sym', sort: sortOf('symbol') },
    { name: texts.watchlist.state, className: 'wl-state', sort: sortOf('state') },
    ...columns.map((column) => ({
      name: texts.watchlist.columns[column],
      className: `num ${CLASS_OF[column]}`,
      sort: sortOf(column),
    })),
  ];
}

interface ShownList {
  readonly items: readonly ListItem[];
  readonly columns: readonly Column[];
  readonly sort: Sort | null;
  /** Handlers of the element that contains the rows. */
  readonly hold: { readonly onPointerEnter: () => void; readonly onPointerLeave: () => void };
}

interface Order {
  readonly list: Watchlist;
  readonly view: string;
  readonly sort: Sort | null;
  readonly items: readonly ListItem[];
}

/**
 * The current entries of the list; a sorted or filtered list freezes under the pointer. A row that moves while
 * the pointer approaches would be clicked by mistake.
 */
function useShownRows(list: Watchlist): ShownList {
  const isOffline = useIsOffline();
  const sort = usePreference((preference) => preference.sort);
  const hidden = usePreference((preference) => preference.hidden);
  const [view] = useListView();
  const isOwnOrder = useIsOwnOrder();
  const [isOver, setOver] = useState(false);
  const [frozen, setFrozen] = useState<Order | null>(null);
  // In the trader's order, changed rows do not change the order.
  const orderedRows = useSnapshot((snapshot) => (isOwnOrder ? null : snapshot.rows));
  const lists = useSnapshot((snapshot) => snapshot.watchlists);
  const now = useMemo((): Order => {
    const rows = orderedRows ?? {};
    const viewOf = (symbol: string) => symbolViewOf(rows[symbol], isOffline);
    const order = riskOrderOf({ rows, watchlists: lists });
    return { list, view, sort, items: listItems(list, { view, sort, rows, viewOf, lists, order }) };
  }, [list, view, sort, orderedRows, lists, isOffline]);
  const isFrozen = frozen !== null && frozen.list === list && frozen.sort === sort && frozen.view === view;
  // Freezes the order at the time when the pointer entered, or when the user last changed the order.
  if (isOver ? !isFrozen : frozen !== null) setFrozen(isOver ? now : null);
  const filled = useSnapshot(({ rows }) => {
    const viewOf = (symbol: string) => symbolViewOf(rows[symbol], isOffline);
    return filledColumns(list, { rows, viewOf, lists }).join(' ');
  });
  const columns = useMemo(
    () => COLUMNS.filter((column) => !hidden.includes(column) && filled.split(' ').includes(column)),
    [hidden, filled],
  );
  return {
    items: isFrozen ? frozen.items : now.items,
    columns,
    sort,
    hold: { onPointerEnter: () => setOver(true), onPointerLeave: () => setOver(false) },
  };
}
