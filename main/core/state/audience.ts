// Main, core: who is told what becomes of this core: windows, each over its link, and the shell, for tray and dock.
import { channels } from '../../../shared/channels/channels.ts';
import { createPusher } from '../../../shared/channels/ends.ts';
import type { CoreLink } from '../../../shared/channels/link.ts';
import type { Cancel } from '../../../shared/lib/clock.ts';

type Push = ReturnType<typeof createPusher<typeof channels>>;

export interface Audience {
  /** Tells every window. */
  readonly tell: Push;
  /** Tells the shell that its face may have changed. */
  look(): void;
  /** Pushes go to this link from now on. */
  attach(link: CoreLink): Cancel;
  onLook(listener: () => void): Cancel;
}

export function createAudience(): Audience {
  const pushers = new Set<Push>();
  const onlookers = new Set<() => void>();
  return {
    tell(name, payload) {
      for (const push of pushers) push(name, payload);
    },
    look() {
      for (const onlooker of onlookers) onlooker();
    },
    attach(link) {
      const push = createPusher(channels, link);
      pushers.add(push);
      return () => void pushers.delete(push);
    },
    onLook(listener) {
      onlookers.add(listener);
      return () => void onlookers.delete(listener);
    },
  };
}
