// Renderer: the notifications of the browser that shows this page. Electron's window has none.
import type { OfferedNotification } from '../../shared/channels/state.ts';
import type { Cancel, Clock } from '../../shared/lib/clock.ts';

export interface BrowserNotifications {
  permission(): NotificationPermission;
  /** Calls the listener after each change of the permission, also in another window or in the browser's settings. */
  watch(listener: () => void): Cancel;
  /** Asks the user; browsers allow that only after a click. */
  ask(): void;
  /** Resolves to true once the browser shows it, in place of an earlier one with its tag. */
  show(offered: OfferedNotification, onClick: () => void): Promise<boolean>;
  close(tag: string): void;
}

/** True while the user looks at this window: one that others cover may count as visible. */
export const isInFront = (): boolean => document.visibilityState === 'visible' && document.hasFocus();

/** Not every browser confirms what it shows: without an error in this time, ms, it did. */
const CONFIRM_LIMIT = 1_000;

/** @returns null where the browser has none */
export function createBrowserNotifications(clock: Clock): BrowserNotifications | null {
  if (!('Notification' in window)) return null;
  const onScreen = new Map<string, Notification>();
  const listeners = new Set<() => void>();
  const changed = (): void => {
    for (const listener of listeners) listener();
  };
  // Without it the button disappears with the next drawing.
  void navigator.permissions
    ?.query({ name: 'notifications' })
    .then((status) => status.addEventListener('change', changed))
    .catch(() => undefined);
  return {
    permission: () => Notification.permission,
    watch(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    ask: () => void Notification.requestPermission().then(changed),
    async show({ tag, title, body, is_urgent: isUrgent, is_silent: isSilent }, onClick) {
      // `renotify`: a revision that grew is announced again.
      const options = { tag, body, silent: isSilent, requireInteraction: isUrgent, renotify: true };
      const notification = new Notification(title, options);
      onScreen.set(tag, notification);
      notification.addEventListener('click', () => {
        window.focus();
        notification.close();
        onClick();
      });
      // One that was replaced is closed, too; closing it again would close the one in its place.
      notification.addEventListener('close', () => {
        if (onScreen.get(tag) === notification) onScreen.delete(tag);
      });
      return new Promise((resolve) => {
        notification.addEventListener('show', () => resolve(true));
        notification.addEventListener('error', () => resolve(false));
        clock.after(CONFIRM_LIMIT, () => resolve(true));
      });
    },
    close: (tag) => onScreen.get(tag)?.close(),
  };
}
