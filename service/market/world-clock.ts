// Service: the clock of the world whose prices are served: the real time, a frozen instant, or time at n times its speed from a start.
import { z } from 'zod';
import type { Cancel, Clock } from '../../shared/lib/clock.ts';
import { err, ok, type Result } from '../../shared/lib/result.ts';
import { InstantSchema } from '../../shared/wire/primitives.ts';

/** How world time runs. `start` null: the real time. `speed` 0: frozen at the start. */
export interface WorldTime {
  /** Milliseconds since the epoch, UTC. */
  readonly start: number | null;
  /** World milliseconds per real millisecond. */
  readonly speed: number;
}

export const REAL_TIME: WorldTime = { start: null, speed: 1 };

/** World time is a Clock itself: `now` in world ms, `after` in world ms (frozen: it never fires). */
export interface WorldClock extends Clock {
  readonly start: number | null;
  readonly speed: number;
}

export interface WorldClockOptions extends WorldTime {
  /** The wall clock. */
  readonly clock: Clock;
  /** World time that was reached and stored before; the world goes on from there, never back. */
  readonly reached?: number | null;
}

/** The most that world time may be sped up: a day a second and a bit; beyond, days would close faster than they can be evaluated. */
const MOST_SPEED = 100_000;

/**
 * A clock that never runs back: not when the wall clock is set back, and not over a restart that hands in what was reached.
 * With a start, a wall clock that is set back stops the world for no longer than one check of it; in real time the world waits for the wall.
 * @throws RangeError for a speed that is negative or not finite, or a real-time clock (start null) at another speed than 1
 */
export function createWorldClock({ clock, start, speed, reached = null }: WorldClockOptions): WorldClock {
  if (!Number.isFinite(speed) || speed < 0) throw new RangeError(`a world clock cannot run at speed ${speed}`);
  if (start === null && speed !== 1) throw new RangeError('a world clock without a start runs at speed 1');
  let wall = clock.now();
  let world = Math.max(start ?? wall, reached ?? Number.NEGATIVE_INFINITY);

  const now = (): number => {
    const at = clock.now();
    if (start === null) world = Math.max(world, at);
    else world += Math.max(0, at - wall) * speed;
    wall = at;
    return Math.floor(world);
  };

  return {
    start,
    speed,
    now,
    after(ms, job): Cancel {
      if (speed === 0) return () => undefined;
      const due = now() + Math.max(0, ms);
      let cancel: Cancel;
      // A timer may come early, and the wall clock may have been set back: the world decides whether it is time.
      const arm = (): void => {
        cancel = clock.after(Math.ceil((due - now()) / speed), () => {
          if (now() >= due) job();
          else arm();
        });
      };
      arm();
      return () => cancel();
    },
  };
}

const SpeedSchema = z
  .string()
  .regex(/^x\d{1,6}(\.\d{1,3})?$/)
  .transform((text) => Number(text.slice(1)))
  .pipe(z.number().positive().max(MOST_SPEED));

/**
 * Reads `--clock ISO` (frozen there) or `--clock ISO,xN` (N times as fast from there). ISO is a date (00:00 UTC) or a date-time with Z or an offset.
 * @returns the clock, or one line that says what is wrong and how to write it
 */
export function parseClockFlag(text: string): Result<WorldTime, string> {
  const comma = text.indexOf(',');
  const instant = (comma === -1 ? text : text.slice(0, comma)).trim();
  const start = InstantSchema.safeParse(instant);
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
      `--clock speed "${pace}" is not understood: write x60 for sixty times as fast, more than x0 and at most x${MOST_SPEED}; leave it out to freeze the clock`,
    );
  }
  return ok({ start: Date.parse(start.data), speed: speed.data });
}
