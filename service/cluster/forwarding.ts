// Service, cluster: what only the leader can do, asked and answered by rows of the store.
import type { Cancel, Clock } from '../../shared/lib/clock.ts';
import { messageOf } from '../../shared/lib/result.ts';
import type { ErrorKind } from '../../shared/wire/errors.ts';
import { Refusal } from '../refusal.ts';
import type { Store } from '../store/store.ts';

export interface Forwarding {
  /** @throws Refusal of the leader, or because no leader answered in time */
  ask(body: unknown): Promise<unknown>;
  /** Answers of the leader may have come. */
  answered(): void;
  /** Answers every open request, as the leader. */
  answer(perform: (body: unknown) => unknown): void;
  /** Removes what was asked of a leader before: nobody waits for it any more. */
  dismiss(): void;
}

type Answer = { readonly reply: unknown } | { readonly kind: ErrorKind; readonly message: string };

const LIMIT_MS = 3_000;

export function createForwarding(node: string, store: () => Store, clock: Clock): Forwarding {
  const waiting = new Map<string, (answer: Answer) => void>();
  let asked = 0;

  return {
    async ask(body) {
      asked += 1;
      const id = `${node}.${asked}`;
      const { promise, resolve } = Promise.withResolvers<Answer>();
      waiting.set(id, resolve);
      const cancel: Cancel = clock.after(LIMIT_MS, () =>
        resolve({ kind: 'temporarily_unavailable', message: 'No node leads at the moment. Try again.' }),
      );
      try {
        store().transaction(() => store().requests.ask(id, JSON.stringify(body)));
        const answer = await promise;
        store().transaction(() => store().requests.remove(id));
        if ('reply' in answer) return answer.reply;
        throw new Refusal(
          answer.kind,
          answer.message,
          answer.kind === 'temporarily_unavailable' ? { 'retry-after': '1' } : {},
        );
      } finally {
        cancel();
        waiting.delete(id);
      }
    },
    answered() {
      for (const [id, resolve] of waiting) {
        const text = store().requests.answerOf(id);
        if (text !== null) resolve(JSON.parse(text) as Answer);
      }
    },
    answer(perform) {
      for (const { id, body } of store().requests.open()) {
        const answer = JSON.stringify(answerOf(() => perform(JSON.parse(body))));
        store().transaction(() => store().requests.answer(id, answer));
      }
    },
    dismiss() {
      store().transaction(() => {
        for (const { id } of store().requests.open()) store().requests.remove(id);
      });
    },
  };
}

function answerOf(perform: () => unknown): Answer {
  try {
    return { reply: perform() };
  } catch (error) {
    return error instanceof Refusal
      ? { kind: error.kind, message: error.message }
      : { kind: 'temporarily_unavailable', message: messageOf(error) };
  }
}
