// Service, webhooks: turns rows of the store into API records, which never contain a secret.
import { timestamp } from '../../shared/wire/primitives.ts';
import type { Delivery, Subscription } from '../../shared/wire/subscriptions.ts';
import type { DeliveryStore, StoredDelivery } from '../store/deliveries.ts';
import type { StoredSubscription } from '../store/subscriptions.ts';

const timeOrNull = (ms: number | null): string | null => (ms === null ? null : timestamp(ms));

export const subscriptionRecord = (row: StoredSubscription): Subscription => ({
  id: row.id,
  url: row.url,
  events: [...row.events],
  symbols: row.symbols === null ? null : [...row.symbols],
  status: row.status,
  created_at: timestamp(row.createdAt),
  paused_at: timeOrNull(row.pausedAt),
  paused_reason: row.pausedReason,
  failing_since: timeOrNull(row.failingSince),
  rotating: row.nextSecret !== null,
});

const PREFIX = 'dlv_';
const deliveryName = (id: number): string => `${PREFIX}${id}`;
/** The number in a delivery's name, or null for an invalid name. */
export const deliveryNumber = (name: string): number | null =>
  /^dlv_\d{1,15}$/.test(name) ? Number(name.slice(PREFIX.length)) : null;

export const deliveryRecord = (row: StoredDelivery, url: string, deliveries: DeliveryStore): Delivery => ({
  id: deliveryName(row.id),
  subscription_id: row.subscriptionId,
  event_id: row.eventId,
  seq: row.seq,
  event: row.event,
  kind: row.kind,
  status: row.status,
  created_at: timestamp(row.createdAt),
  next_attempt_at: timeOrNull(row.dueAt),
  settled_at: timeOrNull(row.settledAt),
  request: { method: 'POST', url, body: row.body },
  attempts: deliveries.attempts(row.id).map(({ number, at, status, latencyMs, error, response }) => ({
    number,
    at: timestamp(at),
    status,
    latency_ms: latencyMs,
    error,
    response,
  })),
});
