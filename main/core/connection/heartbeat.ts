// Main, core: learns the heartbeat interval from a stream's comments, and detects a dead stream.

/** A silence of this many heartbeats is a stall. */
const STALL_FACTOR = 2.5;
/** Limit without a learnt heartbeat, ms. */
export const UNKNOWN_LIMIT = 5 * 60_000;
/** Comments closer than this arrived in one piece and do not show the interval, ms. */
const SHORTEST = 100;
/** Shortest limit, ms. */
const MIN_LIMIT = 1_000;
/** Number of intervals kept; the slowest counts, so that a proxy that buffers does not cause false stalls. */
const REMEMBERED = 4;

/** How long heartbeats are kept for display, ms, and how many at most. */
const BEAT_RETENTION = 24 * 60_000;
const MAX_BEATS = 240;

export interface Beat {
  /** This computer's clock, ms. */
  readonly at: number;
  /** ms since the one before, across reconnections. */
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
   * The stream was given up. If this connection had not confirmed the learnt interval itself, the interval
   * may be wrong (a service that sends a last comment seconds after its first): it is doubled until comments
   * show another, so that streams are not given up for ever.
   */
  stalled(): void;
  /** ms; null before two comments of one connection. */
  interval(): number | null;
  /** The last 24 minutes, oldest first. */
  beats(now: number): readonly Beat[];
  /** Silence after which the stream counts as dead, ms. */
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
  const limit = (): number => {
    const learnt = interval();
    return learnt === null ? UNKNOWN_LIMIT : Math.max(MIN_LIMIT, learnt * STALL_FACTOR);
  };
  return {
    comment(now) {
      if (last !== null && now - last < SHORTEST) return;
      // A silence beyond the limit was no interval: the computer slept, or its clock was set.
      if (last !== null && now - last <= limit()) {
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
    limit,
  };
}
