// Main, core: the states of symbols before the ledger, by the closes of the service's history.
import type { Client } from '../../../client/client.ts';
import type { Timeline } from '../../../shared/channels/queries.ts';
import type { StateChange } from '../../../shared/domain/timeline.ts';
import { DAY_MS } from '../../../shared/lib/time.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import type { Memory } from '../archive/memory.ts';
import type { Vocabulary } from '../compat/vocabulary.ts';
import { pointOf } from './timeline.ts';

export interface PastStates {
  /** The known states at closes of a symbol from about `since` on, ms, oldest first. */
  of(symbol: string, since: number): readonly StateChange[];
  /** Reads the symbols whose past is not known, a few at a time. Never throws; failed ones are asked again. */
  fill(symbols: readonly string[], since: number): Promise<void>;
}

export interface PastStatesDeps {
  readonly client: Pick<Client, 'page'>;
  /** False: no request may be sent. */
  readonly mayAsk: () => boolean;
  /** A past that was read once is read from here ever after. */
  readonly memory: Pick<Memory, 'keepHistory' | 'history'>;
  readonly vocabulary: Vocabulary;
}

/** Requests in flight at once, so that a long list does not hold up the window's other requests. */
const AT_ONCE = 4;
/** Most symbols that one call reads: the others come with the next one. */
const MAX_READ = 40;
/** Longest row of days without a close: what begins within it is whole. */
const NO_CLOSE_MS = 5 * DAY_MS;

export function createPastStates({ client, mayAsk, memory, vocabulary }: PastStatesDeps): PastStates {
  const known = new Map<string, Timeline['points']>();
  const pointsOf = (symbol: string, since: number): Timeline['points'] =>
    known.get(symbol) ?? memory.history(symbol, timestamp(since))?.points ?? [];
  const reading = new Map<string, Promise<boolean>>();
  const read = async (symbol: string): Promise<boolean> => {
    const answer = mayAsk() ? await client.page('history', { query: { symbol, limit: 100 } }) : null;
    if (answer?.ok === false && answer.error.kind === 'not_covered') known.set(symbol, []);
    if (answer?.ok !== true) return known.has(symbol);
    const points = answer.value.rows.flatMap((row) => pointOf(vocabulary.row(row)));
    memory.keepHistory(symbol, points);
    // Also a past that is short: the service has no more.
    known.set(symbol, points);
    return true;
  };
  return {
    of: (symbol, since) => pointsOf(symbol, since).map(({ at, state }) => ({ at: Date.parse(at), state })),
    async fill(symbols, since) {
      const isMissing = (symbol: string): boolean => {
        if (known.has(symbol)) return false;
        const [first] = pointsOf(symbol, since);
        return first === undefined || Date.parse(first.at) > since + NO_CLOSE_MS;
      };
      const missing = symbols.filter(isMissing).slice(0, MAX_READ);
      const next = async (): Promise<void> => {
        const symbol = missing.shift();
        if (symbol === undefined) return;
        const answer = reading.get(symbol) ?? read(symbol);
        reading.set(symbol, answer);
        const isRead = await answer.finally(() => reading.delete(symbol));
        // Where one fails the others would too.
        if (isRead) await next();
      };
      await Promise.all(Array.from({ length: AT_ONCE }, next));
    },
  };
}
