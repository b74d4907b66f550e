// Main, core: estimates the service's clock.
// World time may be ahead, frozen where the service declares it, or sixty times as fast. A clock that stands
// undeclared is not believed: world time goes on at the clock's own speed.
import type { Clock } from '../../../shared/lib/clock.ts';
import { createClockProgress } from './clock-progress.ts';

interface Sample {
  readonly world: number;
  readonly local: number;
}

/** The last instant that the service's clock proved, in its time and in this computer's. */
export interface Standstill {
  readonly world: number;
  readonly local: number;
}

export interface WorldClock {
  /**
   * Adds a sample of the service's time, and its speed if the service gave one; `local`: this computer's time
   * at the middle of the call; `within`: half of its length. Returns whether the estimate changed.
   */
  sample(world: number, local: number, reportedSpeed?: number, within?: number): boolean;
  /** Call every second: counts this computer's elapsed time, in which sleep and a set clock do not count. */
  tick(): void;
  /** The service's clock stood when an earlier run ended. */
  resume(stand: Standstill): void;
  /** Call when the connection was lost: the next sample may be of another service, and is believed at first. */
  lost(): void;
  /** The last proven instant of a clock that stands or is too slow; null: the clock advances, or is not known. */
  standstill(): Standstill | null;
  /** True while it is open whether the clock was set back or stands. */
  isDoubted(): boolean;
  /** World time now, ms; this computer's time until the service gave its own. */
  now(): number;
  /** Call when this computer's clock was set: discards the samples, keeps the speed. */
  forget(): void;
  /** World time at an instant of this computer's clock. */
  at(local: number): number;
  /** Current world time minus local time, ms, and its speed (1: as the local clock, 0: stopped). */
  view(): { readonly offset: number; readonly speed: number };
  readonly isKnown: () => boolean;
  /** True for a stopped clock that was not read since the connection was lost: it may have been moved. */
  mayHaveMoved(): boolean;
}

/** Shortest distance of two samples that measure the speed, ms. */
const MIN_SAMPLE_DISTANCE = 1_000;
/** Larger differences from the estimate mean that the clock was set, ms of this computer. */
const JUMP = 2_000;
/** Longest time between two ticks that counts, ms: a longer one was sleep, or a change of the clock. */
const LONGEST_TICK = 5_000;

export function createWorldClock(clock: Clock): WorldClock {
  let anchor: Sample | null = null;
  let speed = 1;
  let elapsed = 0;
  let tickedAt: number | null = null;
  let isLost = false;
  const progress = createClockProgress();
  const at = (local: number): number => (anchor === null ? local : anchor.world + (local - anchor.local) * speed);
  const now = (): number => at(clock.now());
  const tick = (): void => {
    const time = clock.now();
    if (tickedAt !== null) elapsed += Math.min(LONGEST_TICK, Math.max(0, time - tickedAt));
    tickedAt = time;
  };
  const follow = (world: number, local: number, reportedSpeed: number | undefined): void => {
    // The time that passed before belongs to the other speed.
    if (reportedSpeed !== undefined && reportedSpeed !== speed) anchor = { world, local };
    if (reportedSpeed !== undefined) speed = reportedSpeed;
    else if (anchor !== null && local - anchor.local >= MIN_SAMPLE_DISTANCE)
      speed = withoutNoise((world - anchor.world) / (local - anchor.local), speed);
    if (anchor === null || local - anchor.local >= MIN_SAMPLE_DISTANCE || local < anchor.local)
      anchor = { world, local };
  };
  const standstill = (): Standstill | null => {
    const proven = progress.proven();
    return proven === null || !progress.isStanding(elapsed)
      ? null
      : { world: proven.world, local: clock.now() - (elapsed - proven.elapsed) };
  };
  return {
    sample(world, local, reportedSpeed, within = 0) {
      tick();
      const before = { speed, offset: now() - clock.now() };
      const taken = { world, elapsed: elapsed - Math.max(0, clock.now() - local), within };
      const advances = progress.take(taken, reportedSpeed ?? 1, reportedSpeed !== undefined);
      const stand = standstill();
      if (advances) follow(world, local, reportedSpeed);
      else if (stand !== null)
        anchor = { world: stand.world + (clock.now() - stand.local) * speed, local: clock.now() };
      else if (isLost || anchor === null) anchor = { world, local };
      isLost = false;
      return speed !== before.speed || Math.abs(now() - clock.now() - before.offset) > JUMP * Math.max(1, speed);
    },
    tick,
    resume: ({ world, local }) => progress.resume(world, clock.now() - local),
    lost() {
      isLost = true;
    },
    standstill,
    isDoubted: progress.isDoubted,
    now,
    forget() {
      anchor = null;
    },
    at,
    view: () => ({ offset: Math.round(now() - clock.now()), speed }),
    isKnown: () => anchor !== null,
    mayHaveMoved: () => isLost && speed === 0,
  };
}

/** The measured speed without network noise; the last speed for less than 1, which means that the clock was set. */
function withoutNoise(measured: number, last: number): number {
  if (measured < 0.95) return last;
  if (Math.abs(measured - last) <= 0.05 * Math.max(1, last)) return last;
  if (Math.abs(measured - 1) <= 0.05) return 1;
  const whole = Math.round(measured);
  return Math.abs(measured - whole) <= 0.05 * whole ? whole : Number(measured.toPrecision(3));
}
