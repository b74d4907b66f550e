// Renderer: the button by which the user allows notifications in this browser.

import { useSyncExternalStore } from 'react';
import { texts } from '../../shared/text/texts.ts';
import { useServices } from '../services.ts';

export function AllowButton({ className }: { readonly className: string }) {
  const { browserNotifications } = useServices();
  return (
    <button type="button" className={className} onClick={() => browserNotifications?.ask()}>
      {texts.common.notifier.allow}
    </button>
  );
}

const never = () => () => undefined;

/** null: the window has no notifications of a browser. */
export function useBrowserPermission(): NotificationPermission | null {
  const { browserNotifications } = useServices();
  return useSyncExternalStore(browserNotifications?.watch ?? never, () => browserNotifications?.permission() ?? null);
}
