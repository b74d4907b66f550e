// Renderer: sends a query of a page to the core, and stores the result in the query cache. A newer call of the same query wins;
// what was answered before stays visible until then.
import type { Channels } from '../../shared/channels/channels.ts';
import type { CallNames, InputOf, OutputOf, Window } from '../../shared/channels/ends.ts';
import { err, messageOf, ok, type Result } from '../../shared/lib/result.ts';
import type { Ingest } from '../store/ingest.ts';

/** Calls that change nothing. */
export type QueryName = {
  [Name in CallNames<Channels>]: Channels[Name]['kind'] extends 'query' ? Name : never;
}[CallNames<Channels>];

export interface QueryClient {
  read<Name extends QueryName>(name: Name, input: InputOf<Channels[Name]>): void;
  /** Asks, and gives the answer to whoever asked alone: for what must not lie in the store. */
  once<Name extends QueryName>(
    name: Name,
    input: InputOf<Channels[Name]>,
  ): Promise<Result<OutputOf<Channels[Name]>, string>>;
}

/** Where the answer lies. */
export const queryKey = (name: QueryName, input: unknown): string => `${name} ${JSON.stringify(input)}`;

export function createQueryClient(window: Window<Channels>, ingest: Ingest): QueryClient {
  const newest = new Map<string, number>();
  let requests = 0;
  return {
    once: (name, input) => window.call(name, input).then(ok, (error) => err(messageOf(error))),
    read(name, input) {
      const key = queryKey(name, input);
      requests += 1;
      const mine = requests;
      newest.set(key, mine);
      const settle = (action: Parameters<Ingest>[0]): void => {
        if (newest.get(key) !== mine) return;
        newest.delete(key);
        ingest(action);
      };
      ingest({ kind: 'query.started', query: 'calls', key, progress: null });
      window.call(name, input).then(
        (value) => settle({ kind: 'query.succeeded', query: 'calls', key, value }),
        (error) => settle({ kind: 'query.failed', query: 'calls', key, message: messageOf(error) }),
      );
    },
  };
}
