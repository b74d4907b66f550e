// Main, core: the status of a profile as a short text for the list of all profiles. Pure.
import type { Connection, Row } from '../../../shared/channels/state.ts';
import { newestOldPrice } from '../../../shared/domain/price-age.ts';
import { type Message, message } from '../../../shared/text/message.ts';

export interface ProfileStatus {
  /** Cause of the outage; null while connected. */
  readonly offlineReason: Message | null;
  /** Why no price is current although the service answers; null where a price is current. */
  readonly staleReason: Message | null;
  readonly replay: boolean;
  /** Watched symbols known to be in High Risk now. */
  readonly high: number;
}

/** @param watched rows of watched symbols only */
export function profileStatusOf(
  { outage }: Pick<Connection, 'outage'>,
  replay: boolean,
  watched: readonly Row[],
): ProfileStatus {
  return {
    offlineReason: outage?.cause ?? null,
    staleReason: staleReasonOf(watched),
    replay,
    // The state of a stale price may have changed since, and so may every state in an outage.
    high: outage === null ? watched.filter(({ signal, stale }) => signal?.state === 2 && !stale).length : 0,
  };
}

function staleReasonOf(watched: readonly Row[]): Message | null {
  const newest = newestOldPrice(watched);
  return newest === null ? null : message('profile.stale', { newest });
}
