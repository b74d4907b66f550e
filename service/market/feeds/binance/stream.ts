// Service, Binance: one connection to the stream of closed and forming minutes. It ends with an error, always: the
// supervisor connects again.
import WebSocket from 'ws';
import { type Clock, every } from '../../../../shared/lib/clock.ts';
import { messageOf } from '../../../../shared/lib/result.ts';
import { SECOND_MS } from '../../../../shared/lib/time.ts';
import { FeedError } from '../price-feed.ts';
import { parseJson } from '../read-json.ts';
import { type Kline, MessageSchema } from './messages.ts';

/** The exchange sends a ping every 20 s. */
const SILENT_MS = 75 * SECOND_MS;
const CHECKED_EVERY_MS = 5 * SECOND_MS;
const HANDSHAKE_MS = 15_000;
/** Streams of one request; the exchange accepts five requests a second. */
const PER_REQUEST = 256;
const MOST_BYTES = 1024 * 1024;

export interface StreamOptions {
  /** Base address, without a path. */
  readonly host: string;
  /** At most 1,024 of a connection. */
  readonly streams: readonly string[];
  readonly clock: Clock;
  /** `sentAt` is the exchange's time. */
  readonly onKline: (kline: Kline, sentAt: number) => void;
}

/** @throws FeedError, or the signal's reason */
export function readStream({ host, streams, clock, onKline }: StreamOptions, signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const socket = new WebSocket(`${host}/stream`, { handshakeTimeout: HANDSHAKE_MS, maxPayload: MOST_BYTES });
    let lastMessageAt = clock.now();
    const noteMessage = (): void => {
      lastMessageAt = clock.now();
    };
    const end = (reason: unknown): void => {
      stop();
      signal.removeEventListener('abort', give);
      reject(reason);
      socket.terminate();
    };
    const retry = (why: string): void => end(new FeedError('retry', `The stream of Binance ${why}.`));
    const stop = every(clock, CHECKED_EVERY_MS, () => {
      if (clock.now() - lastMessageAt > SILENT_MS) retry(`was silent for ${SILENT_MS / SECOND_MS} s`);
    });
    const give = (): void => end(signal.reason);

    socket.on('open', () => {
      noteMessage();
      for (let from = 0; from < streams.length; from += PER_REQUEST)
        socket.send(
          JSON.stringify({ method: 'SUBSCRIBE', params: streams.slice(from, from + PER_REQUEST), id: 1 + from }),
        );
    });
    socket.on('ping', noteMessage);
    socket.on('message', (data) => {
      noteMessage();
      try {
        const message = parseJson(String(data), MessageSchema, 'The stream of Binance');
        const event = 'data' in message ? message.data : message;
        if ('error' in event) retry(`refused the subscription: ${event.error.msg.slice(0, 200)}`);
        else if ('msg' in event) retry(`refused the subscription: ${event.msg.slice(0, 200)}`);
        else if ('e' in event && event.e === 'serverShutdown') retry('ends, as it announced');
        else if ('k' in event) onKline(event.k, event.E);
      } catch (error) {
        end(error);
      }
    });
    socket.on('unexpected-response', (_request, answer) => {
      answer.destroy();
      const status = answer.statusCode ?? 0;
      if (status === 451 || status === 403)
        end(new FeedError('fatal', `The stream of Binance (${host}) answered ${status}. ${REFUSED_PLACE}`));
      else retry(`answered ${status}`);
    });
    socket.on('close', (code) => retry(`was closed (${code})`));
    socket.on('error', (error) => retry(`broke off: ${messageOf(error)}`));
    if (signal.aborted) give();
    else signal.addEventListener('abort', give, { once: true });
  });
}

export const REFUSED_PLACE =
  'Binance does not serve the country that this computer calls from. Use another feed, or prices of your own (--prices).';
