// Main, core: learns from a stream's comments how often it gives a sign of life, and when it is dead.

/** A silence of this many heartbeats is a stall. */
const STALL_FACTOR = 2.5;
/** Without a learnt heartbeat, ms. */
export const UNKNOWN_LIMIT = 5 * 60_000;
/** Comments closer than this came together: they say nothing of the rhythm, ms. */
const SHORTEST = 100;
/** No decision faster than this, ms. */
const LEAST_LIMIT = 1_000;
/** The slowest of so many intervals counts, so that a lump behind a proxy does not make the watchdog nervous. */
const REMEMBERED = 4;

/** How long heartbeats are kept to be shown, ms, and how many at most. */
const BEAT_RETENTION = 24 * 60_000;
const MAX_BEATS = 240;

export interface Beat {
  /** This computer's clock, ms. */
  readonly at: number;
  /** ms since the one before, over a reconnection too: a silence is a silence. */
  readonly gap: number;
}

export interface Heartbeat {
  comment(now: number): void;
  /** Bytes came, or the stream was opened. */
  alive(now: number): void;
  /** This computer's clock, ms; null before the first. */
  lastByteAt(): number | null;
  /** A new connection: the time between two connections is no interval. */
  restart(): void;
  /**
   * The stream was given up. Where this connection had not shown the learnt rhythm itself, the rhythm may be wrong (a service that says farewell
   * by a comment, seconds after its first one): it counts as twice as slow until comments teach otherwise, so that no stream is given up for ever.
   */
  stalled(): void;
  /** ms, null until two comments of one connection were heard. */
  interval(): number | null;
  /** The last 24 minutes, oldest first. */
  beats(now: number): readonly Beat[];
  /** Silence from which on the stream counts as dead, ms. */
  limit(): number;
}

export function createHeartbeat(): Heartbeat {
  let last: number | null = null;
  let lastByteAt: number | null = null;
  let lastEver: number | null = null;
  let intervals: number[] = [];
  let ownIntervals = 0;
  let beats: Beat[] = [];
  const recent = (now: number): Beat[] => beats.filter(({ at }) => at <= now && now - at < BEAT_RETENTION);
  const interval = (): number | null => (intervals.length === 0 ? null : Math.max(...intervals));
  return {
    comment(now) {
      if (last !== null && now - last < SHORTEST) return;
      if (last !== null) {
        intervals = [...intervals, now - last].slice(-REMEMBERED);
        ownIntervals += 1;
      }
      last = now;
      if (lastEver !== null && now > lastEver)
        beats = [...recent(now), { at: now, gap: now - lastEver }].slice(-MAX_BEATS);
      lastEver = now;
    },
    alive(now) {
      lastByteAt = now;
    },
    lastByteAt: () => lastByteAt,
    restart() {
      last = null;
      ownIntervals = 0;
    },
    stalled() {
      if (ownIntervals > 0) return;
      const slower = intervals.map((each) => each * 2);
      intervals = Math.max(0, ...slower) * STALL_FACTOR > UNKNOWN_LIMIT ? [] : slower;
    },
    interval,
    beats: recent,
    limit() {
      const learnt = interval();
      return learnt === null ? UNKNOWN_LIMIT : Math.max(LEAST_LIMIT, learnt * STALL_FACTOR);
    },
  };
}
