// Renderer: the day at which the chart of a symbol opens, requested by another page.
import { createViewSlice } from './view-state.ts';

interface ChartDay {
  readonly symbol: string;
  /** Midnight UTC, ms. */
  readonly day: number;
}

const slice = createViewSlice<{ readonly requested: ChartDay | null }>('chart day', { requested: null });

export const requestChartDay = (requested: ChartDay): void => slice.set({ requested });

/** Whether a chart of this symbol has a day to open at. */
export const useIsDayRequested = (symbol: string): boolean =>
  slice.use(({ requested }) => requested?.symbol === symbol);

/** Returns the day requested for this symbol, and clears the request; null if there is none. */
export function takeChartDay(symbol: string): number | null {
  const { requested } = slice.get();
  if (requested === null) return null;
  slice.set({ requested: null });
  return requested.symbol === symbol ? requested.day : null;
}
