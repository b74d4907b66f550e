// Renderer: whether Barograph sees, since when it does not, and what time it is in the service's world.
import { useSyncExternalStore } from 'react';
import { useNow, useServices } from '../services.ts';
import { isOffline, worldTime } from './select.ts';
import { useApp, useSnapshot } from './store.ts';

export const useIsOffline = (): boolean =>
  useApp((state) => state.snapshot !== null && isOffline(state.snapshot, state.link));

/** Since when nothing is seen; null while Barograph sees. */
export interface OutageStart {
  /** By this computer's clock, ms. */
  readonly here: number;
  /** In the service's world, ms: nothing that is known is newer. */
  readonly world: number;
}

export function useOutageStart(): OutageStart | null {
  const clock = useSnapshot((snapshot) => snapshot.connection.clock);
  const anchoredAt = useSnapshot((snapshot) => snapshot.anchoredAt);
  const here = useApp((state) => {
    const since = state.snapshot?.connection.outage?.since;
    if (since !== undefined) return Date.parse(since);
    return state.link === 'down' ? state.linkSince : null;
  });
  return here === null ? null : { here, world: worldTime(clock, anchoredAt, here) };
}

/** World time now, ms. During an outage the world is believed to go on at its last known speed. */
export function useWorldNow(): number {
  const clock = useSnapshot((snapshot) => snapshot.connection.clock);
  const anchoredAt = useSnapshot((snapshot) => snapshot.anchoredAt);
  return worldTime(clock, anchoredAt, useNow());
}

const MINUTE = 60_000;

/** World time now to the whole minute, ms: for lists of hundreds, which need not be drawn every second. */
export function useWorldMinute(): number {
  const { ticker } = useServices();
  const clock = useSnapshot((snapshot) => snapshot.connection.clock);
  const anchoredAt = useSnapshot((snapshot) => snapshot.anchoredAt);
  return useSyncExternalStore(
    ticker.subscribe,
    () => Math.floor(worldTime(clock, anchoredAt, ticker.now()) / MINUTE) * MINUTE,
  );
}
