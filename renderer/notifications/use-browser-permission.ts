// Renderer: whether the browser of this window may show notifications.
import { useSyncExternalStore } from 'react';
import { useServices } from '../services.ts';

const never = () => () => undefined;

/** null: the window has no notifications of a browser. */
export function useBrowserPermission(): NotificationPermission | null {
  const { browserNotifications } = useServices();
  return useSyncExternalStore(browserNotifications?.watch ?? never, () => browserNotifications?.permission() ?? null);
}
