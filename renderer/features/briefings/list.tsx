// Renderer: the briefings of a box, newest first, with the search above them.
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useImperativeHandle,
  useMemo,
  useRef,
} from 'react';
import type { BriefingRow } from '../../../shared/channels/archive.ts';
import { count, zoneName } from '../../../shared/text/format.ts';
import { textOf } from '../../../shared/text/message.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useChannelQuery } from '../../queries/use-channel-query.ts';
import { useStoredOnly } from '../../store/connection-status.ts';
import { usePreference } from '../../store/preferences.ts';
import { useShownMoment } from '../../store/shown-moment.ts';
import { ClearFilters } from '../../ui/clear-filters.tsx';
import { Icon, IconButton } from '../../ui/icon.tsx';
import { useList } from '../../ui/list/use-list.ts';
import { ErrorNotice, LoadingNotice } from '../../ui/loading-notice.tsx';
import { ListRow } from './list-row.tsx';
import { chipsOf, countOf, queryOf } from './rows.ts';
import { useArchive } from './use-archive.ts';
import type { BriefingRows } from './use-briefing-rows.ts';
import { useMarkAllRead } from './use-mark-all-read.ts';
import { isWhole, useView, view } from './view.ts';
import '../../ui/search-field.css';

/** Height of a row, px; with a search excerpt below it. */
const ROW_HEIGHT = 91;
const EXCERPT_ROW_HEIGHT = 128;
const PAGE_ROWS = 8;
const messages = texts.briefings;

interface ListProps {
  readonly listed: BriefingRows;
  readonly search: RefObject<HTMLInputElement | null>;
  readonly boxes: { readonly label: string; readonly open: boolean; readonly onToggle: () => void };
  /** Called to read a briefing: focuses its text. */
  readonly onRead: () => void;
}

export function List({ listed, search, boxes, onRead }: ListProps) {
  const { rows, pages } = listed;
  const storedOnly = useStoredOnly();
  const zone = usePreference((preference) => preference.zone);
  const enter = useRef<() => void>(null);
  return (
    <section className="panel br-list" aria-label={messages.list}>
      <h1 className="spoken br-heading">{texts.common.pages.briefings}</h1>
      <div className="br-search">
        <button type="button" className="btn line br-boxes-button" aria-expanded={boxes.open} onClick={boxes.onToggle}>
          <Icon name="list" />
          {boxes.label}
        </button>
        <SearchField listed={listed} field={search} onDown={() => enter.current?.()} />
      </div>
      {storedOnly !== null && <p className="br-offline cond">{storedOnly}</p>}
      <Chips />
      <div className="br-zone cond t3">
        <p>{messages.timesIn(zoneName(zone))}</p>
        <MarkAllRead />
      </div>
      {rows.length > 0 && !pages.hasFailed ? (
        <Rows listed={listed} enter={enter} onRead={onRead} />
      ) : (
        <div className="scroll">
          <InsteadOfRows pages={pages} />
        </div>
      )}
    </section>
  );
}

interface RowsProps extends Pick<ListProps, 'listed' | 'onRead'> {
  /** Moves the focus to the open briefing, else to the first; null while there are none. */
  readonly enter: RefObject<(() => void) | null>;
}

function Rows({ listed, enter, onRead }: RowsProps) {
  const { rows, pages } = listed;
  const open = useView((now) => now.open);
  // Rows grow when an excerpt arrives, not when it is requested.
  const hasExcerpts = rows.some(({ excerpt }) => excerpt !== null);
  const openRow = (id: string): void => view.open(id, rows.find((row) => row.id === id) ?? null);
  const read = (id: string): void => {
    openRow(id);
    view.show('text');
  };
  const readText = (id: string): void => {
    read(id);
    onRead();
  };
  const list = useList({
    items: rows,
    keyOf,
    current: open,
    onMove: openRow,
    keys: { Enter: readText },
    size: { row: hasExcerpts ? EXCERPT_ROW_HEIGHT : ROW_HEIGHT, page: PAGE_ROWS },
    isFollowing: true,
  });
  useImperativeHandle(enter, () => () => list.step(0), [list.step]);
  const { want } = listed;
  useEffect(() => want(list.lastDrawn), [want, list.lastDrawn]);
  return (
    <div className="scroll" ref={list.scroll}>
      <div
        role="listbox"
        aria-label={messages.list}
        className="br-rows"
        style={{ height: list.height }}
        tabIndex={-1}
        {...list.handlers}
      >
        {list.rows.map(({ item, key, index, start, height, isTabStop }) => (
          <ListRow
            key={key}
            row={item}
            open={key === open}
            isTabStop={isTabStop}
            position={index + 1}
            of={listed.total}
            top={start}
            height={height}
            onOpen={read}
          />
        ))}
      </div>
      {pages.next === 'beyond' && <p className="empty">{messages.first(count(rows.length))}</p>}
    </div>
  );
}

const keyOf = ({ id }: BriefingRow): string => id;

function InsteadOfRows({ pages }: Pick<BriefingRows, 'pages'>) {
  if (pages.error !== null && !pages.isFetching)
    return <ErrorNotice what={messages.noList} why={pages.error.message} onRetry={pages.retry} />;
  if (!pages.isCurrent) return <LoadingNotice what={messages.loadingList} progress={null} />;
  return <EmptyList />;
}

interface SearchFieldProps {
  readonly listed: BriefingRows;
  readonly field: RefObject<HTMLInputElement | null>;
  /** Moves the focus from the search to the list. */
  readonly onDown: () => void;
}

function SearchField({ listed, field, onDown }: SearchFieldProps) {
  const text = useView((now) => now.text);
  const { pages } = listed;
  const resultCount =
    text.trim() === ''
      ? messages.counted(count(listed.total))
      : pages.tookMs === null
        ? ''
        : messages.hits(count(listed.total), count(pages.tookMs));
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.key === 'Escape' && text !== '') view.setText('');
    else if (event.key === 'Escape') event.currentTarget.blur();
    else if (event.key === 'ArrowDown' || event.key === 'Enter') onDown();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <label className="search-field">
      <Icon name="search" />
      <input
        ref={field}
        type="search"
        aria-label={messages.search}
        placeholder={messages.searchHint}
        maxLength={200}
        value={text}
        onChange={(event) => view.setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <output className="cond t3">{resultCount}</output>
      {text !== '' && (
        <IconButton icon="close" size={11} label={messages.clearSearch} onClick={() => view.setText('')} />
      )}
    </label>
  );
}

/** Active filters, each with its remove button. */
function Chips() {
  const all = useView((now) => now);
  const chips = chipsOf(all);
  if (chips.length === 0) return null;
  return (
    <div className="chips">
      {chips.map(({ label, without }) => (
        <button
          type="button"
          className="chip"
          key={label}
          aria-label={messages.clearOne(label)}
          onClick={() => {
            view.filter(without);
          }}
        >
          {label}
          <Icon name="close" size={10} />
        </button>
      ))}
      <ClearFilters label={messages.clear} onClear={view.clearFilters} quiet />
    </div>
  );
}

/** Draws nothing where all are read. */
export function MarkAllRead() {
  const now = useView((view) => view);
  const zone = usePreference((preference) => preference.zone);
  const shown = useShownMoment();
  const query = useMemo(() => queryOf(now, zone, shown), [now, zone, shown]);
  const isAll = isWhole(now) && shown === null;
  const all = useArchive()?.briefings.unread ?? 0;
  const found = useChannelQuery('briefings.list', isAll ? null : { ...query, unread: true, limit: 1 });
  const unread = isAll ? all : (found.data?.total ?? 0);
  const markAllRead = useMarkAllRead();
  if (unread === 0) return null;
  return (
    <button type="button" className="btn quiet" onClick={() => markAllRead(query)}>
      {isAll ? texts.briefings.markAllRead(unread) : texts.briefings.markListedRead(unread)}
    </button>
  );
}

/** The reason why the list is empty, and what the user can do. */
function EmptyList() {
  const now = useView((each) => each);
  const archive = useArchive();
  const filters = chipsOf(now).length + (now.text.trim() === '' ? 0 : 1);
  // What the archive has not read yet is not missing.
  if (archive === null || (archive.briefings.all === 0 && !archive.complete && archive.problem === null))
    return <EmptyMessage heading={messages.fetching} how={messages.fetchingHow} />;
  if (archive.briefings.all === 0 && filters === 0)
    return (
      <EmptyMessage
        heading={messages.emptyArchive}
        how={archive.problem === null ? messages.emptyArchiveHow : textOf(archive.problem)}
      />
    );
  if (filters === 0)
    return (
      <EmptyMessage
        heading={messages.nothingIn[now.box]}
        how={messages.nothingHow[now.box](count(archive.briefings.all))}
      />
    );
  return (
    <EmptyMessage
      heading={messages.noMatch}
      how={messages.hidden(count(countOf(archive, now.box)), filters, messages.boxes[now.box])}
    >
      <ClearFilters label={messages.clear} onClear={view.clearFilters} />
    </EmptyMessage>
  );
}

function EmptyMessage({ heading, how, children }: { heading: string; how: string; children?: ReactNode }) {
  return (
    <div className="nothing" role="status">
      <p className="md">{heading}</p>
      <p className="t2">{how}</p>
      {children}
    </div>
  );
}
