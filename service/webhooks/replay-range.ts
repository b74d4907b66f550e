// Service, webhooks: queues the events of a range once more for one subscription.
// The same ids and bytes, in the order of the log.
import type { ReplayBody, ReplayReply } from '../../shared/wire/subscriptions.ts';
import { Refusal } from '../refusal.ts';
import type { Store } from '../store/store.ts';
import type { StoredSubscription } from '../store/subscriptions.ts';
import { eventFilter } from '../stream/filter.ts';

/** Deliveries per request; a caller that wants more continues after the last. */
const MAX_QUEUED = 1_000;
const READ_ROWS = 500;
/** Events that one request scans: a narrow subscription must not delay the others. */
const MAX_READ = 20_000;

/**
 * Adds a delivery for every event of the range that matches the subscription. Call it within a transaction.
 * @param now ms of the clock of the retries: they are due at once
 * @throws Refusal invalid_request for a paused subscription, a range that ends before it begins, or an
 *   `after` that is no longer in the log
 */
export function replayRange(
  { log, deliveries }: Store,
  subscription: StoredSubscription,
  range: ReplayBody,
  now: number,
): ReplayReply {
  const { id, events, symbols, status } = subscription;
  const from = Date.parse(range.from);
  const to = range.to === undefined ? Number.POSITIVE_INFINITY : Date.parse(range.to);
  if (status === 'paused') throw new Refusal('invalid_request', 'The subscription is paused. Resume it first.');
  if (from > to) throw new Refusal('invalid_request', 'from: must not be after to');
  const begin = range.after === undefined ? { seq: 0 } : log.find(range.after);
  if (begin === null)
    throw new Refusal(
      'invalid_request',
      'after: is no event_id that is kept; send the last_event_id of the answer before',
    );

  const filter = eventFilter({ events: [...events], symbols: symbols === null ? undefined : [...symbols] });
  let position = begin.seq;
  let queued = 0;
  let last: string | null = null;
  for (let read = 0; read < MAX_READ; read += READ_ROWS) {
    const rows = log.after(position, READ_ROWS, from);
    for (const { envelope } of rows) {
      if (queued === MAX_QUEUED) return { subscription_id: id, queued, last_event_id: last, has_more: true };
      position = envelope.seq;
      last = envelope.event_id;
      if (Date.parse(envelope.timestamp) > to || !filter(envelope)) continue;
      deliveries.add(id, envelope, 'replay', now);
      queued += 1;
    }
    if (rows.length < READ_ROWS) return { subscription_id: id, queued, last_event_id: last, has_more: false };
  }
  return { subscription_id: id, queued, last_event_id: last, has_more: true };
}
