// Renderer, pure: when a reading that failed is to be asked for again by itself: once for each return of the connection.
import type { QueryResult } from './state.ts';

type Status = QueryResult<unknown>['status'];

/** What is known of one reading while something shows it. */
export interface RetryState {
  readonly key: string;
  /** null: never asked for. */
  readonly status: Status | null;
  /** How often the connection had come back when it was last asked for; -1: before it was shown. */
  readonly reconnectsAtRequest: number;
}

/** @param reconnects how often the connection has come back by now (`CoreSnapshot.reconnects`) */
export function observe(before: RetryState | null, key: string, status: Status | null, reconnects: number): RetryState {
  if (before === null || before.key !== key)
    return { key, status, reconnectsAtRequest: status === 'failed' ? -1 : reconnects };
  const begins = status === 'loading' && before.status !== 'loading';
  return { key, status, reconnectsAtRequest: begins ? reconnects : before.reconnectsAtRequest };
}

/** It failed, and the connection came back since it was asked for: even where the failure was received after that. */
export const isDue = ({ status, reconnectsAtRequest }: RetryState, reconnects: number): boolean =>
  status === 'failed' && reconnects > reconnectsAtRequest;
