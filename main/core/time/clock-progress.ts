// Main, core: decides whether the service's clock advances, by this computer's elapsed time.

/** The service's time at an instant of this computer's elapsed time, ms. */
export interface ClockSample {
  readonly world: number;
  readonly elapsed: number;
  /** Largest error of `elapsed`: half of the round trip, ms. */
  readonly within: number;
}

export interface ClockProgress {
  /**
   * @param speed world ms per elapsed ms
   * @param isDeclared false: the service did not give the speed, which is at least this
   * @returns false when the clock is behind what its speed makes of the earlier samples
   */
  take(sample: ClockSample, speed: number, isDeclared: boolean): boolean;
  /** In an earlier run the clock stood at this world time, which it had proven so many ms ago. */
  resume(world: number, ago: number): void;
  /** The last sample that the clock's own speed explains; null before the first. */
  proven(): ClockSample | null;
  /** True while the latest sample is behind. */
  isDoubted(): boolean;
  /** True when the clock has not advanced for so long that it stands, or is too slow. */
  isStanding(elapsed: number): boolean;
}

/** Error of the samples beyond that of their round trips, ms: a service may send whole seconds. */
const TOLERANCE = 2_000;
/** Part of its speed that a clock may lack. */
const DRIFT = 0.05;
/** Distance of two samples behind the estimate that show whether the clock was set back or stands, ms. */
const COMPARED = 20_000;
/** Age of the last proof from which a clock stands, ms. */
const STANDS_AFTER = 45_000;
/** Longest distance over which drift adds up, ms. */
const WINDOW = 5 * 60_000;
/** Closer samples do not replace the one that later samples are compared with, ms. */
const MIN_WINDOW = 10_000;

export function createClockProgress(): ClockProgress {
  let declared: number | null = null;
  /** Compared with later samples; older than `proven`, because a slow clock shows only over a longer time. */
  let base: ClockSample | null = null;
  let proven: ClockSample | null = null;
  /** The first of the latest samples behind. */
  let late: ClockSample | null = null;
  let isConfirmed = false;

  const accept = (sample: ClockSample, isNewBase: boolean): true => {
    if (isNewBase) base = sample;
    proven = sample;
    late = null;
    isConfirmed = false;
    return true;
  };
  return {
    take(sample, speed, isDeclared) {
      const isOther = declared !== null && isDeclared && declared !== speed;
      if (isDeclared) declared = speed;
      // Another speed is another clock.
      if (base === null || isOther) return accept(sample, true);
      const lag = lagBetween(base, sample, speed);
      const distance = sample.elapsed - base.elapsed;
      if (lag <= 0)
        return accept(sample, distance >= WINDOW || (distance >= MIN_WINDOW && lag < -2 * speed * TOLERANCE));
      late ??= sample;
      if (sample.elapsed - late.elapsed < COMPARED) return false;
      // Set back, or of another node, and it goes on.
      if (lagBetween(late, sample, speed) <= 0) return accept(sample, true);
      late = sample;
      isConfirmed = true;
      return false;
    },
    resume(world, ago) {
      base = { world, elapsed: -Math.max(ago, STANDS_AFTER), within: 0 };
      [proven, late] = [base, base];
    },
    proven: () => proven,
    isDoubted: () => late !== null,
    isStanding: (elapsed) => isConfirmed && proven !== null && elapsed - proven.elapsed >= STANDS_AFTER,
  };
}

/** World ms that the second sample is behind, beyond what tolerances explain; at most 0: it is not. */
function lagBetween(from: ClockSample, to: ClockSample, speed: number): number {
  const passed = to.elapsed - from.elapsed;
  const tolerance = TOLERANCE + DRIFT * passed + from.within + to.within;
  return passed * speed - tolerance * speed - (to.world - from.world);
}
