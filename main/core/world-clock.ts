// Main, core: estimates the service's clock.
// World time may be ahead, stopped, or sixty times as fast.
import type { Clock } from '../../shared/lib/clock.ts';

interface Sample {
  readonly world: number;
  readonly local: number;
}

export interface WorldClock {
  /**
   * Adds a sample of the service's time, and its speed if the service gave one; `local`: this computer's time
   * at the middle of the call. Returns whether the estimate changed.
   */
  sample(world: number, local: number, reportedSpeed?: number): boolean;
  /** World time now, ms; this computer's time until the service gave its own. */
  now(): number;
  /** Call when this computer's clock was set: discards the samples, keeps the speed. */
  forget(): void;
  /** World time at an instant of this computer's clock. */
  at(local: number): number;
  /** Current world time minus local time, ms, and its speed (1: as the local clock, 0: stopped). */
  view(): { readonly offset: number; readonly speed: number };
  readonly isKnown: () => boolean;
}

/** Shortest distance of two samples that measure the speed, ms. */
const MIN_SAMPLE_DISTANCE = 1_000;
/** Larger differences from the estimate mean that the clock was set, ms of this computer. */
const JUMP = 2_000;

export function createWorldClock(clock: Clock): WorldClock {
  let anchor: Sample | null = null;
  let speed = 1;
  const at = (local: number): number => (anchor === null ? local : anchor.world + (local - anchor.local) * speed);
  const now = (): number => at(clock.now());
  return {
    sample(world, local, reportedSpeed) {
      const before = { speed, offset: now() - clock.now() };
      if (reportedSpeed !== undefined) speed = reportedSpeed;
      else if (anchor !== null && local - anchor.local >= MIN_SAMPLE_DISTANCE)
        speed = withoutNoise((world - anchor.world) / (local - anchor.local), speed);
      if (anchor === null || local - anchor.local >= MIN_SAMPLE_DISTANCE || local < anchor.local)
        anchor = { world, local };
      return speed !== before.speed || Math.abs(now() - clock.now() - before.offset) > JUMP * Math.max(1, speed);
    },
    now,
    forget() {
      anchor = null;
    },
    at,
    view: () => ({ offset: Math.round(now() - clock.now()), speed }),
    isKnown: () => anchor !== null,
  };
}

/**
 * The measured speed without network noise; the last speed when it is negative, which means that the clock
 * was set.
 */
function withoutNoise(measured: number, last: number): number {
  if (measured < -0.02) return last;
  if (Math.abs(measured) <= 0.02) return 0;
  if (Math.abs(measured - last) <= 0.05 * Math.max(1, last)) return last;
  if (Math.abs(measured - 1) <= 0.05) return 1;
  const whole = Math.round(measured);
  return Math.abs(measured - whole) <= 0.05 * whole ? whole : Number(measured.toPrecision(3));
}
