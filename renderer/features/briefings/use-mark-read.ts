// Renderer: marks the open briefing as read by the user's policy.
// A briefing that the user marks unread stays unread.
import { useEffect, useRef } from 'react';
import type { BriefingDetail } from '../../../shared/channels/archive.ts';
import { useServices } from '../../services.ts';
import { usePreference } from '../../store/preferences.ts';

/** Time on screen until a briefing is read, ms. */
const READ_AFTER_MS = 4000;

/** @param briefing on screen; null: none, or its text is not loaded yet */
export function useMarkRead(briefing: BriefingDetail | null): void {
  const { clock, intents } = useServices();
  const policy = usePreference((preference) => preference.reading.markRead);
  const handled = useRef<string | null>(null);
  const id = briefing?.id ?? null;
  const unread = briefing?.unread ?? false;
  useEffect(() => {
    if (id === null || !unread || policy === 'by-hand' || handled.current === id) return;
    const markRead = (): void => {
      handled.current = id;
      intents.send('briefings.flag', { ids: [id], unread: false });
    };
    if (policy === 'at-once') return markRead();
    let cancel = (): void => undefined;
    // A hidden window reads nothing.
    const follow = (): void => {
      cancel();
      if (!document.hidden) cancel = clock.after(READ_AFTER_MS, markRead);
    };
    follow();
    document.addEventListener('visibilitychange', follow);
    return () => {
      cancel();
      document.removeEventListener('visibilitychange', follow);
    };
  }, [clock, intents, policy, id, unread]);
  useEffect(() => {
    // The user opened another briefing: when the first is reopened, it may be marked again.
    if (handled.current !== id) handled.current = null;
  }, [id]);
  useEffect(() => {
    // The briefing was read when it was opened: if it becomes unread, the user did so.
    if (id !== null && !unread) handled.current = id;
  }, [id, unread]);
}
