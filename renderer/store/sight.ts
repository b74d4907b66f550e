// Renderer: whether Barograph sees, since when it does not, and what time it is in the service's world.
import { useSyncExternalStore } from 'react';
import { useNow, useServices } from '../services.ts';
import { isBlind, worldTime } from './select.ts';
import { useApp, useBoard } from './store.ts';

export const useBlind = (): boolean => useApp((state) => state.board !== null && isBlind(state.board, state.link));

/** Since when nothing is seen; null while Barograph sees. */
export interface BlindSince {
  /** By this computer's clock, ms. */
  readonly here: number;
  /** In the service's world, ms: nothing that is known is newer. */
  readonly world: number;
}

export function useBlindSince(): BlindSince | null {
  const clock = useBoard((board) => board.connection.clock);
  const anchoredAt = useBoard((board) => board.anchoredAt);
  const here = useApp((state) => {
    const since = state.board?.connection.blind?.since;
    if (since !== undefined) return Date.parse(since);
    return state.link === 'down' ? state.linkSince : null;
  });
  return here === null ? null : { here, world: worldTime(clock, anchoredAt, here) };
}

/** World time now, ms. While blind the world is believed to go on at its last known speed. */
export function useWorldNow(): number {
  const clock = useBoard((board) => board.connection.clock);
  const anchoredAt = useBoard((board) => board.anchoredAt);
  return worldTime(clock, anchoredAt, useNow());
}

const MINUTE = 60_000;

/** World time now to the whole minute, ms: for lists of hundreds, which need not be drawn every second. */
export function useWorldMinute(): number {
  const { ticker } = useServices();
  const clock = useBoard((board) => board.connection.clock);
  const anchoredAt = useBoard((board) => board.anchoredAt);
  return useSyncExternalStore(
    ticker.subscribe,
    () => Math.floor(worldTime(clock, anchoredAt, ticker.now()) / MINUTE) * MINUTE,
  );
}
