// Renderer: how often signals were right on hold-out days; always shown beside a confidence.
import type { UseQueryResult } from '@tanstack/react-query';
import type { ValidationRecord } from '../../shared/channels/queries.ts';
import { useChannelQuery } from './use-channel-query.ts';

type Metrics = ValidationRecord['symbols'][number]['holdout'];

/**
 * Right calls of all calls. Late and undecided calls count as neither; a service that does not separate them
 * counts all.
 */
export const callsOf = ({
  precision,
  n_signals,
  calls,
}: Pick<Metrics, 'precision' | 'n_signals' | 'calls'>): { readonly right: number; readonly calls: number } =>
  calls === null
    ? { right: Math.round(precision * n_signals), calls: n_signals }
    : { right: calls.right, calls: calls.right + calls.wrong };

/** The record, kept fresh while a component shows it. */
export const useHoldOut = (): UseQueryResult<ValidationRecord> => useChannelQuery('validation.read', {});

/** The record from the cache; reads nothing. */
export const useKnownRecord = (): ValidationRecord | null =>
  useChannelQuery('validation.read', {}, { enabled: false }).data ?? null;

/** A symbol's calls in the hold-out window; null without any, or without a record. */
export function useCalls(symbol: string): { readonly right: number; readonly calls: number } | null {
  const row = useKnownRecord()?.symbols.find((each) => each.symbol === symbol);
  return row === undefined || row.holdout.n_signals === 0 ? null : callsOf(row.holdout);
}
