// Renderer: whether the window is offline, since when, and the world time.
import { useSyncExternalStore } from 'react';
import { MINUTE_MS } from '../../shared/lib/time.ts';
import type { Message } from '../../shared/text/message.ts';
import { texts } from '../../shared/text/texts.ts';
import { useServices } from '../services.ts';
import { isOffline, startOf, worldTime } from './select.ts';
import { useApp, useSnapshot } from './store.ts';

export const useIsOffline = (): boolean =>
  useApp((state) => state.snapshot !== null && isOffline(state.snapshot, state.link));

/** The start of the service, as a message; null: none goes on. */
export const useServiceStart = (): Message | null => useSnapshot(({ connection }) => startOf(connection));

/** Why a list shows only what is stored on this computer; null: it shows all. */
export function useStoredOnly(): string | null {
  const isOnlyStored = useIsOffline();
  const isStarting = useServiceStart() !== null;
  const { storedOnly, storedUntilStarted } = texts.common.outage;
  return isOnlyStored ? (isStarting ? storedUntilStarted : storedOnly) : null;
}

/** Start of the outage; null while connected. */
export interface OutageStart {
  /** This computer's time, ms. */
  readonly here: number;
  /** World time, ms. No known data is newer. */
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

/**
 * World time now, to the whole `step`, ms. During an outage the world clock continues at its last known speed.
 */
export function useWorldNow(step = 1): number {
  const { ticker } = useServices();
  const clock = useSnapshot((snapshot) => snapshot.connection.clock);
  const anchoredAt = useSnapshot((snapshot) => snapshot.anchoredAt);
  return useSyncExternalStore(
    ticker.subscribe,
    () => Math.floor(worldTime(clock, anchoredAt, ticker.now()) / step) * step,
  );
}

/** For what shows no seconds. */
export const useWorldMinute = (): number => useWorldNow(MINUTE_MS);
