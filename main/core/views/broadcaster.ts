// Main, core: pushes to the windows, each over its link, and wakes the shell for tray and dock.
import { channels } from '../../../shared/channels/channels.ts';
import { createPusher } from '../../../shared/channels/ends.ts';
import type { CoreLink } from '../../../shared/channels/link.ts';
import type { Cancel } from '../../../shared/lib/clock.ts';

type Push = ReturnType<typeof createPusher<typeof channels>>;

export interface Broadcaster {
  /** Sends to every window. */
  readonly broadcast: Push;
  /** Informs the shell that the tray view may have changed. */
  notifyTray(): void;
  /** Sends pushes to this link from now on. */
  attach(link: CoreLink): Cancel;
  onTrayChanged(listener: () => void): Cancel;
}

export function createBroadcaster(): Broadcaster {
  const pushers = new Set<Push>();
  const listeners = new Set<() => void>();
  return {
    broadcast(name, payload) {
      for (const push of pushers) push(name, payload);
    },
    notifyTray() {
      for (const listener of listeners) listener();
    },
    attach(link) {
      const push = createPusher(channels, link);
      pushers.add(push);
      return () => void pushers.delete(push);
    },
    onTrayChanged(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
