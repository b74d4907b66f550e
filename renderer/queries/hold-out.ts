// Renderer: how often signals were right on hold-out days; always shown beside a confidence.
import type { UseQueryResult } from '@tanstack/react-query';
import { type Calls, callsOfSymbol } from '../../shared/channels/call-record.ts';
import type { ValidationRecord } from '../../shared/channels/queries.ts';
import { useChannelQuery } from './use-channel-query.ts';

/** The record, kept fresh while a component shows it. */
export const useHoldOut = (): UseQueryResult<ValidationRecord> => useChannelQuery('validation.read', {});

/** The record from the cache; reads nothing. */
export const useKnownRecord = (): ValidationRecord | null =>
  useChannelQuery('validation.read', {}, { enabled: false }).data ?? null;

/** The calls of a symbol's alerts in the hold-out window; null without any, or without a record. */
export function useCalls(symbol: string, at?: number): Calls | null {
  const record = useKnownRecord();
  return record === null ? null : callsOfSymbol(record, symbol, at);
}
