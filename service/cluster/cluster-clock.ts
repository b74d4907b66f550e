// Service, cluster: world time on a node: the leader's latest, or its own clock while it leads.
import type { Clock } from '../../shared/lib/clock.ts';
import { createWorldClock, type WorldClock, type WorldTime, worldTimer } from '../market/world-clock.ts';
import { type Contact, USUAL_SILENCE_MS } from './contact.ts';

export interface ClusterClock extends WorldClock {
  /** The leader has evaluated up to `worldTime`. */
  receive(worldTime: number): void;
  /** From now on this clock advances world time itself, from the last value of the former leader. */
  lead(): void;
  /**
   * World ms that a leader would have evaluated since the last progress of the world; 0 while that is recent. A
   * leader that may have been replaced has such a time too: its world stands.
   */
  unevaluatedMs(): number;
}

/** While no node leads, world time does not advance: it is polled at this interval, ms. */
const SHORTEST_WAIT_MS = 50;

/** @param clock the wall clock of the database, which all nodes share */
export function createClusterClock(
  { start, speed }: WorldTime,
  clock: Clock,
  contact: Pick<Contact, 'uncertainMs'>,
): ClusterClock {
  let reached: number | null = null;
  /** Wall ms of the last progress of a leader. */
  let receivedAt = 0;
  let own: WorldClock | null = null;
  /** World ms in which another node may have led, or begun to. */
  const uncertain = (): number => Math.floor(contact.uncertainMs() * speed);
  let latest = Number.NEGATIVE_INFINITY;
  const now = (): number => {
    if (own === null) return reached ?? start ?? clock.now() - uncertain();
    latest = Math.max(latest, own.now() - uncertain());
    return latest;
  };
  return {
    start,
    speed,
    now,
    pace: () => speed,
    receive(worldTime) {
      // A leader that hangs reports the same time again.
      if (reached === null || worldTime > reached || speed === 0) receivedAt = clock.now();
      reached = Math.max(reached ?? Number.NEGATIVE_INFINITY, worldTime);
    },
    lead() {
      own ??= createWorldClock({ start, speed, clock, reached });
    },
    unevaluatedMs() {
      if (own !== null || reached === null) return uncertain();
      // World time is real time, or stops while no leader evaluates (in a replay).
      const silence = start === null ? clock.now() - reached : (clock.now() - receivedAt) * speed;
      return clock.now() - receivedAt > USUAL_SILENCE_MS ? Math.max(0, Math.floor(silence)) : 0;
    },
    after: worldTimer({ clock, speed, now }, () => (own === null || uncertain() > 0 ? SHORTEST_WAIT_MS : 0)),
  };
}
