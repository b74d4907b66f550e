// Renderer: how often signals were right on hold-out days; always shown beside a confidence.
import type { UseQueryResult } from '@tanstack/react-query';
import { type Calls, callsOfSymbol } from '../../shared/channels/call-record.ts';
import type { ValidationRecord } from '../../shared/channels/queries.ts';
import { useChannelQuery } from './use-channel-query.ts';

/** The record, kept fresh while a component shows it. A first start computes it for half a minute. */
export const useHoldOut = (enabled = true): UseQueryResult<ValidationRecord> =>
  useChannelQuery('validation.read', {}, { enabled });

/** The record from the cache; reads nothing. */
export const useKnownRecord = (): ValidationRecord | null => useHoldOut(false).data ?? null;

/** The calls of a symbol's alerts in the hold-out window; null without any, or without a record. */
export function useCalls(symbol: string, at?: number): Calls | null {
  const record = useHoldOut().data ?? null;
  return record === null ? null : callsOfSymbol(record, symbol, at);
}
