// Service, stream: hands what was logged to everybody who listens. Call it only with what is durably in the log.
import type { Cancel } from '../../shared/lib/clock.ts';
import type { LoggedEvent } from '../store/event-log.ts';

type Listener = (events: readonly LoggedEvent[]) => void;

export interface Hub {
  publish(events: readonly LoggedEvent[]): void;
  listen(listener: Listener): Cancel;
}

export function createHub(): Hub {
  const listeners = new Set<Listener>();
  return {
    publish(events) {
      if (events.length === 0) return;
      for (const listener of listeners) listener(events);
    },
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
