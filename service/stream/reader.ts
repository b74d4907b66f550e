// Service, stream: one open stream, which follows the log from its own position.
// A reader that is too slow is cut with a last comment, and can resume from the log.
import type { ServerResponse } from 'node:http';
import { type Cancel, every } from '../../shared/lib/clock.ts';
import { messageOf } from '../../shared/lib/result.ts';
import { encodeComment, encodeRetry, HEARTBEAT_MS } from '../../shared/wire/sse.ts';
import type { ServiceHost } from '../host.ts';
import type { LogFeed } from '../log/log-feed.ts';
import type { LoggedEvent } from '../store/event-log.ts';
import type { EventFilter } from './filter.ts';
import { framesOf } from './frames.ts';

/** Limit of unread bytes in memory per reader. */
const MAX_WAITING_BYTES = 1_048_576;
/** Replay pauses above this and continues when the reader has caught up. */
const REPLAY_PAUSE_BYTES = 65_536;
const REPLAY_ROWS = 200;
/** Timeout of a reader that takes nothing during replay. */
const DRAIN_LIMIT_MS = 30_000;
/** How long a cut reader may take to read the bytes written before. */
const LINGER_MS = 2_000;

export interface Reader {
  start(): void;
  /** The log has grown. */
  advance(): void;
  /** Writes a comment. */
  comment(text: string): void;
  /**
   * Ends the stream with a last comment.
   * @param retryMs how long the client is asked to wait before it reconnects; default: as at the greeting
   */
  end(reason: string, retryMs?: number): void;
}

export interface ReaderDeps {
  readonly out: ServerResponse;
  readonly host: Pick<ServiceHost, 'clock' | 'logger'>;
  readonly filter: EventFilter;
  readonly feed: LogFeed;
  /** Position in the log after which the reader wants events. */
  readonly after: number;
  readonly greeting: string;
  /** Called once, when the stream ends for any reason. */
  readonly onEnd: () => void;
}

export function openReader({ out, host, filter, feed, after, greeting, onEnd }: ReaderDeps): Reader {
  const { clock, logger } = host;
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

  const end = (reason: string, retryMs?: number): void => {
    if (over) return;
    finish();
    out.end((retryMs === undefined ? '' : encodeRetry(retryMs)) + encodeComment(reason));
    const cancel = clock.after(LINGER_MS, () => out.destroy());
    out.once('close', cancel);
  };

  const write = (event: LoggedEvent): void => {
    const { whole, skipped } = framesOf(event);
    position = event.envelope.seq;
    out.write(filter(event.envelope) ? whole : skipped);
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

  /** Reads on from its position; a reader that once reached the end is live, and must keep up. */
  const read = (): void => {
    while (!over) {
      const rows = feed.after(position, REPLAY_ROWS);
      if (rows.length === 0) {
        live = true;
        return;
      }
      // Sends several events in one system call.
      out.socket?.cork();
      for (const row of rows) write(row);
      out.socket?.uncork();
      if (live && out.writableLength > MAX_WAITING_BYTES) {
        end('cut: the reader is too slow; reconnect with Last-Event-ID');
      } else if (!live && out.writableLength > REPLAY_PAUSE_BYTES && out.writableNeedDrain) {
        waitForDrain(replay);
        return;
      }
    }
  };

  /** Nobody repeats a read before the reader is live: one that fails ends the stream, and the client comes back. */
  const replay = (): void => {
    try {
      read();
    } catch (error) {
      logger.warn({ error: messageOf(error) }, 'a stream was cut: the event log cannot be read');
      end('cut: the event log cannot be read; reconnect with Last-Event-ID');
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
    advance() {
      if (live) read();
    },
    comment: (text) => void out.write(encodeComment(text)),
    end,
  };
}
