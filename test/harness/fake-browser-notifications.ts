// Test harness: the notifications of a browser that grants or denies them, without a screen.
import type { BrowserNotifications } from '../../renderer/notifications/browser-notifications.ts';

/** @param answer the permission after the user was asked */
export function fakeBrowserNotifications(
  permission: NotificationPermission,
  answer: NotificationPermission = permission,
): BrowserNotifications {
  let current = permission;
  const listeners = new Set<() => void>();
  return {
    permission: () => current,
    watch(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    ask() {
      current = answer;
      for (const listener of listeners) listener();
    },
    show: async () => true,
    close: () => undefined,
  };
}
