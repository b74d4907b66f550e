// Renderer, pure: values derived from the state; components do not compute these themselves.
import type { Alert, Connection, Row } from '../../shared/channels/state.ts';
import { isSameClaim } from '../../shared/domain/claims.ts';
import type { State } from '../../shared/domain/states.ts';
import type { Message } from '../../shared/text/message.ts';
import type { CoreSnapshot } from './state.ts';

/**
 * World time at this computer's time `now`, ms. The offset was exact when the connection's state arrived;
 * since then world time advances at its own speed.
 */
export function worldTime(clock: Connection['clock'], anchoredAt: number, now: number): number {
  return anchoredAt + clock.offset + (now - anchoredAt) * clock.speed;
}

/** The current state of a symbol, as far as it is known. `was` is the last known state, during an outage. */
export type SymbolView =
  | { readonly kind: 'state'; readonly state: State }
  | { readonly kind: 'stale'; readonly was: State }
  | { readonly kind: 'offline'; readonly was: State | null }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'regime_only' }
  | { readonly kind: 'none' };

/** No data arrives: the service is offline, or the core behind this window is gone. */
export const isOffline = (snapshot: CoreSnapshot, link: 'waiting' | 'up' | 'down'): boolean =>
  link === 'down' || snapshot.connection.outage !== null;

/** The start of the service inside the app, while it goes on. */
export const startOf = ({ outage }: Pick<Connection, 'outage'>): Message | null =>
  outage?.cause.code === 'service.starting' ? outage.cause : null;

export function symbolViewOf(row: Row | undefined, isOffline: boolean): SymbolView {
  if (row === undefined) return { kind: 'unknown' };
  if (row.coverage === 'none') return { kind: 'none' };
  // Until a signal arrives, it is unknown whether the symbol has one.
  if (row.signal === null && row.coverage !== 'regime_only') return { kind: 'unknown' };
  if (isOffline) return { kind: 'offline', was: row.signal?.state ?? null };
  if (row.coverage === 'regime_only') return { kind: 'regime_only' };
  if (row.signal === null) return { kind: 'unknown' };
  if (row.stale) return { kind: 'stale', was: row.signal.state };
  return { kind: 'state', state: row.signal.state };
}

/** The last price of a symbol, of its signal or of its regime. Row, header and chart show this one alone. */
export interface LastPrice {
  /** null: not reported. */
  readonly price: number | null;
  /** Percent against the previous close; null: not known. */
  readonly change: number | null;
  /** ISO; null: not known. */
  readonly at: string | null;
  /** The prices of the symbol ended. */
  readonly isOld: boolean;
}

/** null: nothing is known. */
export function lastPriceOf(row: Row | null | undefined): LastPrice | null {
  const { signal = null, quote } = row ?? {};
  if (signal !== null)
    return {
      price: signal.price,
      change: signal.change_pct,
      at: signal.updated_at,
      isOld: signal.data_health === 'stale',
    };
  if (quote === undefined) return null;
  return { price: quote.price, change: quote.change_pct, at: quote.at, isOld: quote.old };
}

/** Number of symbols per state, riskiest first, without empty states. */
export function tally(views: readonly SymbolView[]): { readonly state: State; readonly count: number }[] {
  const counts: [number, number, number] = [0, 0, 0];
  for (const view of views) if (view.kind === 'state') counts[view.state] += 1;
  return ([2, 1, 0] as const).map((state) => ({ state, count: counts[state] })).filter(({ count }) => count > 0);
}

/**
 * The base rate of the event that an alert's confidence is about, percent: the present one, else that of its
 * notification; null where only the base rate of another event is known.
 */
export function baseRateOf({ rows }: CoreSnapshot, alert: Pick<Alert, 'transition' | 'base_rate'>): number | null {
  const signal = rows[alert.transition.symbol]?.signal ?? null;
  const present = signal !== null && isSameClaim(signal, alert.transition) ? signal.base_rate : null;
  return present ?? alert.base_rate ?? null;
}
