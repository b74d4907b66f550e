// Main, core: records the relay's arrivals, refusals and forwards, for its view and for a terminal.
import { isDeepStrictEqual } from 'node:util';
import type { Arrival, RefusalReason, RejectedRequest } from '../../../shared/channels/relay.ts';
import type { Cancel, Clock } from '../../../shared/lib/clock.ts';
import type { Message } from '../../../shared/text/message.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import type { Guard } from '../guard.ts';
import type { CapturedDelivery } from './server.ts';

export interface Refusals {
  /** @param delivery kept for the signature diagnostics unless it is large */
  note(reason: RefusalReason, message: Message, delivery?: CapturedDelivery): RejectedRequest;
  /** Newest first. */
  list(): RejectedRequest[];
  delivery(id: number): CapturedDelivery | null;
}

const MAX_REFUSALS = 50;
const LARGEST_DELIVERY = 64 * 1024;

export function createRefusals(clock: Clock): Refusals {
  let made = 0;
  /** Oldest first. */
  const entries: { shown: RejectedRequest; delivery: CapturedDelivery | null }[] = [];
  return {
    note(reason, message, delivery) {
      const at = timestamp(clock.now());
      const own = delivery !== undefined && delivery.body.byteLength <= LARGEST_DELIVERY ? delivery : null;
      const last = entries.at(-1);
      // A flood of one kind is one line, so that it does not push out other entries.
      if (
        last !== undefined &&
        last.shown.reason === reason &&
        isDeepStrictEqual(last.shown.message, message) &&
        own === null &&
        last.delivery === null
      ) {
        last.shown = { ...last.shown, at, times: last.shown.times + 1 };
        return last.shown;
      }
      made += 1;
      const shown: RejectedRequest = { id: made, at, reason, message, times: 1, examinable: own !== null };
      entries.push({ shown, delivery: own });
      if (entries.length > MAX_REFUSALS) entries.shift();
      return shown;
    },
    list: () => entries.map(({ shown }) => shown).reverse(),
    delivery: (id) => entries.find(({ shown }) => shown.id === id)?.delivery ?? null,
  };
}

export type RelayActivity =
  | { readonly kind: 'arrived'; readonly arrival: Arrival }
  | { readonly kind: 'refused'; readonly refused: RejectedRequest }
  | ({ readonly kind: 'sent' } & SentForward);

export interface SentForward {
  readonly url: string;
  readonly eventId: string;
  readonly status: number | null;
  readonly error: Message | null;
}

export interface ActivityLog {
  /** The last arrivals, newest first. */
  arrivals(): Arrival[];
  /** The last refusals, newest first. */
  refusals(): RejectedRequest[];
  /** A refused delivery; null: it was too large to keep, or later ones replaced it. */
  refusedDelivery(id: number): CapturedDelivery | null;
  arrived(arrival: Arrival): void;
  refused: (...refusal: Parameters<Refusals['note']>) => void;
  sent(forward: SentForward): void;
  watch(listener: (activity: RelayActivity) => void): Cancel;
}

const MAX_ARRIVALS = 50;

/** @param changed called after each entry */
export function createActivityLog(guard: Guard, changed: () => void): ActivityLog {
  const listeners = new Set<(activity: RelayActivity) => void>();
  const refusals = createRefusals(guard.clock);
  let arrivals: Arrival[] = [];
  const announce = (activity: RelayActivity): void => {
    for (const listener of listeners) guard.run(() => listener(activity));
    changed();
  };
  return {
    arrivals: () => arrivals,
    refusals: refusals.list,
    refusedDelivery: refusals.delivery,
    arrived(arrival) {
      arrivals = [arrival, ...arrivals].slice(0, MAX_ARRIVALS);
      announce({ kind: 'arrived', arrival });
    },
    refused: (...refusal) => announce({ kind: 'refused', refused: refusals.note(...refusal) }),
    sent: (forward) => announce({ kind: 'sent', ...forward }),
    watch(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
