// Renderer, briefings: a button with the number of the list's unread briefings marks them read.
import { useMemo } from 'react';
import { texts } from '../../../shared/text/texts.ts';
import { useChannelQuery } from '../../queries/use-channel-query.ts';
import { usePreference } from '../../store/preferences.ts';
import { queryOf } from './rows.ts';
import { useArchive } from './use-archive.ts';
import { useMarkAllRead } from './use-mark-all-read.ts';
import { isWhole, useView } from './view.ts';

/** Draws nothing where all are read. */
export function MarkAllRead() {
  const now = useView((view) => view);
  const zone = usePreference((preference) => preference.zone);
  const query = useMemo(() => queryOf(now, zone), [now, zone]);
  const all = useArchive()?.briefings.unread ?? 0;
  const found = useChannelQuery('briefings.list', isWhole(now) ? null : { ...query, unread: true, limit: 1 });
  const unread = isWhole(now) ? all : (found.data?.total ?? 0);
  const markAllRead = useMarkAllRead();
  if (unread === 0) return null;
  return (
    <button type="button" className="btn quiet" onClick={() => markAllRead(query)}>
      {isWhole(now) ? texts.briefings.markAllRead(unread) : texts.briefings.markListedRead(unread)}
    </button>
  );
}
