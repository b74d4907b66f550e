// Service, cluster: requests that only the leader can perform; rows of the store carry them.
import type { Cancel, Clock } from '../../shared/lib/clock.ts';
import { messageOf } from '../../shared/lib/result.ts';
import type { ErrorKind } from '../../shared/wire/errors.ts';
import { Refusal } from '../refusal.ts';
import type { Store } from '../store/store.ts';

export interface Forwarding {
  /** @throws Refusal of the leader, or because no leader answered in time */
  ask(body: unknown): Promise<unknown>;
  /** Resolves the requests whose answers have arrived. */
  answered(): void;
  /**
   * Performs and answers every open request, as the leader. When an answer cannot be written it throws; the
   * next call writes the answer without performing the request again.
   */
  answer(perform: (body: unknown) => unknown): void;
  /**
   * Drops requests to a former leader, because it may have performed them. The next `answer` removes them.
   */
  dismiss(): void;
}

type Answer = { readonly reply: unknown } | { readonly kind: ErrorKind; readonly message: string };

const LIMIT_MS = 3_000;

export function createForwarding(node: string, store: () => Store, clock: Clock): Forwarding {
  const waiting = new Map<string, (answer: Answer) => void>();
  let asked = 0;
  /** Unwritten answers of this leader, by request. */
  const unwritten = new Map<string, string>();
  /** Requests to a former leader that are not removed yet. */
  let former: ReadonlySet<string> = new Set();
  const removeFormer = (): void => {
    if (former.size > 0)
      store().transaction(() => {
        for (const id of former) store().requests.remove(id);
      });
    former = new Set();
  };

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
      removeFormer();
      const open = store().requests.open();
      for (const id of unwritten.keys()) if (!open.some((request) => request.id === id)) unwritten.delete(id);
      for (const { id, body } of open) {
        const answer = unwritten.get(id) ?? JSON.stringify(answerOf(() => perform(JSON.parse(body))));
        unwritten.set(id, answer);
        store().transaction(() => store().requests.answer(id, answer));
        unwritten.delete(id);
      }
    },
    dismiss() {
      former = new Set(store().requests.all());
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
