// Main, core: finds watched signals that are older than they should be.
// Decided by the service's own times, not by the socket.
import type { HealthIndicator, Row } from '../../../shared/channels/state.ts';

export interface FreshnessContext {
  readonly rows: readonly Row[];
  /** World time, ms, and its speed. */
  readonly worldNow: number;
  readonly speed: number;
  /** This computer's time, ms. */
  readonly now: number;
  /** Interval of the polling of signals, ms. */
  readonly cadence: number;
}

/** A decision this late, beyond three polls, was missed, ms of world time. */
const GRACE = 2 * 60_000;

/** Symbols whose signal is older than it should be. */
export function staleSymbols({ rows, worldNow, speed, now, cadence }: FreshnessContext): string[] {
  const late = GRACE + 3 * cadence * speed;
  return rows
    .filter((row) => row.coverage === 'full' && row.signal !== null)
    .filter((row) => {
      const isExpired = row.received_at === null || now - Date.parse(row.received_at) > 3 * cadence + 10_000;
      return isExpired || (row.signal !== null && worldNow > Date.parse(row.signal.next_decision_at) + late);
    })
    .map((row) => row.symbol);
}

/** The Fresh indicator: "27 of 27", "26 of 27, BAC stale". */
export function freshIndicator(rows: readonly Row[]): Pick<HealthIndicator, 'state' | 'detail'> {
  const covered = rows.filter((row) => row.coverage === 'full');
  if (covered.length === 0) return { state: 'down', detail: 'nothing heard' };
  const stale = covered.filter((row) => row.stale).map((row) => row.symbol);
  const count = `${covered.length - stale.length} of ${covered.length}`;
  if (stale.length === 0) return { state: 'ok', detail: count };
  const named = stale.length <= 2 ? `, ${stale.join(', ')} stale` : '';
  return { state: stale.length === covered.length ? 'down' : 'degraded', detail: `${count}${named}` };
}
