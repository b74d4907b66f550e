// Main, core: the status of a profile as a short text for the list of all profiles. Pure.
import type { Connection, Row } from '../../../shared/channels/state.ts';

export interface ProfileStatus {
  /** Cause of the outage, as text; null while connected. */
  readonly offlineReason: string | null;
  readonly replay: boolean;
  /** Watched symbols in High Risk. */
  readonly high: number;
}

/** @param watched rows of watched symbols only */
export function profileStatusOf(
  { outage, stopped }: Pick<Connection, 'outage' | 'stopped'>,
  replay: boolean,
  watched: readonly Row[],
): ProfileStatus {
  return {
    offlineReason: stopped ?? outage?.cause ?? null,
    replay,
    high: watched.filter(({ signal }) => signal?.state === 2).length,
  };
}
