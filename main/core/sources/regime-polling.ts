// Main, core: polls GET /regime for the symbols that have no signal, one symbol per call.
import type { Client } from '../../../client/client.ts';
import type { ProblemKind, ServiceProblem } from '../../../client/problem.ts';
import type { Row } from '../../../shared/channels/state.ts';
import type { Clock } from '../../../shared/lib/clock.ts';
import type { Result } from '../../../shared/lib/result.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import { finite, instant, isFields, priceOf } from '../compat/fields.ts';
import { regimeOf } from '../compat/normalize.ts';
import type { RowTable } from '../rows.ts';

/**
 * Polling interval, ms of world time. A regime changes only at a close, and an event announces the change; the
 * price beside it is as old as the interval.
 */
export const REGIME_CADENCE = { sandbox: 10_000, production: 3_600_000 };
/** Polling interval of symbols that the service does not cover, ms. */
const UNCOVERED_CADENCE = 3_600_000;
/** Most calls per poll. */
const MAX_CALLS = 10;
/** Problems that say nothing about coverage: the next poll retries. */
export const LATER: ReadonlySet<ProblemKind> = new Set([
  'network',
  'timeout',
  'unavailable',
  'rate_limited',
  'cancelled',
]);

export interface RegimePolling {
  /** Polls the due symbols. Returns the problem that ended the poll early. */
  poll(symbols: readonly string[]): Promise<ServiceProblem | null>;
  /** The symbol has a signal: when it loses the signal, its regime is due at once. */
  forget(symbol: string): void;
}

export interface RegimePollingDeps {
  readonly clock: Clock;
  readonly client: Pick<Client, 'read'>;
  readonly rows: RowTable;
  /** ms. */
  readonly cadence: () => number;
  readonly isStopped: () => boolean;
}

export function createRegimePolling({ clock, client, rows, cadence, isStopped }: RegimePollingDeps): RegimePolling {
  const asked = new Map<string, { readonly at: number; readonly isCovered: boolean }>();
  const isDue = (symbol: string): boolean => {
    const last = asked.get(symbol);
    return last === undefined || clock.now() - last.at >= (last.isCovered ? cadence() : UNCOVERED_CADENCE);
  };
  const askedAt = (symbol: string): number => asked.get(symbol)?.at ?? 0;
  return {
    async poll(symbols) {
      const due = symbols.filter(isDue).sort((a, b) => askedAt(a) - askedAt(b));
      for (const symbol of due.slice(0, MAX_CALLS)) {
        const answer = await client.read('regime', { params: { symbol } });
        if (isStopped()) return null;
        if (!answer.ok && LATER.has(answer.error.kind)) return answer.error;
        const receivedAt = timestamp(clock.now());
        const regime = answer.ok ? regimeOf(answer.value.value) : null;
        asked.set(symbol, { at: clock.now(), isCovered: regime !== null });
        if (regime !== null) rows.regimeOnly(symbol, regime, receivedAt, quoteOf(answer));
        else if (answer.ok || answer.error.kind === 'not_covered' || answer.error.kind === 'not_found')
          rows.notCovered(symbol, receivedAt);
      }
      return null;
    },
    forget: (symbol) => void asked.delete(symbol),
  };
}

/** The price in an answer of /regime/{symbol}; undefined: none. */
function quoteOf(answer: Result<{ readonly value: unknown }, unknown>): Row['quote'] {
  if (!answer.ok || !isFields(answer.value.value)) return undefined;
  const { value } = answer.value;
  const price = priceOf(value.price);
  if (price === null) return undefined;
  const asOf = instant(value.as_of);
  const old = value.data_health === 'stale';
  const age = finite(value.data_age_seconds);
  // as_of is the time of the answer; an old price is from the last close.
  const at = old && asOf !== null ? (age === null ? null : timestamp(Date.parse(asOf) - 1000 * age)) : asOf;
  return { price, change_pct: old ? null : finite(value.change_pct), at, old };
}
