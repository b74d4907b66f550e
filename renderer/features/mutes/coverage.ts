// Renderer, mutes, pure: the symbols and alerts that matchers cover, and how many need attention.
import type { Alert, Row } from '../../../shared/channels/state.ts';
import {
  type AlertLabels,
  type Matchers,
  matches,
  type Placement,
  placementIn,
  placementsOf,
  symbolsAlone,
} from '../../../shared/domain/matchers.ts';
import { riskOrder } from '../../../shared/domain/risk-order.ts';
import type { State } from '../../../shared/domain/states.ts';
import { type Watchlist, watchedSymbols } from '../../../shared/domain/watchlists.ts';

export type Placements = ReadonlyMap<string, Placement>;

interface Known {
  readonly watchlists: readonly Watchlist[];
  readonly rows: Readonly<Record<string, Row>>;
  readonly alerts: readonly Alert[];
}

/** A symbol that is not Normal, and covered. */
export interface CoveredAlert {
  readonly symbol: string;
  readonly state: State;
  readonly since: string | null;
}

export interface Coverage {
  /** Watched symbols that are covered in any state. */
  readonly symbols: readonly string[];
  /** Symbols that the matchers name, and no list has. */
  readonly unwatched: number;
  /** Covered now, worst first. */
  readonly alerts: readonly CoveredAlert[];
  readonly waiting: number;
}

/** The labels of the symbol's next alert, as far as they are known. */
export const symbolLabels = (
  symbol: string,
  signal: Row['signal'] | undefined,
  placements: Placements,
): AlertLabels => ({
  symbol,
  ...placementIn(placements, symbol),
  class: signal?.asset_class ?? null,
  state: signal?.state ?? null,
});

export const alertLabels = (
  { symbol, asset_class, to_state }: Alert['transition'],
  placements: Placements,
): AlertLabels => ({ symbol, ...placementIn(placements, symbol), class: asset_class, state: to_state });

export const inAnyState = (matchers: Matchers): Matchers => matchers.filter(({ name }) => name !== 'state');

export function coverageOf(matchers: Matchers, { watchlists, rows, alerts }: Known): Coverage {
  const order = riskOrder(watchlists, (symbol) => rows[symbol]);
  const placements = placementsOf(watchlists);
  const labels = (symbol: string): AlertLabels => symbolLabels(symbol, rows[symbol]?.signal, placements);
  const anyState = inAnyState(matchers);
  const symbols = watchedSymbols(watchlists).filter((symbol) => matches(anyState, labels(symbol)));
  return {
    symbols,
    unwatched: (symbolsAlone(anyState) ?? []).filter((symbol) => !placements.has(symbol)).length,
    alerts: symbols
      .flatMap((symbol): CoveredAlert[] => {
        const signal = rows[symbol]?.signal;
        return signal == null || signal.state === 0 || !matches(matchers, labels(symbol))
          ? []
          : [{ symbol, state: signal.state, since: signal.since }];
      })
      .sort((a, b) => order.compareSymbols(a.symbol, b.symbol)),
    waiting: alerts.filter(
      ({ needs_attention, transition }) => needs_attention && matches(matchers, alertLabels(transition, placements)),
    ).length,
  };
}

/** The first watched symbol that is covered. */
export function firstCovered(matchers: Matchers, { watchlists, rows }: Omit<Known, 'alerts'>): string | undefined {
  const placements = placementsOf(watchlists);
  const anyState = inAnyState(matchers);
  return watchedSymbols(watchlists).find((symbol) =>
    matches(anyState, symbolLabels(symbol, rows[symbol]?.signal, placements)),
  );
}
