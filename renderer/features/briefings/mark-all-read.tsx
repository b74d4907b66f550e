// Renderer, briefings: the button that marks every briefing as read.
import { texts } from '../../../shared/text/texts.ts';
import { useArchive } from './use-archive.ts';
import { useMarkAllRead } from './use-mark-all-read.ts';

/** Nothing where all are read. */
export function MarkAllRead() {
  const unread = useArchive()?.briefings.unread ?? 0;
  const markAllRead = useMarkAllRead();
  if (unread === 0) return null;
  return (
    <button type="button" className="btn quiet" onClick={markAllRead}>
      {texts.briefings.markAllRead(unread)}
    </button>
  );
}
