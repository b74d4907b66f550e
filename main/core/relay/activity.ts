// Main, core: records the relay's arrivals, refusals and forwards, for its view and for a terminal.
import type { Arrival, RejectedRequest } from '../../../shared/channels/relay.ts';
import type { Cancel } from '../../../shared/lib/clock.ts';
import type { Message } from '../../../shared/text/message.ts';
import type { Guard } from '../guard.ts';
import { type CapturedDelivery, createRefusals, type Refusals } from './refusals.ts';

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
