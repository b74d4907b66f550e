// Service, stream: one open stream. Bounded: who reads slower than the world writes is cut with a last comment and can resume from the log.
import type { ServerResponse } from 'node:http';
import { type Cancel, type Clock, every } from '../../shared/lib/clock.ts';
import { encodeComment, encodeRetry, HEARTBEAT_MS } from '../../shared/wire/sse.ts';
import type { EventLog } from '../store/event-log.ts';
import type { EventFilter } from './filter.ts';
import { type Frames, framesOf } from './frames.ts';

/** What may wait unread in memory for one reader. */
const MOST_WAITING_BYTES = 1_048_576;
/** Replay pauses above this and goes on when the reader has caught up. */
const REPLAY_PAUSE_BYTES = 65_536;
const REPLAY_ROWS = 200;
/** A reader that takes nothing for so long while it replays is gone. */
const DRAIN_LIMIT_MS = 30_000;
/** How long a cut reader may take to read what was written before. */
const LINGER_MS = 2_000;

export interface Reader {
  start(): void;
  publish(frames: readonly Frames[]): void;
  /** Ends the stream with a last comment. */
  end(reason: string): void;
}

export interface ReaderDeps {
  readonly out: ServerResponse;
  readonly clock: Clock;
  readonly filter: EventFilter;
  readonly log: EventLog;
  readonly retainedSince: () => number;
  /** Position in the log after which the reader wants events. */
  readonly after: number;
  readonly greeting: string;
  /** Called once, when it is over, however it ended. */
  readonly onEnd: () => void;
}

export function openReader({ out, clock, filter, log, retainedSince, after, greeting, onEnd }: ReaderDeps): Reader {
  let position = after;
  let live = false;
  let over = false;
  let stopHeartbeat: Cancel = () => undefined;
  let stopWaiting: Cancel = () => undefined;

  const finish = (): void => {
    if (over) return;
    over = true;
    stopHeartbeat();
    stopWaiting();
    onEnd();
  };

  const end = (reason: string): void => {
    if (over) return;
    finish();
    out.end(encodeComment(reason));
    const cancel = clock.after(LINGER_MS, () => out.destroy());
    out.once('close', cancel);
  };

  const write = (frames: Frames): void => {
    const { envelope } = frames.event;
    if (envelope.seq <= position) return;
    position = envelope.seq;
    out.write(filter(envelope) ? frames.whole : frames.skipped);
  };

  const waitForDrain = (then: () => void): void => {
    const goOn = (): void => {
      stopWaiting();
      if (!over) then();
    };
    out.once('drain', goOn);
    stopWaiting = clock.after(DRAIN_LIMIT_MS, () => {
      out.off('drain', goOn);
      end('cut: nothing was read for too long; reconnect with Last-Event-ID');
    });
  };

  // Replay and live meet without a gap: the log is read until it has no more, and from that same turn on the reader listens to the hub.
  const replay = (): void => {
    while (!over) {
      const rows = log.after(position, REPLAY_ROWS, retainedSince());
      if (rows.length === 0) {
        live = true;
        return;
      }
      for (const row of rows) write(framesOf(row));
      if (out.writableLength > REPLAY_PAUSE_BYTES && out.writableNeedDrain) {
        waitForDrain(replay);
        return;
      }
    }
  };

  return {
    start() {
      out.on('close', finish);
      out.on('error', finish);
      out.write(encodeComment(greeting) + encodeRetry());
      stopHeartbeat = every(clock, HEARTBEAT_MS, () => void out.write(encodeComment('heartbeat')));
      replay();
    },
    publish(frames) {
      if (!live || over) return;
      // Several events leave in one system call.
      out.socket?.cork();
      for (const frame of frames) write(frame);
      out.socket?.uncork();
      if (out.writableLength > MOST_WAITING_BYTES) end('cut: the reader is too slow; reconnect with Last-Event-ID');
    },
    end,
  };
}
