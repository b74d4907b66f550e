// Renderer: the listed rows, and navigation through them.
import { useCallback, useMemo, useState } from 'react';
import type { BriefingRow } from '../../../shared/channels/archive.ts';
import { type ChannelList, useChannelList } from '../../queries/use-channel-list.ts';
import { useKnownResults } from '../../queries/use-channel-query.ts';
import { usePreference } from '../../store/preferences.ts';
import { nextUnread, queryOf, withRetained } from './rows.ts';
import { useView, view } from './view.ts';

export interface BriefingRows {
  readonly rows: readonly BriefingRow[];
  /** Of the whole query, including retained rows that left the box. */
  readonly total: number;
  readonly pages: ChannelList<'briefings.list'>;
  /** Opens the row that many positions further; the first if none is open. */
  readonly step: (by: number) => void;
  /** @returns false if nothing else is unread */
  readonly openNextUnread: () => boolean;
  /** Requests rows up to this index. */
  readonly want: (index: number) => void;
}

/** Rows loaded before they are in view. */
const PREFETCH_ROWS = 60;

export function useBriefingRows(): BriefingRows {
  const now = useView((each) => each);
  const zone = usePreference((preference) => preference.zone);
  const [minRows, setMinRows] = useState(PREFETCH_ROWS);
  const query = useMemo(() => queryOf(now, zone), [now, zone]);
  const pages = useChannelList('briefings.list', query, minRows);
  const details = useKnownResults(
    'briefings.read',
    now.retained.map(({ id }) => ({ id })),
  );
  const rows = withRetained(
    pages.rows,
    now.retained,
    now.box,
    (id) => details.find((detail) => detail?.id === id) ?? null,
  );
  const open = (row: BriefingRow): void => view.open(row.id, row);
  return {
    rows,
    total: (pages.first?.total ?? 0) + rows.length - pages.rows.length,
    pages,
    step(by) {
      const from = rows.findIndex(({ id }) => id === now.open);
      const row = rows[Math.max(0, Math.min(rows.length - 1, from === -1 ? 0 : from + by))];
      if (row !== undefined) open(row);
    },
    openNextUnread() {
      const row = nextUnread(rows, now.open);
      if (row !== null) open(row);
      return row !== null;
    },
    want: useCallback((index) => setMinRows((most) => Math.max(most, index + PREFETCH_ROWS)), []),
  };
}
