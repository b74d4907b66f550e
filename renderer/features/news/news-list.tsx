// Renderer: the list of news, newest first.
import { memo, type RefObject, useEffect, useImperativeHandle } from 'react';
import type { NewsRow } from '../../../shared/channels/archive.ts';
import { count, shortTimestamp } from '../../../shared/text/format.ts';
import { textOf } from '../../../shared/text/message.ts';
import { texts } from '../../../shared/text/texts.ts';
import type { ChannelList } from '../../queries/use-channel-list.ts';
import { useWorldMinute } from '../../store/connection-status.ts';
import { usePreference } from '../../store/preferences.ts';
import { useApp } from '../../store/store.ts';
import { ClearFilters } from '../../ui/clear-filters.tsx';
import { rowProps, useList } from '../../ui/list/use-list.ts';
import { ErrorNotice, LoadingNotice } from '../../ui/loading-notice.tsx';
import { Grid } from '../../ui/table/grid.tsx';
import type { TableColumn } from '../../ui/table/table-head.tsx';
import { Sentiment } from './sentiment.tsx';
import { filtersOn, useView, view } from './view.ts';

const messages = texts.news;
/** px. */
const ROW_HEIGHT = 28;
const PAGE_ROWS = 15;
const COLUMNS: readonly TableColumn[] = [
  { name: messages.time, className: 'nw-time' },
  { name: messages.source, className: 'nw-source' },
  { name: messages.headline },
  { name: messages.symbols, className: 'nw-symbols' },
  { name: messages.sentiment, className: 'nw-sentiment' },
];

interface NewsListProps {
  readonly pages: ChannelList<'news.list'>;
  /** Requests rows up to this index. */
  readonly want: (index: number) => void;
  /** Moves the focus to the open item, else to the first; null while there are none. */
  readonly enter?: RefObject<(() => void) | null>;
  /** Moves the focus to the item. */
  readonly onRead: () => void;
}

export function NewsList(props: NewsListProps) {
  const { pages } = props;
  return (
    <section className="panel news-list" aria-label={messages.heading}>
      {pages.rows.length > 0 && !pages.hasFailed ? (
        <Rows {...props} />
      ) : (
        <div className="scroll">
          <InsteadOfRows pages={pages} />
        </div>
      )}
    </section>
  );
}

function Rows({ pages, want, enter, onRead }: NewsListProps) {
  const { rows } = pages;
  const open = useView((now) => now.open) ?? pages.rows[0]?.id ?? null;
  const read = (id: string): void => {
    view.open(id);
    onRead();
  };
  const list = useList({
    items: rows,
    keyOf,
    current: open,
    onMove: view.open,
    keys: { Enter: read },
    size: { row: ROW_HEIGHT, page: PAGE_ROWS, head: ROW_HEIGHT },
    isFollowing: true,
  });
  useImperativeHandle(enter, () => () => list.step(0), [list.step]);
  useEffect(() => want(list.lastDrawn), [want, list.lastDrawn]);
  return (
    <Grid
      list={list}
      label={messages.listed}
      className="news-table"
      columns={COLUMNS}
      count={pages.first?.total ?? rows.length}
      draw={({ item, isTabStop }, position) => (
        <Row row={item} index={position} open={item.id === open} isTabStop={isTabStop} />
      )}
    >
      {pages.next === 'beyond' && <p className="empty">{messages.first(count(rows.length))}</p>}
    </Grid>
  );
}

const keyOf = ({ id }: NewsRow): string => id;

const Row = memo(function Row({
  row,
  index,
  open,
  isTabStop,
}: {
  row: NewsRow;
  index: number;
  open: boolean;
  isTabStop: boolean;
}) {
  const zone = usePreference((preference) => preference.zone);
  // Rounded to the minute: a list need not be drawn every second.
  const now = useWorldMinute();
  return (
    <tr
      className="nw-row"
      aria-selected={open}
      aria-rowindex={index}
      {...rowProps(row.id, isTabStop)}
      onClick={() => view.open(row.id)}
    >
      <td className="nw-time cond">
        {row.published_at === null ? (
          messages.timeNotKnown
        ) : (
          <time dateTime={row.published_at}>{shortTimestamp(Date.parse(row.published_at), zone, now)}</time>
        )}
      </td>
      <td className="nw-source cond ell">{row.source}</td>
      <td className="nw-headline ell">{row.headline}</td>
      <td className="nw-symbols cond ell">{row.symbols.join(' ')}</td>
      <td className="nw-sentiment cond">
        <Sentiment of={row.sentiment} />
      </td>
    </tr>
  );
});

/**
 * Whether the service inside the app has no source of news, because it runs over own prices or a feed of
 * prices.
 */
const useHasPricesAlone = (): boolean =>
  useApp(({ features, snapshot }) => {
    const profile = features.profiles?.profiles.find(({ name }) => name === snapshot?.profile.name);
    return profile?.source.kind === 'prices' || profile?.source.kind === 'feed';
  });

function InsteadOfRows({ pages }: { pages: ChannelList<'news.list'> }) {
  const filters = useView(filtersOn);
  const all = useApp((state) => state.features.archive?.news ?? 0);
  const problem = useApp((state) => state.features.archive?.news_problem ?? null);
  const hasPricesAlone = useHasPricesAlone();
  if (pages.error !== null && !pages.isFetching)
    return <ErrorNotice what={messages.failed} why={pages.error.message} onRetry={pages.retry} />;
  if (!pages.isCurrent) return <LoadingNotice what={messages.loading} progress={null} />;
  if (filters === 0)
    return (
      <div className="nothing" role="status">
        <p className="md">{hasPricesAlone ? messages.none : messages.empty}</p>
        <p className="t2">
          {hasPricesAlone ? messages.pricesAlone : problem === null ? messages.emptyHow : textOf(problem)}
        </p>
      </div>
    );
  return (
    <div className="nothing" role="status">
      <p className="md">{messages.noMatch}</p>
      <p className="t2">{messages.hidden(count(all), filters)}</p>
      <ClearFilters label={messages.clear} onClear={view.clearFilters} />
    </div>
  );
}
