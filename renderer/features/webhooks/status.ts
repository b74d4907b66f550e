// Renderer, webhooks, pure: the status of subscriptions, deliveries and targets, with its text.

import type { Target, TargetFilter } from '../../../shared/channels/relay.ts';
import type { HealthIndicator } from '../../../shared/channels/state.ts';
import type { DeliveryView, SubscriptionView } from '../../../shared/channels/subscriptions.ts';
import { stateLabel } from '../../../shared/domain/states.ts';
import { DAY_MS } from '../../../shared/lib/time.ts';
import { shortTimestamp, span, type Zone } from '../../../shared/text/format.ts';
import { textOf } from '../../../shared/text/message.ts';

import { texts } from '../../../shared/text/texts.ts';

export interface StatusLine {
  readonly state: HealthIndicator['state'];
  readonly text: string;
}

export function subscriptionStatus(
  { status, failing_since, paused_at }: SubscriptionView,
  zone: Zone,
  now: number,
): StatusLine {
  const at = (time: string | null): string | null =>
    time === null ? null : shortTimestamp(Date.parse(time), zone, now);
  if (status === 'paused') return { state: 'down', text: texts.webhooks.subscriptions.paused(at(paused_at)) };
  if (failing_since !== null)
    return { state: 'degraded', text: texts.webhooks.subscriptions.failing(at(failing_since) ?? '') };
  return {
    state: 'ok',
    text: status === 'active' ? texts.webhooks.subscriptions.active : texts.webhooks.subscriptions.unknown,
  };
}

/** The time when the service will pause a failing subscription, ms; null without a failure. */
export const pausesAt = ({ failing_since }: Pick<SubscriptionView, 'failing_since'>): number | null =>
  failing_since === null ? null : Date.parse(failing_since) + DAY_MS;

export function deliveryStatus(
  { status, kind, attempts, next_attempt_at }: DeliveryView,
  zone: Zone,
  now: number,
): StatusLine {
  if (status === 'failed') return { state: 'down', text: texts.webhooks.deliveries.gaveUp };
  if (status === 'pending') {
    if (attempts.length === 0) return { state: 'degraded', text: texts.webhooks.deliveries.waits };
    const next = next_attempt_at === null ? null : shortTimestamp(Date.parse(next_attempt_at), zone, now);
    return { state: 'degraded', text: texts.webhooks.deliveries.retrying(next) };
  }
  const delivered = texts.webhooks.deliveries.delivered(attempts.length);
  if (kind === 'event') return { state: 'ok', text: delivered };
  return { state: 'ok', text: kind === 'test' ? texts.webhooks.deliveries.test : texts.webhooks.deliveries.replayed };
}

/** Number of listed deliveries that succeeded, and their median duration, ms; null if none did. */
export function deliveryStats(deliveries: readonly DeliveryView[]): {
  readonly delivered: number;
  readonly median: number | null;
} {
  const took = deliveries
    .flatMap((delivery) => (delivery.status === 'delivered' ? [delivery.attempts.at(-1)?.latency_ms ?? null] : []))
    .filter((ms) => ms !== null)
    .sort((a, b) => a - b);
  return {
    delivered: deliveries.filter(({ status }) => status === 'delivered').length,
    median: took[Math.floor((took.length - 1) / 2)] ?? null,
  };
}

export function targetStatus({ queue, next_at, last, delivered }: Target, now: number): StatusLine {
  const error = last?.error == null ? null : textOf(last.error);
  if (queue > 0) {
    const wait = next_at === null ? 0 : Date.parse(next_at) - now;
    if (error === null && wait <= 0) return { state: 'ok', text: texts.webhooks.targets.queued };
    return { state: 'degraded', text: texts.webhooks.targets.waits(error, span(Math.max(0, wait))) };
  }
  if (last === null && delivered === 0) return { state: 'ok', text: texts.webhooks.targets.first };
  return error === null ? { state: 'ok', text: texts.webhooks.targets.delivering } : { state: 'degraded', text: error };
}

export const filterLabel = ({ events, symbols, states }: TargetFilter): string =>
  texts.webhooks.targets.filterLabel(events, symbols, states === null ? null : states.map(stateLabel));

export const eventsLabel = (events: readonly string[] | null): string =>
  events === null || events.length >= 6 ? texts.webhooks.subscriptions.allEvents : events.join(', ');
export const symbolsLabel = (symbols: readonly string[] | null): string =>
  symbols === null ? texts.webhooks.all : symbols.join(', ');
