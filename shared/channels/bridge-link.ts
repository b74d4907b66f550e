// Pure: the window's end of the Electron link, over the preload bridge. Parses every answer on arrival.
import type { Bridge } from './bridge.ts';
import { type Answer, AnswerSchema } from './channel.ts';
import type { WindowLink } from './link.ts';

/** Here the core lives as long as its window; only a call that never returns shows that it is gone. */
export function createBridgeLink(bridge: Bridge): WindowLink {
  const watchers = new Set<(up: boolean) => void>();
  let isUp = true;
  const setUp = (up: boolean): void => {
    if (isUp === up) return;
    isUp = up;
    for (const watcher of watchers) watcher(up);
  };
  return {
    async call(name, payload): Promise<Answer> {
      let raw: unknown;
      try {
        raw = await bridge.call(name, payload);
      } catch {
        setUp(false);
        return {
          ok: false,
          error: { code: 'disconnected', message: 'Barograph is not running behind this window. Start it again.' },
        };
      }
      setUp(true);
      const answer = AnswerSchema.safeParse(raw);
      if (answer.success) return answer.data;
      return { ok: false, error: { code: 'bad_output', message: `The answer to ${name} is not readable.` } };
    },
    subscribe: (name, listener) => bridge.subscribe(name, listener),
    watch(listener) {
      watchers.add(listener);
      listener(isUp);
      return () => watchers.delete(listener);
    },
  };
}
