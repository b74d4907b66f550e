// Renderer: the services of components besides the store, passed by context.
// open-window.ts makes them.
import { createContext, useContext, useSyncExternalStore } from 'react';
import { type Cancel, type Clock, every } from '../shared/lib/clock.ts';
import type { Intents } from './link/intents.ts';
import type { BrowserNotifications } from './notifications/browser-notifications.ts';
import type { ChannelQueries } from './queries/channel-queries.ts';
import type { Frames, Ingest } from './store/ingest.ts';

/** This computer's time in whole ticks, so that all ages move together. */
export interface Ticker {
  /** Time of the last tick, ms. */
  now(): number;
  subscribe(listener: () => void): Cancel;
}

export interface Services {
  readonly clock: Clock;
  readonly ticker: Ticker;
  readonly intents: Intents;
  readonly queries: ChannelQueries;
  readonly ingest: Ingest;
  /** null: this window has none. */
  readonly browserNotifications: BrowserNotifications | null;
  /**
   * Starts to follow the feature states at the first call, so that the list and its states load before them.
   */
  followFeatures(): void;
}

/** Ticks only while it has listeners and the window is visible, and at once when it is shown again. */
export function createTicker(clock: Clock, ms: number, { hidden, watch }: Pick<Frames, 'hidden' | 'watch'>): Ticker {
  const listeners = new Set<() => void>();
  let now = clock.now();
  let stop: Cancel = () => undefined;
  const tick = (): void => {
    if (hidden()) return;
    now = clock.now();
    for (const each of [...listeners]) each();
  };
  watch(tick);
  return {
    now: () => now,
    subscribe(listener) {
      if (listeners.size === 0) {
        now = clock.now();
        stop = every(clock, ms, tick);
      }
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) stop();
      };
    },
  };
}

export const ServicesContext = createContext<Services | null>(null);

export function useServices(): Services {
  const services = useContext(ServicesContext);
  if (services === null) throw new Error('ServicesContext is missing above this component.');
  return services;
}

/** This computer's time to the whole `step`, ms: nothing is drawn before it has passed. Default: every tick. */
export function useNow(step = 1): number {
  const { ticker } = useServices();
  return useSyncExternalStore(ticker.subscribe, () => Math.floor(ticker.now() / step) * step);
}
