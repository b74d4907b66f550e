// Renderer: when a briefing that is open counts as read, as the user likes it. What was marked unread by hand stays unread while it is open.
import { useEffect, useRef } from 'react';
import type { BriefingReading } from '../../../shared/channels/archive.ts';
import { useServices } from '../../services.ts';
import { usePreference } from '../../store/preferences.ts';

/** On screen so long, it was read, ms. */
const ON_SCREEN = 4000;

/** @param reading what is on screen; null: nothing, or not its text yet */
export function useMarkRead(reading: BriefingReading | null): void {
  const { clock, intents } = useServices();
  const policy = usePreference((preference) => preference.reading.markRead);
  const handled = useRef<string | null>(null);
  const id = reading?.id ?? null;
  const unread = reading?.unread ?? false;
  useEffect(() => {
    if (id === null || !unread || policy === 'by-hand' || handled.current === id) return;
    const mark = (): void => {
      handled.current = id;
      intents.tell('briefings.mark', { ids: [id], unread: false });
    };
    if (policy === 'at-once') return mark();
    let cancel = (): void => undefined;
    // A window that nobody sees is not read.
    const follow = (): void => {
      cancel();
      if (!document.hidden) cancel = clock.after(ON_SCREEN, mark);
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
