// Service, cluster: world time on a node: the leader's latest, or its own clock while it leads.
import type { Cancel, Clock } from '../../shared/lib/clock.ts';
import { createWorldClock, type WorldClock, type WorldTime } from '../market/world-clock.ts';

export interface ClusterClock extends WorldClock {
  /** The leader has evaluated up to `worldTime`. */
  receive(worldTime: number): void;
  /** From now on world time goes on by itself, from the latest that the former leader sent. */
  lead(): void;
}

/** While no node leads, world time does not advance: it is polled at this interval, ms. */
const SHORTEST_WAIT_MS = 50;

/** @param clock the wall clock of the database, so that no node's own decides */
export function createClusterClock({ start, speed }: WorldTime, clock: Clock): ClusterClock {
  let reached: number | null = null;
  let own: WorldClock | null = null;
  const now = (): number => own?.now() ?? reached ?? start ?? clock.now();
  return {
    start,
    speed,
    now,
    receive(worldTime) {
      reached = Math.max(reached ?? Number.NEGATIVE_INFINITY, worldTime);
    },
    lead() {
      own ??= createWorldClock({ start, speed, clock, reached });
    },
    after(ms, job): Cancel {
      if (speed === 0) return () => undefined;
      const due = now() + Math.max(0, ms);
      let cancel: Cancel;
      const arm = (): void => {
        cancel = clock.after(Math.max(own === null ? SHORTEST_WAIT_MS : 0, Math.ceil((due - now()) / speed)), () => {
          if (now() >= due) job();
          else arm();
        });
      };
      arm();
      return () => cancel();
    },
  };
}
