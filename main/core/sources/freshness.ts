// Main, core: finds stale watched signals by the service's own times, not by the socket.
import type { HealthIndicator, Row } from '../../../shared/channels/state.ts';
import { priceFaultOf } from '../../../shared/domain/data-health.ts';
import { message } from '../../../shared/text/message.ts';

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

/** Delay beyond three polls after which a decision counts as missed, ms of world time. */
const GRACE = 2 * 60_000;

const isCovered = (row: Row): boolean => row.coverage === 'full' && row.signal !== null;

/** No poll brought the row for three intervals. A time of arrival in the future: the clock was set back. */
const isExpired = (row: Row, { now, cadence }: FreshnessContext): boolean =>
  row.received_at === null || Math.abs(now - Date.parse(row.received_at)) > 3 * cadence + 10_000;

/** World ms of the next decision of a row if it should have come long ago; else null. */
function overdueDecision({ signal }: Row, { worldNow, speed, cadence }: FreshnessContext): number | null {
  const next = signal?.next_decision_at == null ? Number.NaN : Date.parse(signal.next_decision_at);
  return worldNow > next + GRACE + 3 * cadence * speed ? next : null;
}

/** Symbols with a stale signal. */
export const staleSymbols = (context: FreshnessContext): string[] =>
  context.rows
    .filter(isCovered)
    .filter(
      (row) => row.signal?.data_health === 'stale' || isExpired(row, context) || overdueDecision(row, context) !== null,
    )
    .map((row) => row.symbol);

/**
 * World ms of the oldest overdue decision if the service answers and all decisions that it named are overdue; else
 * null. Prices that ended long ago do not count.
 */
export function overdueSince(context: FreshnessContext): number | null {
  const awaited = context.rows.filter(
    (row) => isCovered(row) && row.signal?.data_health !== 'stale' && row.signal?.next_decision_at != null,
  );
  const found = awaited.map((row) => (isExpired(row, context) ? null : overdueDecision(row, context)));
  const overdue = found.filter((instant) => instant !== null);
  return overdue.length === 0 || overdue.length < found.length ? null : Math.min(...overdue);
}

/** True for a fault of the data, other than its age, because of which the service uses no new prices. */
const isHeld = (row: Row): boolean => {
  const fault = priceFaultOf(row.signal);
  return fault === 'quarantined' || fault === 'gap';
};

/** Most symbols that the indicator names; more are only counted. */
const MAX_NAMED = 2;

/** The Fresh indicator: "27 of 27", "26 of 27, BAC stale", "27 of 27, AAPL with faulty prices". */
export function freshIndicator(rows: readonly Row[]): Pick<HealthIndicator, 'state' | 'detail'> {
  const covered = rows.filter((row) => row.coverage === 'full');
  if (covered.length === 0) return { state: 'down', detail: message('health.no_signals') };
  const stale = covered.filter((row) => row.stale).map((row) => row.symbol);
  const counts = { current: covered.length - stale.length, total: covered.length };
  const held = covered.filter((row) => !row.stale && isHeld(row)).map((row) => row.symbol);
  if (stale.length === 0 && held.length > 0)
    return {
      state: 'degraded',
      detail:
        held.length <= MAX_NAMED
          ? message('health.faulty', { ...counts, symbols: held.join(', ') })
          : message('health.faulty_count', { ...counts, faulty: held.length }),
    };
  if (stale.length === 0) return { state: 'ok', detail: message('health.current', counts) };
  return {
    state: counts.current === 0 ? 'down' : 'degraded',
    detail:
      stale.length <= MAX_NAMED
        ? message('health.stale', { ...counts, symbols: stale.join(', ') })
        : message('health.current', counts),
  };
}
