// Main, core: the last refused deliveries with their reasons, for people and signature diagnostics.
// In memory only: a sender of garbage must not be able to make this computer write. The displayed entries
// contain no secret, no signature and no body.
import { isDeepStrictEqual } from 'node:util';
import type { RefusalReason, RejectedRequest } from '../../../shared/channels/relay.ts';
import type { Clock } from '../../../shared/lib/clock.ts';
import type { Message } from '../../../shared/text/message.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import type { Headers } from './signature.ts';

export interface CapturedDelivery {
  readonly headers: Headers;
  readonly body: Uint8Array;
}

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
