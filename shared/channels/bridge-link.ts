// Pure: the window's end of the Electron link, over the preload bridge.
// Parses every answer on arrival.

import { message } from '../text/message.ts';
import type { Bridge } from './bridge.ts';
import { type Answer, AnswerSchema, failedCall } from './channel.ts';
import type { WindowLink } from './link.ts';
import { createLinkStatus } from './link-listeners.ts';
import { disconnected } from './pending-calls.ts';

/** The core lives as long as its window; a rejected call is the only sign that the core is gone. */
export function createBridgeLink(bridge: Bridge): WindowLink {
  const status = createLinkStatus(true);
  return {
    async call(name, payload): Promise<Answer> {
      let raw: unknown;
      try {
        raw = await bridge.call(name, payload);
      } catch {
        status.set(false);
        return disconnected(message('link.gone_for_good'));
      }
      status.set(true);
      const answer = AnswerSchema.safeParse(raw);
      if (answer.success) return answer.data;
      return failedCall('bad_output', message('call.unreadable', { name }));
    },
    subscribe: (name, listener) => bridge.subscribe(name, listener),
    watch: status.watch,
  };
}
