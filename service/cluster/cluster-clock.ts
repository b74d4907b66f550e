// Service, cluster: world time on a node: the leader's latest, or its own clock while it leads.
import type { Cancel, Clock } from '../../shared/lib/clock.ts';
import { createWorldClock, type WorldClock, type WorldTime } from '../market/world-clock.ts';

export interface ClusterClock extends WorldClock {
  /** The leader has evaluated up to `worldTime`. */
  receive(worldTime: number): void;
  /** From now on this clock advances world time itself, from the last value of the former leader. */
  lead(): void;
  /** World ms that a leader would have evaluated since the leader's last report; 0 while that is recent. */
  unevaluatedMs(): number;
}

/** While no node leads, world time does not advance: it is polled at this interval, ms. */
const SHORTEST_WAIT_MS = 50;
/** Longer than a fail-over; a leader sends four heartbeats a second. */
const USUAL_SILENCE_MS = 5_000;

/** @param clock the wall clock of the database, which all nodes share */
export function createClusterClock({ start, speed }: WorldTime, clock: Clock): ClusterClock {
  let reached: number | null = null;
  /** Wall ms of the last report. */
  let receivedAt = 0;
  let own: WorldClock | null = null;
  const now = (): number => own?.now() ?? reached ?? start ?? clock.now();
  return {
    start,
    speed,
    now,
    receive(worldTime) {
      reached = Math.max(reached ?? Number.NEGATIVE_INFINITY, worldTime);
      receivedAt = clock.now();
    },
    lead() {
      own ??= createWorldClock({ start, speed, clock, reached });
    },
    unevaluatedMs() {
      if (own !== null || reached === null) return 0;
      // World time is real time, or stops while no leader evaluates (in a replay).
      const silence = start === null ? clock.now() - reached : (clock.now() - receivedAt) * speed;
      return clock.now() - receivedAt > USUAL_SILENCE_MS ? Math.max(0, Math.floor(silence)) : 0;
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
