// Main, core: the states of symbols before the ledger, by the closes of the service's history.
import type { Client } from '../../../client/client.ts';
import type { Timeline } from '../../../shared/channels/queries.ts';
import { NO_CLOSE_MS, type StateChange } from '../../../shared/domain/timeline.ts';
import type { Clock } from '../../../shared/lib/clock.ts';
import { HOUR_MS, MINUTE_MS } from '../../../shared/lib/time.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import type { Memory } from '../archive/memory.ts';
import type { Vocabulary } from '../compat/vocabulary.ts';
import { pointOf } from './timeline.ts';

export interface PastStates {
  /** The known states at closes of a symbol from about `since` on, ms, oldest first. */
  of(symbol: string, since: number): readonly StateChange[];
  /**
   * Reads the symbols whose past is not known from `since` to an instant of their own, a few at a time. Never
   * throws; failed ones are asked again, a minute later at the earliest.
   */
  fill(wanted: ReadonlyMap<string, number>, since: number): Promise<void>;
}

export interface PastStatesDeps {
  readonly client: Pick<Client, 'page'>;
  /** False: no request may be sent. */
  readonly mayAsk: () => boolean;
  /** A past that was read once is read from here ever after. */
  readonly memory: Pick<Memory, 'keepHistory' | 'history'>;
  readonly vocabulary: Vocabulary;
  readonly clock: Clock;
}

/** Requests in flight at once, so that a long list does not hold up the window's other requests. */
const AT_ONCE = 4;
/** Most symbols that one call reads: the others come with the next one. */
const MAX_READ = 40;
/** Shortest time between two readings of a symbol: its past may be short, or the service down. */
const [GOOD_FOR, RETRY_AFTER] = [HOUR_MS, MINUTE_MS];

export function createPastStates({ client, mayAsk, memory, vocabulary, clock }: PastStatesDeps): PastStates {
  const known = new Map<string, Timeline['points']>();
  const pointsOf = (symbol: string, since: number): Timeline['points'] =>
    known.get(symbol) ?? memory.history(symbol, timestamp(since))?.points ?? [];
  const reading = new Map<string, Promise<boolean>>();
  /** By this computer's clock. */
  const askedAgainFrom = new Map<string, number>();
  /** @returns false where the others would fail too */
  const read = async (symbol: string): Promise<boolean> => {
    if (!mayAsk()) return false;
    const answer = await client.page('history', { query: { symbol, limit: 100 } });
    const isUnknown = !answer.ok && (answer.error.kind === 'not_covered' || answer.error.kind === 'not_found');
    askedAgainFrom.set(symbol, clock.now() + (answer.ok || isUnknown ? GOOD_FOR : RETRY_AFTER));
    if (!answer.ok) return isUnknown;
    const points = answer.value.rows.flatMap((row) => pointOf(vocabulary.row(row)));
    memory.keepHistory(symbol, points);
    known.set(symbol, points);
    return true;
  };
  return {
    of: (symbol, since) => pointsOf(symbol, since).map(({ at, state }) => ({ at: Date.parse(at), state })),
    async fill(wanted, since) {
      const isMissing = (symbol: string, until: number): boolean => {
        if (clock.now() < (askedAgainFrom.get(symbol) ?? Number.NEGATIVE_INFINITY)) return false;
        const points = pointsOf(symbol, since);
        const [first, last] = [points[0], points.at(-1)];
        if (first === undefined || last === undefined) return true;
        return Date.parse(first.at) > since + NO_CLOSE_MS || Date.parse(last.at) < until - NO_CLOSE_MS;
      };
      const missing = [...wanted]
        .flatMap(([symbol, until]) => (isMissing(symbol, until) ? [symbol] : []))
        .slice(0, MAX_READ);
      const next = async (): Promise<void> => {
        const symbol = missing.shift();
        if (symbol === undefined) return;
        const answer = reading.get(symbol) ?? read(symbol);
        reading.set(symbol, answer);
        const isRead = await answer.finally(() => reading.delete(symbol));
        if (isRead) await next();
      };
      await Promise.all(Array.from({ length: AT_ONCE }, next));
    },
  };
}
