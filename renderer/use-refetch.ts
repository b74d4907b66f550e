// Renderer: whatever failed and is on screen is asked for again by itself when the connection comes back.
import { useEffect, useRef } from 'react';
import { useServices } from './services.ts';
import { isDue, observe, type RetryState } from './store/retry.ts';
import type { QueryResult } from './store/state.ts';
import { useSnapshot } from './store/store.ts';

/** Where the return of the connection is a reason to read anyway, it is under way by then, and nothing is asked for twice, ms. */
const SETTLE_MS = 1500;

/**
 * @param key tells one reading from another
 * @param status null or undefined: nothing was asked for
 */
export function useRefetch(
  key: string | null,
  status: QueryResult<unknown>['status'] | null | undefined,
  ask: () => void,
): void {
  const { clock } = useServices();
  const returns = useSnapshot((snapshot) => snapshot.reconnects);
  const attempt = useRef<RetryState>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: how it is asked for is given by the key.
  useEffect(() => {
    if (key === null) return;
    attempt.current = observe(attempt.current, key, status ?? null, returns);
    return isDue(attempt.current, returns) ? clock.after(SETTLE_MS, ask) : undefined;
  }, [clock, key, status, returns]);
}
