// Pure: the calls of a window that the core has not answered yet.
import type { Clock } from '../lib/clock.ts';
import { type Message, message } from '../text/message.ts';
import { type Answer, failedCall } from './channel.ts';

export interface PendingCalls {
  /**
   * Sends a call under a new id. Answers `disconnected` when `send` throws, or no answer comes within `limit`
   * ms.
   */
  call(limit: number, send: (id: number) => void): Promise<Answer>;
  settle(id: number, answer: Answer): void;
  /** Answers `disconnected` to all pending calls. */
  drop(why: Message): void;
}

export const disconnected = (why: Message): Answer => failedCall('disconnected', why);

/** @param gone the answer to a call that cannot be sent */
export function createPendingCalls(clock: Clock, gone: Answer): PendingCalls {
  const pending = new Map<number, (answer: Answer) => void>();
  let lastId = 0;
  const settle = (id: number, answer: Answer): void => pending.get(id)?.(answer);
  return {
    call(limit, send) {
      return new Promise((resolve) => {
        lastId += 1;
        const id = lastId;
        const cancel = clock.after(limit, () =>
          settle(id, disconnected(message('call.no_answer', { seconds: limit / 1000 }))),
        );
        pending.set(id, (answer) => {
          pending.delete(id);
          cancel();
          resolve(answer);
        });
        try {
          send(id);
        } catch {
          settle(id, gone);
        }
      });
    },
    settle,
    drop(why) {
      for (const id of [...pending.keys()]) settle(id, disconnected(why));
    },
  };
}
