// Pure: parts of the windows' state in their order. Without schemas, which load later than the window draws.
/**
 * Health checks of a connection, in fixed order: transport open, bytes flowing, data fresh, last round trip
 * verified.
 */
export const INDICATOR_NAMES = ['open', 'bytes', 'fresh', 'verified'] as const;
export type IndicatorName = (typeof INDICATOR_NAMES)[number];

/**
 * How many alerts a window holds besides those that are active or need attention; older ones stay in the
 * ledger.
 */
export const MAX_ALERTS = 200;

/** An alert, as far as its place goes. */
interface Recorded {
  readonly ledger_id: number;
  readonly transition: { readonly occurred_at: string };
}

/** The order in which alerts are shown and kept: the newest first; at equal times, the last one recorded. */
export function newestFirst(a: Recorded, b: Recorded): number {
  const [here, there] = [a.transition.occurred_at, b.transition.occurred_at];
  return here === there ? b.ledger_id - a.ledger_id : here < there ? 1 : -1;
}
