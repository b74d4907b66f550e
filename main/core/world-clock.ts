// Main, core: the service's clock as seen from here.
// Its world time may run ahead, stand still, or run sixty times as fast.
import type { Clock } from '../../shared/lib/clock.ts';

interface Sample {
  readonly world: number;
  readonly local: number;
}

export interface WorldClock {
  /**
   * Takes a time that the service told, and how fast it runs where it told that too; `local`: this computer's time at the middle of the call.
   * Returns whether the picture changed.
   */
  sample(world: number, local: number, reportedSpeed?: number): boolean;
  /** World time now, ms; this computer's time until the service told its own. */
  now(): number;
  /** This computer's clock was set: what was sampled is forgotten, the speed is kept. */
  forget(): void;
  /** World time at a moment of this computer's clock. */
  at(local: number): number;
  /** World time minus this computer's, now; and how fast it runs (1: as ours, 0: stands). */
  view(): { readonly offset: number; readonly speed: number };
  readonly isKnown: () => boolean;
}

/** Two samples must lie this far apart before they say something of speed, ms. */
const BASELINE = 1_000;
/** A world that is this far from where it should be was set, not drifted, ms of this computer. */
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
      else if (anchor !== null && local - anchor.local >= BASELINE)
        speed = settle((world - anchor.world) / (local - anchor.local), speed);
      if (anchor === null || local - anchor.local >= BASELINE || local < anchor.local) anchor = { world, local };
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

/** The measured speed without the noise of the network; a negative one means that the clock was set: the last speed is kept. */
function settle(measured: number, last: number): number {
  if (measured < -0.02) return last;
  if (Math.abs(measured) <= 0.02) return 0;
  if (Math.abs(measured - last) <= 0.05 * Math.max(1, last)) return last;
  if (Math.abs(measured - 1) <= 0.05) return 1;
  const whole = Math.round(measured);
  return Math.abs(measured - whole) <= 0.05 * whole ? whole : Number(measured.toPrecision(3));
}
