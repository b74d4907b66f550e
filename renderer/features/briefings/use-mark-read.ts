// Renderer: when a briefing that is open counts as read, as the user likes it. What was marked unread by hand stays unread while it is open.
import { useEffect, useRef } from 'react';
import type { BriefingDetail } from '../../../shared/channels/archive.ts';
import { useServices } from '../../services.ts';
import { usePreference } from '../../store/preferences.ts';

/** On screen so long, it was read, ms. */
const ON_SCREEN = 4000;

/** @param reading what is on screen; null: nothing, or not its text yet */
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
    // A window that nobody sees is not read.
    const follow = (): void => {
      cancel();
      if (!document.hidden) cancel = clock.after(ON_SCREEN, markRead);
    };
    follow();
    document.addEventListener('visibilitychange', follow);
    return () => {
      cancel();
      document.removeEventListener('visibilitychange', follow);
    };
  }, [clock, intents, policy, id, unread]);
  useEffect(() => {
    // Another one was opened: the first counts anew when it comes back.
    if (handled.current !== id) handled.current = null;
  }, [id]);
  useEffect(() => {
    // Read when it was opened: if it is unread later, that was done by hand.
    if (id !== null && !unread) handled.current = id;
  }, [id, unread]);
}
