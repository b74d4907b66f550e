// Renderer: whatever failed and is on screen is asked for again by itself when the connection comes back.
import { useEffect, useRef } from 'react';
import { useServices } from './services.ts';
import { type Asking, hear, isDue } from './store/asking.ts';
import type { Slot } from './store/state.ts';
import { useBoard } from './store/store.ts';

/** Where the return of sight is a reason to read anyway, it is under way by then, and nothing is asked for twice, ms. */
const SETTLES = 1500;

/**
 * @param key tells one reading from another
 * @param status null or undefined: nothing was asked for
 */
export function useAskAgain(
  key: string | null,
  status: Slot<unknown>['status'] | null | undefined,
  ask: () => void,
): void {
  const { clock } = useServices();
  const returns = useBoard((board) => board.returns);
  const asking = useRef<Asking>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: how it is asked for is told by the key.
  useEffect(() => {
    if (key === null) return;
    asking.current = hear(asking.current, key, status ?? null, returns);
    return isDue(asking.current, returns) ? clock.after(SETTLES, ask) : undefined;
  }, [clock, key, status, returns]);
}
