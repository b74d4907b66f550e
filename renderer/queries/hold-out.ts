// Renderer: how often signals were right on days that the model had not seen. Confidence never stands without it.
import type { UseQueryResult } from '@tanstack/react-query';
import type { ValidationRecord } from '../../shared/channels/queries.ts';
import { useChannelQuery } from './use-channel-query.ts';

type Metrics = ValidationRecord['symbols'][number]['holdout'];

/** Of so many calls, so many were right. Late and undecided calls count as neither; a service that does not separate them counts all. */
export const callsOf = ({
  precision,
  n_signals,
  calls,
}: Pick<Metrics, 'precision' | 'n_signals' | 'calls'>): { readonly right: number; readonly calls: number } =>
  calls === null
    ? { right: Math.round(precision * n_signals), calls: n_signals }
    : { right: calls.right, calls: calls.right + calls.wrong };

/** The record, read and kept fresh while a component shows it. */
export const useHoldOut = (): UseQueryResult<ValidationRecord> => useChannelQuery('validation.read', {});

/** The record as far as it is known. */
export const useKnownRecord = (): ValidationRecord | null =>
  useChannelQuery('validation.read', {}, { enabled: false }).data ?? null;

/** A symbol's calls in the hold-out window; null where it has none, or no record. */
export function useCalls(symbol: string): { readonly right: number; readonly calls: number } | null {
  const row = useKnownRecord()?.symbols.find((each) => each.symbol === symbol);
  return row === undefined || row.holdout.n_signals === 0 ? null : callsOf(row.holdout);
}
