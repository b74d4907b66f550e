// Main, core: learns the heartbeat interval from a stream's comments, and detects a dead stream.

/** Heartbeat intervals of silence that count as a stall. */
const STALL_FACTOR = 2.5;
/** Limit while the heartbeat is unknown, ms. */
export const UNKNOWN_LIMIT = 5 * 60_000;
/** Comments closer than this arrived together and do not show the interval, ms. */
const SHORTEST = 100;
/** Shortest limit, ms. */
const MIN_LIMIT = 1_000;
/** Number of stored intervals; the longest counts, so that a buffering proxy does not cause false stalls. */
const REMEMBERED = 4;

/** Longest age, ms, and largest number of heartbeats stored for display. */
const BEAT_RETENTION = 24 * 60_000;
const MAX_BEATS = 240;

export interface Beat {
  /** This computer's clock, ms. */
  readonly at: number;
  /** Time since the previous heartbeat, across reconnections, ms. */
  readonly gap: number;
}

export interface Heartbeat {
  comment(now: number): void;
  /** Bytes arrived, or the stream was opened. */
  alive(now: number): void;
  /** Time of the last bytes, this computer's clock, ms; null before the first. */
  lastByteAt(): number | null;
  /** A new connection: the time between two connections is no interval. */
  restart(): void;
  /**
   * The stream was given up. Doubles the interval unless this connection confirmed it: the interval may be
   * wrong, for instance after two comments within seconds, and every later stream would be given up too.
   */
  stalled(): void;
  /** Learnt interval, ms; null before two comments of one connection. */
  interval(): number | null;
  /** Heartbeats of the last 24 minutes, oldest first. */
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
      // A silence beyond the limit is no interval: the computer slept, or its clock was set.
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
