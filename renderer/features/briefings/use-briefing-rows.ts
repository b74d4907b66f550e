// Renderer: the listed rows, and navigation through them.
import { useCallback, useEffect, useMemo, useState } from 'react';
import type { BriefingRow } from '../../../shared/channels/archive.ts';
import { type ChannelList, useChannelList } from '../../queries/use-channel-list.ts';
import { useKnownResults } from '../../queries/use-channel-query.ts';
import { usePreference } from '../../store/preferences.ts';
import { useShownMoment } from '../../store/shown-moment.ts';
import { nextUnread, queryOf, withRetained } from './rows.ts';
import { useView, view } from './view.ts';

export interface BriefingRows {
  readonly rows: readonly BriefingRow[];
  /** Number of rows of the whole query, including retained ones that left the box. */
  readonly total: number;
  readonly pages: ChannelList<'briefings.list'>;
  /** Opens the row that many positions further; the first if none is open. */
  readonly step: (by: number) => void;
  /** Opens the next unread briefing, even if it is beyond the rows read so far. */
  readonly openNextUnread: () => void;
  /** Opens what the page shows of its own accord: somebody reads it. */
  readonly readPreview: () => void;
  /** The list was read to its end, and nothing else is unread. */
  readonly isAllRead: boolean;
  /** Requests rows up to this index. */
  readonly want: (index: number) => void;
}

/** Rows loaded before they are in view. */
const PREFETCH_ROWS = 60;

export function useBriefingRows(): BriefingRows {
  const now = useView((each) => each);
  const zone = usePreference((preference) => preference.zone);
  const [minRows, setMinRows] = useState(PREFETCH_ROWS);
  const shown = useShownMoment();
  const query = useMemo(() => queryOf(now, zone, shown), [now, zone, shown]);
  const pages = useChannelList('briefings.list', query, minRows);
  const details = useKnownResults(
    'briefings.read',
    now.retained.map(({ id }) => ({ id })),
  );
  const rows = withRetained(
    pages.rows,
    now.retained.filter(({ date }) => shown === null || Date.parse(date) <= shown),
    now.box,
    (id) => details.find((detail) => detail?.id === id) ?? null,
  );
  const want = useCallback((index: number) => setMinRows((most) => Math.max(most, index + PREFETCH_ROWS)), []);
  const [unread, setUnread] = useState<'found' | 'sought' | 'none'>('found');
  const open = (row: BriefingRow): void => {
    setUnread('found');
    view.open(row.id, row);
  };
  const openNextUnread = (): void => {
    const row = nextUnread(rows, now.isPreview ? null : now.open);
    if (row !== null) open(row);
    else if (pages.next === 'more') {
      setUnread('sought');
      want(rows.length);
    } else setUnread('none');
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: each page that was read is searched once.
  useEffect(() => {
    if (unread === 'sought' && pages.isDone) openNextUnread();
  }, [unread, pages.isDone, rows.length]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another list is not searched.
  useEffect(() => setUnread('found'), [query]);
  return {
    rows,
    total: (pages.first?.total ?? 0) + rows.length - pages.rows.length,
    pages,
    step(by) {
      const from = rows.findIndex(({ id }) => id === now.open);
      const row = rows[Math.max(0, Math.min(rows.length - 1, from === -1 ? 0 : from + by))];
      if (row !== undefined) open(row);
    },
    openNextUnread,
    readPreview() {
      const row = rows.find(({ id }) => id === now.open);
      if (now.isPreview && row !== undefined) open(row);
    },
    isAllRead: unread === 'none',
    want,
  };
}
