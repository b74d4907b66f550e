// Renderer: the watchlist: the trader's symbols, and the choice of the symbol in other panels.
import { useMemo, useState } from 'react';
import { removeSymbol } from '../../../shared/domain/watchlist-edits.ts';
import { symbolsOf, type Watchlist } from '../../../shared/domain/watchlists.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useServices } from '../../services.ts';
import { useIsOffline } from '../../store/connection-status.ts';
import { type ListNote, useListEdits, useListNote, useListsComeBack, useShownList } from '../../store/list-edits.ts';
import { ROW_HEIGHTS, usePreference } from '../../store/preferences.ts';
import { useSnapshot } from '../../store/store.ts';
import { useList } from '../../ui/list/use-list.ts';
import type { RowKeys } from '../../ui/list/use-roving-focus.ts';
import { isInPopup, isWriting } from '../../ui/shortcuts/registry.ts';
import { useShortcuts } from '../../ui/shortcuts/use-shortcuts.ts';
import { Grid } from '../../ui/table/grid.tsx';
import type { Drop } from './drop.ts';
import { HoldingsLine } from './holdings-line.tsx';
import { listColumns } from './list-columns.ts';
import { ListHead } from './list-head.tsx';
import type { ListItem } from './list-order.ts';
import { SectionHead } from './section-head.tsx';
import { RowMenu, type RowMenuRequest, rowMenuOf } from './symbol-menu.tsx';
import { useSparklines } from './use-chart-model.ts';
import { useDrag } from './use-drag.ts';
import { useListView } from './use-list-view.ts';
import { useMoves } from './use-moves.ts';
import { WatchRow } from './watch-row.tsx';
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
      <Rows key={list.id} list={list} onOpen={onOpen} />
      <Note />
    </section>
  );
}

function Rows({ list, onOpen }: { list: Watchlist; onOpen: () => void }) {
  const { intents } = useServices();
  const selected = useSnapshot((snapshot) => snapshot.selected);
  const { items, columns, sort, isOwnOrder, hold } = useListView(list);
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
  useSparklines(rows.rows.flatMap(({ item }) => (item.kind === 'row' ? [item.symbol] : [])).join(' '));
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
      {symbolsOf(list).length === 0 && <p className="empty">{texts.lists.emptyHow}</p>}
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
