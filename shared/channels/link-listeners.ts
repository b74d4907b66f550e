// Pure: the common state of window links: push listeners, and whether the link is up.
import type { WindowLink } from './link.ts';

export interface PushListeners {
  readonly subscribe: WindowLink['subscribe'];
  deliver(name: string, payload: unknown): void;
}

export function createPushListeners(): PushListeners {
  const listeners = new Map<string, Set<(payload: unknown) => void>>();
  return {
    subscribe(name, listener) {
      const named = listeners.get(name) ?? new Set();
      listeners.set(name, named.add(listener));
      return () => named.delete(listener);
    },
    deliver(name, payload) {
      for (const listener of [...(listeners.get(name) ?? [])]) listener(payload);
    },
  };
}

export interface LinkStatus {
  readonly watch: WindowLink['watch'];
  isUp(): boolean;
  /** Informs the watchers when it changes. */
  set(up: boolean): void;
}

export function createLinkStatus(initial: boolean): LinkStatus {
  const watchers = new Set<(up: boolean) => void>();
  let isUp = initial;
  return {
    watch(listener) {
      watchers.add(listener);
      listener(isUp);
      return () => watchers.delete(listener);
    },
    isUp: () => isUp,
    set(up) {
      if (isUp === up) return;
      isUp = up;
      for (const watcher of watchers) watcher(up);
    },
  };
}
