// Renderer: reports to the core the alerts that this window showed instead of the desktop.
import { useEffect, useRef } from 'react';
import type { Alert, PriceAlert } from '../../../shared/channels/state.ts';
import { isInFront } from '../../notifications/browser-notifications.ts';
import { useServices } from '../../services.ts';
import { eventIdOf, type Toasts } from './toasts.ts';

/**
 * Reports each alert of the toast once, even if it joined the notification of an earlier one. A hidden window
 * reports nothing, because nobody sees it; nor does one in the background whose browser shows the alert.
 */
export function useShown<Item extends Alert | PriceAlert>({ active, over }: Toasts<Item>): void {
  const { intents, browserNotifications } = useServices();
  const reported = useRef(new Set<string>());
  useEffect(() => {
    const open = [...active, ...over].flatMap((alert) =>
      alert.dispatch?.outcome === 'failed' ? [{ id: alert.dispatch.notification_id, key: eventIdOf(alert) }] : [],
    );
    const report = (): void => {
      if (document.visibilityState !== 'visible') return;
      if (browserNotifications?.permission() === 'granted' && !isInFront()) return;
      const unreported = open.filter(({ key }) => !reported.current.has(key));
      for (const { key } of unreported) reported.current.add(key);
      for (const [id, alerts] of Map.groupBy(unreported, (one) => one.id))
        void intents.ask('alerts.shown', { notification_id: id }).then(({ ok }) => {
          if (!ok) for (const { key } of alerts) reported.current.delete(key);
        });
    };
    report();
    document.addEventListener('visibilitychange', report);
    window.addEventListener('focus', report);
    return () => {
      document.removeEventListener('visibilitychange', report);
      window.removeEventListener('focus', report);
    };
  }, [active, over, intents, browserNotifications]);
}
