// Renderer, webhooks, pure: how subscriptions, deliveries and targets stand, as a lamp and in words.
import type { Target, TargetFilter } from '../../../shared/channels/relay.ts';
import type { Lamp } from '../../../shared/channels/state.ts';
import type { DeliveryFace, SubscriptionFace } from '../../../shared/channels/subscriptions.ts';
import { stateLabel } from '../../../shared/domain/states.ts';
import { moment, span, type Zone } from '../../text/format.ts';
import { webhookWords as words } from '../../text/webhooks.ts';

export interface Standing {
  readonly state: Lamp['state'];
  readonly text: string;
}

const DAY = 86_400_000;

export function subscriptionStanding(
  { status, failing_since, paused_at }: SubscriptionFace,
  zone: Zone,
  now: number,
): Standing {
  const at = (time: string | null): string | null => (time === null ? null : moment(Date.parse(time), zone, now));
  if (status === 'paused') return { state: 'out', text: words.subscriptions.paused(at(paused_at)) };
  if (failing_since !== null) return { state: 'partial', text: words.subscriptions.failing(at(failing_since) ?? '') };
  return { state: 'lit', text: status === 'active' ? words.subscriptions.active : words.subscriptions.unknown };
}

/** When the service gives up on it, ms; null where nothing fails. */
export const pausesAt = ({ failing_since }: Pick<SubscriptionFace, 'failing_since'>): number | null =>
  failing_since === null ? null : Date.parse(failing_since) + DAY;

export function deliveryStanding(
  { status, kind, attempts, next_attempt_at }: DeliveryFace,
  zone: Zone,
  now: number,
): Standing {
  if (status === 'failed') return { state: 'out', text: words.deliveries.gaveUp };
  if (status === 'pending') {
    if (attempts.length === 0) return { state: 'partial', text: words.deliveries.waits };
    const next = next_attempt_at === null ? null : moment(Date.parse(next_attempt_at), zone, now);
    return { state: 'partial', text: words.deliveries.retrying(next) };
  }
  const delivered = words.deliveries.delivered(attempts.length);
  if (kind === 'event') return { state: 'lit', text: delivered };
  return { state: 'lit', text: kind === 'test' ? words.deliveries.test : words.deliveries.replayed };
}

/** How many of those listed came through, and how long the middle one took, ms; null where none did. */
export function course(deliveries: readonly DeliveryFace[]): {
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

export function targetStanding({ queue, next_at, last, delivered }: Target, now: number): Standing {
  if (queue > 0) {
    const wait = next_at === null ? 0 : Date.parse(next_at) - now;
    if (last?.error == null && wait <= 0) return { state: 'lit', text: words.targets.queued };
    return { state: 'partial', text: words.targets.waits(last?.error ?? null, span(Math.max(0, wait))) };
  }
  if (last === null && delivered === 0) return { state: 'lit', text: words.targets.first };
  return last?.error == null
    ? { state: 'lit', text: words.targets.delivering }
    : { state: 'partial', text: last.error };
}

export const filterWords = ({ events, symbols, states }: TargetFilter): string =>
  words.targets.filterWords(events, symbols, states === null ? null : states.map(stateLabel));

export const eventWords = (events: readonly string[] | null): string =>
  events === null || events.length >= 6 ? words.subscriptions.allEvents : events.join(', ');
export const symbolWords = (symbols: readonly string[] | null): string =>
  symbols === null ? words.all : symbols.join(', ');
