// Renderer: how often signals were right on days that the model had not seen: who reads the record, and how it is counted. Confidence never stands without it.
import { useEffect } from 'react';
import type { ValidationRecord } from '../../shared/channels/queries.ts';
import { every } from '../../shared/lib/clock.ts';
import { useServices } from '../services.ts';
import { useIsOffline } from './connection-status.ts';
import { useApp } from './store.ts';

/** The core keeps the answer as long; asking more often would show nothing new, ms. */
const GOOD_FOR = 15 * 60_000;
/** A service that has just begun to compute needs a while, ms. */
const AGAIN = 20_000;

type Metrics = ValidationRecord['symbols'][number]['holdout'];

/** Of so many calls, so many were right. Calls that came too late, and those not decided yet, are neither; a service that does not tell them counts all. */
export const callsOf = ({
  precision,
  n_signals,
  calls,
}: Pick<Metrics, 'precision' | 'n_signals' | 'calls'>): { readonly right: number; readonly calls: number } =>
  calls === null
    ? { right: Math.round(precision * n_signals), calls: n_signals }
    : { right: calls.right, calls: calls.right + calls.wrong };

/** Keeps the record read while something shows it. @param model another model has another record */
export function useHoldOutQuery(model: string | null): void {
  const { queries, clock } = useServices();
  const isOffline = useIsOffline();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another model has another record.
  useEffect(() => {
    if (isOffline) return;
    queries.validation();
    return every(clock, GOOD_FOR, queries.validation);
  }, [queries, clock, isOffline, model]);
  // During an outage, this computer may know what was received last; once is enough.
  const isRecalled = useApp((state) => state.queryCache.validation[''] === undefined) && isOffline;
  useEffect(() => {
    if (isRecalled) queries.validation();
  }, [queries, isRecalled]);
  const isFailed = useApp((state) => state.queryCache.validation['']?.status === 'failed');
  useEffect(
    () => (isFailed && !isOffline ? clock.after(AGAIN, queries.validation) : undefined),
    [queries, clock, isFailed, isOffline],
  );
}

/** A symbol's calls in the hold-out window; null where it has none, or no record. */
export function useCalls(symbol: string): { readonly right: number; readonly calls: number } | null {
  const row = useApp((state) => state.queryCache.validation['']?.value?.symbols.find((each) => each.symbol === symbol));
  return row === undefined || row.holdout.n_signals === 0 ? null : callsOf(row.holdout);
}
