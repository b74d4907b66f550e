// Service: the clock of the served world: real time, a frozen instant, or n times as fast.
import { z } from 'zod';
import type { Cancel, Clock } from '../../shared/lib/clock.ts';
import { err, ok, type Result } from '../../shared/lib/result.ts';
import { ZonedInstantSchema } from '../../shared/wire/primitives.ts';

/** How world time runs. `start` null: real time. `speed` 0: frozen at the start. */
export interface WorldTime {
  /** Milliseconds since the epoch, UTC. */
  readonly start: number | null;
  /** World milliseconds per real millisecond. */
  readonly speed: number;
}

export const REAL_TIME: WorldTime = { start: null, speed: 1 };

/** A Clock of world time: `now` and `after` in world ms. A frozen clock never fires. */
export interface WorldClock extends Clock {
  readonly start: number | null;
  readonly speed: number;
  /** The speed at present: 0 while it is paused. */
  pace(): number;
}

export interface WorldClockOptions extends WorldTime {
  /** The wall clock. */
  readonly clock: Clock;
  /** World time stored by an earlier run, from which the world continues. */
  readonly reached?: number | null;
  /** True while a world with a start does not run. */
  readonly isPaused?: () => boolean;
}

/** Interval at which the timers of a paused world check whether it runs, wall ms. */
const PAUSED_CHECK = 100;
/** Maximum speed, about a day per second: faster, days would close before the service can evaluate them. */
const MAX_SPEED = 100_000;

/**
 * Creates a clock that never runs back, even if the wall clock is set back, or after a restart with
 * `reached`. With a start, a wall clock set back stops the world for at most one check; in real time the
 * world waits for the wall.
 * @throws RangeError for a speed that is negative or not finite, or a real-time clock (start null) at another
 *   speed than 1
 */
export function createWorldClock({
  clock,
  start,
  speed,
  reached = null,
  isPaused = () => false,
}: WorldClockOptions): WorldClock {
  if (!Number.isFinite(speed) || speed < 0) throw new RangeError(`a world clock cannot run at speed ${speed}`);
  if (start === null && speed !== 1) throw new RangeError('a world clock without a start runs at speed 1');
  let wall = clock.now();
  let world = Math.max(start ?? wall, reached ?? Number.NEGATIVE_INFINITY);

  const now = (): number => {
    const at = clock.now();
    if (start === null) world = Math.max(world, at);
    else if (!isPaused()) world += Math.max(0, at - wall) * speed;
    wall = at;
    return Math.floor(world);
  };

  return {
    start,
    speed,
    now,
    pace: () => (start !== null && isPaused() ? 0 : speed),
    after: worldTimer({ clock, speed, now }, () => (start !== null && isPaused() ? PAUSED_CHECK : 0)),
  };
}

/**
 * `after` of a clock of world time.
 * @param shortest wall ms until the next look at a world that may stand
 */
export function worldTimer(
  { clock, speed, now }: { readonly clock: Clock; readonly speed: number; readonly now: () => number },
  shortest: () => number,
): Clock['after'] {
  return (ms, job): Cancel => {
    if (speed === 0) return () => undefined;
    const due = now() + Math.max(0, ms);
    let cancel: Cancel;
    // A timer may fire early, and the wall clock may have been set back: world time decides.
    const arm = (): void => {
      cancel = clock.after(Math.max(shortest(), Math.ceil((due - now()) / speed)), () => {
        if (now() >= due) job();
        else arm();
      });
    };
    arm();
    return () => cancel();
  };
}

const SpeedSchema = z
  .string()
  .regex(/^x\d{1,6}(\.\d{1,3})?$/)
  .transform((text) => Number(text.slice(1)))
  .pipe(z.number().positive().max(MAX_SPEED));

/**
 * Parses `--clock ISO` (frozen there) or `--clock ISO,xN` (N times as fast from there). ISO is a date (00:00
 * UTC) or a date-time with Z or an offset.
 * @returns the clock, or one line with the error and the right form
 */
export function parseClockFlag(text: string): Result<WorldTime, string> {
  const comma = text.indexOf(',');
  const instant = (comma === -1 ? text : text.slice(0, comma)).trim();
  const start = ZonedInstantSchema.safeParse(instant);
  if (!start.success) {
    return err(
      `--clock "${instant}" is no moment: write a date (2024-03-01) or a date-time with Z or an offset (2024-03-01T09:30:00Z), then ,xN to let it run`,
    );
  }
  if (comma === -1) return ok({ start: Date.parse(start.data), speed: 0 });
  const pace = text.slice(comma + 1).trim();
  const speed = SpeedSchema.safeParse(pace);
  if (!speed.success) {
    return err(
      `--clock speed "${pace}" is not understood: write x60 for sixty times as fast, more than x0 and at most x${MAX_SPEED}; leave it out to freeze the clock`,
    );
  }
  return ok({ start: Date.parse(start.data), speed: speed.data });
}
