// Main, core: reads subscriptions and deliveries of any service, with null for absent values. Pure.
import type { Attempt, DeliveryView, SubscriptionView } from '../../../shared/channels/subscriptions.ts';
import { type Fields, finite, instant, isFields, symbol, text } from './fields.ts';

/** @param ownUrl address of this computer's relay, whose secret path is replaced; null: none */
export function readSubscription(row: unknown, ownUrl: string | null): SubscriptionView | null {
  if (!isFields(row)) return null;
  const [id, url] = [text(row.id), text(row.url)];
  if (id === null || url === null) return null;
  const status = text(row.status)?.toLowerCase();
  const own = ownUrl !== null && isSameAddress(url, ownUrl);
  return {
    id,
    url: own ? `${new URL(url).origin}/in/\u2026` : url,
    own,
    events: names(row.events),
    symbols: names(row.symbols),
    status: status === 'active' || status === 'paused' ? status : 'unknown',
    created_at: instant(row.created_at),
    paused_at: instant(row.paused_at),
    paused_reason: text(row.paused_reason),
    failing_since: instant(row.failing_since),
    rotating: row.rotating === true,
  };
}

/** A service may store an address in its normal form. */
export const isSameAddress = (a: string, b: string): boolean =>
  a === b || (URL.canParse(a) && URL.canParse(b) && new URL(a).href === new URL(b).href);

export function readDelivery(row: unknown): DeliveryView | null {
  if (!isFields(row)) return null;
  const id = text(row.id);
  if (id === null) return null;
  const body = isFields(row.request) ? text(row.request.body) : null;
  const status = text(row.status);
  const kind = text(row.kind);
  return {
    id,
    event_id: text(row.event_id) ?? '',
    event: text(row.event) ?? '',
    symbol: symbolIn(body),
    kind: kind === 'replay' || kind === 'test' ? kind : 'event',
    status: status === 'delivered' || status === 'failed' ? status : 'pending',
    created_at: instant(row.created_at),
    next_attempt_at: instant(row.next_attempt_at),
    settled_at: instant(row.settled_at),
    body,
    attempts: (Array.isArray(row.attempts) ? row.attempts : []).filter(isFields).map(readAttempt),
  };
}

const readAttempt = (row: Fields, index: number): Attempt => {
  const [status, latency] = [finite(row.status), finite(row.latency_ms)];
  return {
    number: index + 1,
    at: instant(row.at),
    status: status === null ? null : Math.trunc(status),
    latency_ms: latency === null ? null : Math.max(0, latency),
    error: text(row.error),
    response: text(row.response),
  };
};

/** The symbol in a body; null: none. */
function symbolIn(body: string | null): string | null {
  try {
    const value: unknown = JSON.parse(body ?? 'null');
    return isFields(value) && isFields(value.data) ? symbol(value.data.symbol) : null;
  } catch {
    return null;
  }
}

const names = (value: unknown): string[] | null =>
  Array.isArray(value) ? value.filter((name): name is string => typeof name === 'string') : null;
