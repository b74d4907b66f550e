// Main, core: how a profile stands, as a short text, for the list of all profiles. Pure.
import type { Connection, Row } from '../../../shared/channels/state.ts';

export interface ProfileStatus {
  /** Why nothing is seen, as text; null while it sees. */
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
