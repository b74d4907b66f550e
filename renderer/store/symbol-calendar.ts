// Renderer: the calendar of a symbol's market, as its service says; of a symbol without a signal, by its name.
import type { AssetClass } from '../../shared/domain/instruments.ts';
import { calendarsOf, type SessionCalendar } from '../../shared/domain/sessions.ts';
import type { CoreSnapshot } from './state.ts';
import { useSnapshot } from './store.ts';

export const calendarOf = (
  { rows, profile }: Pick<CoreSnapshot, 'rows' | 'profile'>,
  symbol: string | null,
  assetClass?: AssetClass | null,
): SessionCalendar => calendarsOf(profile.environment, (one) => rows[one]?.signal)(symbol, assetClass);

/** @param assetClass that of an alert, for a symbol without a signal */
export const useSymbolCalendar = (symbol: string | null, assetClass?: AssetClass | null): SessionCalendar =>
  useSnapshot((snapshot) => calendarOf(snapshot, symbol, assetClass));

/** For the chart of a symbol: around the clock while its class is unknown, so that no price is cut off. */
export const useChartCalendar = (symbol: string): SessionCalendar =>
  useSnapshot((snapshot) =>
    snapshot.rows[symbol]?.signal?.asset_class == null ? 'always' : calendarOf(snapshot, symbol),
  );
