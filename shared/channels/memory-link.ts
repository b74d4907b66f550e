// Pure: a link without a transport: window and core in one thread, for tests and fault simulation.
// Copies payloads as a transport would, so that neither end can mutate the other's objects.
import { message } from '../text/message.ts';
import type { Answer } from './channel.ts';
import type { CoreLink, Dispatch, WindowLink } from './link.ts';
import { createLinkStatus, createPushListeners } from './link-listeners.ts';
import { disconnected } from './pending-calls.ts';

export interface MemoryLink {
  window: WindowLink;
  core: CoreLink;
  /** Cuts or restores the link. */
  setUp(up: boolean): void;
}

const copy = <Value>(value: Value): Value =>
  value === undefined ? value : (JSON.parse(JSON.stringify(value)) as Value);

export function createMemoryLink(dispatch: Dispatch): MemoryLink {
  const pushes = createPushListeners();
  const status = createLinkStatus(true);
  return {
    window: {
      async call(name, payload): Promise<Answer> {
        if (!status.isUp()) return disconnected(message('link.gone'));
        return copy(await dispatch(name, copy(payload)));
      },
      subscribe: pushes.subscribe,
      watch: status.watch,
    },
    core: {
      push(name, payload) {
        if (status.isUp()) pushes.deliver(name, copy(payload));
      },
    },
    setUp: status.set,
  };
}
