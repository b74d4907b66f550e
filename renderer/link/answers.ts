// Renderer: asks the core a question of a page, and lays the answer on the shelf of answers. A newer asking of the same question wins;
// what was answered before stays visible until then.
import type { Channels } from '../../shared/channels/channels.ts';
import type { CallNames, InputOf, OutputOf, Window } from '../../shared/channels/ends.ts';
import { err, messageOf, ok, type Result } from '../../shared/lib/result.ts';
import type { Ingest } from '../store/ingest.ts';

/** Calls that change nothing. */
export type QueryName = {
  [Name in CallNames<Channels>]: Channels[Name]['kind'] extends 'query' ? Name : never;
}[CallNames<Channels>];

export interface Answers {
  read<Name extends QueryName>(name: Name, input: InputOf<Channels[Name]>): void;
  /** Asks, and gives the answer to whoever asked alone: for what must not lie in the store. */
  once<Name extends QueryName>(
    name: Name,
    input: InputOf<Channels[Name]>,
  ): Promise<Result<OutputOf<Channels[Name]>, string>>;
}

/** Where the answer lies. */
export const questionKey = (name: QueryName, input: unknown): string => `${name} ${JSON.stringify(input)}`;

export function createAnswers(window: Window<Channels>, ingest: Ingest): Answers {
  const newest = new Map<string, number>();
  let asked = 0;
  return {
    once: (name, input) => window.call(name, input).then(ok, (thrown) => err(messageOf(thrown))),
    read(name, input) {
      const key = questionKey(name, input);
      asked += 1;
      const mine = asked;
      newest.set(key, mine);
      const settle = (heard: Parameters<Ingest>[0]): void => {
        if (newest.get(key) !== mine) return;
        newest.delete(key);
        ingest(heard);
      };
      ingest({ kind: 'reading.begun', shelf: 'answers', key, progress: null });
      window.call(name, input).then(
        (value) => settle({ kind: 'reading.done', shelf: 'answers', key, value }),
        (thrown) => settle({ kind: 'reading.failed', shelf: 'answers', key, message: messageOf(thrown) }),
      );
    },
  };
}
