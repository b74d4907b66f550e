// Renderer, pure: when a reading that failed is to be asked for again by itself: once for each return of the connection.
import type { Slot } from './state.ts';

type Status = Slot<unknown>['status'];

/** What is known of one reading while something shows it. */
export interface Asking {
  readonly key: string;
  /** null: never asked for. */
  readonly status: Status | null;
  /** How often the connection had come back when it was last asked for; -1: before it was shown. */
  readonly askedAt: number;
}

/** @param returns how often the connection has come back by now (`Board.returns`) */
export function hear(before: Asking | null, key: string, status: Status | null, returns: number): Asking {
  if (before === null || before.key !== key) return { key, status, askedAt: status === 'failed' ? -1 : returns };
  const begins = status === 'reading' && before.status !== 'reading';
  return { key, status, askedAt: begins ? returns : before.askedAt };
}

/** It failed, and the connection came back since it was asked for: even where the failure was heard of after that. */
export const isDue = ({ status, askedAt }: Asking, returns: number): boolean =>
  status === 'failed' && returns > askedAt;
