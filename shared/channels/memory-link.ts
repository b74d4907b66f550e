// Pure: a link without a transport: window and core in one thread, for tests and fault simulation.
// Copies payloads as a transport would, so that neither end can mutate the other's objects.
import type { Answer } from './channel.ts';
import type { CoreLink, Dispatch, WindowLink } from './link.ts';

export interface MemoryLink {
  window: WindowLink;
  core: CoreLink;
  /** Cuts or restores the link. */
  setUp(up: boolean): void;
}

const copy = <Value>(value: Value): Value =>
  value === undefined ? value : (JSON.parse(JSON.stringify(value)) as Value);

export function createMemoryLink(dispatch: Dispatch): MemoryLink {
  const listeners = new Map<string, Set<(payload: unknown) => void>>();
  const watchers = new Set<(up: boolean) => void>();
  let isUp = true;
  return {
    window: {
      async call(name, payload): Promise<Answer> {
        if (!isUp)
          return {
            ok: false,
            error: { code: 'disconnected', message: 'Barograph is not running behind this window.' },
          };
        return copy(await dispatch(name, copy(payload)));
      },
      subscribe(name, listener) {
        const named = listeners.get(name) ?? new Set();
        listeners.set(name, named.add(listener));
        return () => named.delete(listener);
      },
      watch(listener) {
        watchers.add(listener);
        listener(isUp);
        return () => watchers.delete(listener);
      },
    },
    core: {
      push(name, payload) {
        if (isUp) for (const listener of listeners.get(name) ?? []) listener(copy(payload));
      },
    },
    setUp(up) {
      isUp = up;
      for (const watcher of watchers) watcher(up);
    },
  };
}
