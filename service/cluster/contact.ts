// Service, cluster: whether this node is in contact with the database, and what it must not claim without.
import { SECOND_MS } from '../../shared/lib/time.ts';
import { SILENT_S } from './silence.ts';

export interface Contact {
  /** The database answered. `isLedByOther`: whether it names another node as the leader; absent: as before. */
  answered(isLedByOther?: boolean): void;
  /** Time in which another node may have replaced this one as the leader, ms; 0 while none can have. */
  uncertainMs(): number;
  /** Time without contact, ms; 0 while it is short. */
  cutOffMs(): number;
  /** True without contact while another node led at the last contact. */
  isBehindOther(): boolean;
}

/** Other nodes end the connection of a leader after this silence. */
const LEASE_MS = SILENT_S * SECOND_MS;
/**
 * Longer than a restart of the database and a fail-over. The head is read twice a second, and a leader sends four
 * heartbeats.
 */
export const USUAL_SILENCE_MS = 5 * SECOND_MS;

/** @param now a clock that nobody sets, ms */
export function createContact(now: () => number): Contact {
  let answeredAt = now();
  let wasLedByOther = false;
  const silence = (): number => Math.max(0, now() - answeredAt);
  const cutOffMs = (): number => (silence() > USUAL_SILENCE_MS ? silence() : 0);
  return {
    answered(isLedByOther = wasLedByOther) {
      answeredAt = now();
      wasLedByOther = isLedByOther;
    },
    uncertainMs: () => Math.max(0, silence() - LEASE_MS),
    cutOffMs,
    isBehindOther: () => cutOffMs() > 0 && wasLedByOther,
  };
}
