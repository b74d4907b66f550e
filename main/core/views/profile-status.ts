// Main, core: the status of a profile as a short text for the list of all profiles. Pure.
import type { Connection, Row } from '../../../shared/channels/state.ts';
import type { Message } from '../../../shared/text/message.ts';

export interface ProfileStatus {
  /** Cause of the outage; null while connected. */
  readonly offlineReason: Message | null;
  readonly replay: boolean;
  /** Watched symbols in High Risk. */
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
    replay,
    high: watched.filter(({ signal }) => signal?.state === 2).length,
  };
}
