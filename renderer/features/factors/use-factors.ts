// Renderer: the factors of a symbol as a panel needs them: the present sheet, kept fresh while it is shown, and two years of days.
import { useEffect } from 'react';
import type { FactorSheet } from '../../../shared/channels/queries.ts';
import { every } from '../../../shared/lib/clock.ts';
import { useServices } from '../../services.ts';
import { useIsOffline, useWorldNow } from '../../store/connection-status.ts';
import type { FactorHistory, QueryResult } from '../../store/state.ts';
import { useApp, useSnapshot } from '../../store/store.ts';
import { useRefetch } from '../../use-refetch.ts';

/** How often the present powers are read while they are shown, ms of this computer's time. */
const FRESH = 30_000;
const SETTLES = 150;
const DAY = 86_400_000;
const TWO_YEARS = 731 * DAY;

export interface Factors {
  readonly sheet: QueryResult<FactorSheet> | undefined;
  readonly history: QueryResult<FactorHistory> | undefined;
  readonly readAgain: () => void;
}

/** @param turnAt when the symbol last changed its state, ms: a reason to look again */
export function useFactors(symbol: string, turnAt: number | null): Factors {
  const { queries, clock } = useServices();
  const epoch = useSnapshot((snapshot) => snapshot.epoch);
  const coverage = useSnapshot((snapshot) => snapshot.rows[symbol]?.coverage);
  const isOffline = useIsOffline();
  const sheet = useApp((state) => state.queryCache.factors[symbol]);
  const history = useApp((state) => state.queryCache.histories[symbol]);
  // Another day has closed: there is a new one on record.
  const day = Math.floor(useWorldNow() / DAY);
  const isEnabled = coverage === 'full' && !isOffline;
  // During an outage, the archive of this computer may know what was received last; once is enough.
  const isRecalled = isOffline && (coverage === 'full' || coverage === 'unknown') && sheet === undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a connection that returned and a change of state are reasons to read again.
  useEffect(() => {
    if (!isEnabled) return;
    queries.factors(symbol);
    return every(clock, FRESH, () => queries.factors(symbol));
  }, [queries, clock, symbol, epoch, turnAt, isEnabled]);
  useEffect(() => {
    if (!isRecalled) return;
    queries.factors(symbol);
    queries.history(symbol, { from: (day + 1) * DAY - TWO_YEARS, to: (day + 1) * DAY }, `${epoch} ${day}`);
  }, [queries, symbol, epoch, day, isRecalled]);
  useEffect(() => {
    if (!isEnabled) return;
    const to = (day + 1) * DAY;
    // Whoever walks through the list with the keyboard is not followed at every step.
    return clock.after(SETTLES, () => queries.history(symbol, { from: to - TWO_YEARS, to }, `${epoch} ${day}`));
  }, [queries, clock, symbol, epoch, day, isEnabled]);
  const readHistory = (): void => {
    queries.history(symbol, { from: (day + 1) * DAY - TWO_YEARS, to: (day + 1) * DAY }, `${epoch} ${day}`);
  };
  useRefetch(`${symbol} now`, sheet?.status, () => queries.factors(symbol));
  useRefetch(`${symbol} days`, history?.status, readHistory);
  return {
    sheet,
    history,
    readAgain() {
      queries.factors(symbol);
      readHistory();
    },
  };
}
