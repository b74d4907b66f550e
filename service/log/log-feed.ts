// Service, log: publishes the end of the event log to its followers.
import type { Cancel } from '../../shared/lib/clock.ts';
import { messageOf } from '../../shared/lib/result.ts';
import type { Logger } from '../logger.ts';
import type { EventLog, LoggedEvent } from '../store/event-log.ts';

export interface LogPosition {
  /** Number of the last event before the position. */
  readonly seq: number;
  /** World ms up to which everything is evaluated. */
  readonly worldTime: number;
}

/** The state of the log when the service opens. */
export interface LogOpening {
  /** World ms that an earlier run reached; null at the first start. */
  readonly reached: number | null;
  /** World ms from which the log is complete; later than `reached` after a long downtime. */
  readonly from: number;
  /** World ms. */
  readonly now: number;
}

export interface LogFollower {
  /**
   * Called when the log has grown: the follower reads `after` its position. Repeated at the next advance if
   * it throws.
   */
  advanced(end: LogPosition): void;
  /** Called once. Before it, the log contains only past events. */
  opened?(opening: LogOpening): void;
  /** Stored with every commit under the follower's name, for a restart. */
  readonly stored?: { readonly name: string; position(): LogPosition };
}

export interface LogFeed {
  end(): LogPosition;
  /** Events after `seq`, in log order. */
  after(seq: number, limit: number): readonly LoggedEvent[];
  follow(follower: LogFollower): Cancel;
  open(opening: LogOpening): void;
  /** Positions of the followers that store one, as JSON by name. */
  positions(): (readonly [name: string, position: string])[];
  /**
   * Call it with durable events. Followers are notified one after the other, in the order of subscription.
   */
  advance(events: readonly LoggedEvent[], worldTime: number): void;
}

/** Newest events in memory, so that followers at the end share one object and read nothing. */
const TAIL_ROWS = 1_000;

export function createLogFeed(log: EventLog, logger: Logger): LogFeed {
  const followers = new Set<LogFollower>();
  const errors = new Map<LogFollower, string>();
  const tail: LoggedEvent[] = [];
  let end: LogPosition = { seq: log.lastSeq(), worldTime: Number.NEGATIVE_INFINITY };
  let notifying = false;
  let notified = end;

  const notify = (follower: LogFollower): void => {
    try {
      follower.advanced(end);
      errors.delete(follower);
    } catch (failure) {
      // The same error is logged once: a full disk stays full for a while.
      const error = messageOf(failure);
      if (errors.get(follower) !== error)
        logger.error({ error }, 'a follower of the event log failed; it is tried again when the log goes on');
      errors.set(follower, error);
    }
  };

  return {
    end: () => end,
    after(seq, limit) {
      if (seq >= end.seq) return [];
      const first = tail[0]?.envelope.seq;
      if (first === undefined || seq + 1 < first) return log.after(seq, limit, 0);
      return tail.slice(seq + 1 - first, seq + 1 - first + limit);
    },
    follow(follower) {
      followers.add(follower);
      return () => void followers.delete(follower);
    },
    open(opening) {
      for (const follower of followers) follower.opened?.(opening);
    },
    positions: () =>
      [...followers].flatMap(({ stored }) =>
        stored === undefined ? [] : [[stored.name, JSON.stringify(stored.position())] as const],
      ),
    advance(events, worldTime) {
      tail.push(...events);
      if (tail.length > 2 * TAIL_ROWS) tail.splice(0, tail.length - TAIL_ROWS);
      end = { seq: events.at(-1)?.envelope.seq ?? end.seq, worldTime };
      // A follower that appends must not reorder: the others receive the earlier end first.
      if (notifying) return;
      notifying = true;
      try {
        do {
          notified = end;
          for (const follower of followers) notify(follower);
        } while (notified !== end);
      } finally {
        notifying = false;
      }
    },
  };
}
