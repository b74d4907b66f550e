// Service, Alpaca: one connection to the stream of closed minutes and trading status. It ends with an error, always: the
// supervisor connects again.
import WebSocket from 'ws';
import { type Clock, every } from '../../../../shared/lib/clock.ts';
import { messageOf } from '../../../../shared/lib/result.ts';
import { MINUTE_MS, SECOND_MS } from '../../../../shared/lib/time.ts';
import { FeedError } from '../price-feed.ts';
import { parseJson } from '../read-json.ts';
import { type AlpacaKey, KEY_CURE } from './key.ts';
import { type StreamMessage, StreamSchema } from './messages.ts';

const PING_EVERY_MS = 15 * SECOND_MS;
/** Without a message or an answer to a ping. */
const SILENT_MS = 45 * SECOND_MS;
const HANDSHAKE_MS = 15_000;
/** The vendor's limit for signing in is 10 s. */
const READY_MS = 20 * SECOND_MS;
/** Of one request to subscribe, which must stay below 16 KB. */
const PER_REQUEST = 250;
const MOST_BYTES = 4 * 1024 * 1024;
/** A connection that broke off counts for the vendor until it notices. */
const OTHER_CONNECTION_MS = MINUTE_MS;
const SYMBOL_LIMIT = 405;
const SIGNED_IN_ALREADY = 403;

export interface StreamOptions {
  /** With the path of the feed. */
  readonly url: string;
  readonly key: AlpacaKey;
  /** In Alpaca's writing. */
  readonly symbols: readonly string[];
  readonly clock: Clock;
  readonly onMessage: (message: StreamMessage) => void;
  /**
   * The plan allows fewer symbols.
   * @returns those to subscribe instead; null: there is no other choice
   */
  readonly onSymbolLimit: () => readonly string[] | null;
}

/** @throws FeedError, or the signal's reason */
export function readStream(options: StreamOptions, signal: AbortSignal): Promise<never> {
  const { url, key, symbols, clock, onMessage, onSymbolLimit } = options;
  return new Promise((_, reject) => {
    const socket = new WebSocket(url, { handshakeTimeout: HANDSHAKE_MS, maxPayload: MOST_BYTES });
    const startedAt = clock.now();
    let lastMessageAt = startedAt;
    let isReady = false;
    const noteMessage = (): void => {
      lastMessageAt = clock.now();
    };
    const end = (reason: unknown): void => {
      stop();
      signal.removeEventListener('abort', give);
      reject(reason);
      socket.terminate();
    };
    const retry = (why: string): void => end(new FeedError('retry', `The stream of Alpaca ${why}.`));
    const stop = every(clock, PING_EVERY_MS, () => {
      if (clock.now() - lastMessageAt > SILENT_MS) retry(`was silent for ${SILENT_MS / SECOND_MS} s`);
      else if (!isReady && clock.now() - startedAt > READY_MS) retry('did not accept the subscription in time');
      else if (socket.readyState === WebSocket.OPEN) socket.ping();
    });
    const give = (): void => end(signal.reason);
    const subscribe = (all: readonly string[]): void => {
      for (let from = 0; from < all.length; from += PER_REQUEST) {
        const some = all.slice(from, from + PER_REQUEST);
        socket.send(JSON.stringify({ action: 'subscribe', bars: some, updatedBars: some, statuses: some }));
      }
    };
    const refused = (code: number, text: string): void => {
      if (code === SIGNED_IN_ALREADY) return;
      const fewer = code === SYMBOL_LIMIT ? onSymbolLimit() : null;
      if (fewer === null) end(streamError(code, text));
      else subscribe(fewer);
    };
    const take = (message: StreamMessage): void => {
      if (message.T === 'success' && message.msg === 'connected')
        socket.send(JSON.stringify({ action: 'auth', key: key.id, secret: key.secret }));
      else if (message.T === 'success' && message.msg === 'authenticated') subscribe(symbols);
      else if (message.T === 'subscription') isReady = true;
      else if (message.T === 'error') refused(message.code, message.msg);
      else onMessage(message);
    };

    socket.on('pong', noteMessage);
    socket.on('ping', noteMessage);
    socket.on('message', (data) => {
      noteMessage();
      try {
        for (const message of parseJson(String(data), StreamSchema, 'The stream of Alpaca')) take(message);
      } catch (error) {
        end(error);
      }
    });
    socket.on('unexpected-response', (_request, answer) => {
      answer.destroy();
      if (answer.statusCode === 401 || answer.statusCode === 403) end(streamError(402, `status ${answer.statusCode}`));
      else retry(`answered ${answer.statusCode ?? 'nothing'}`);
    });
    socket.on('close', (code) => retry(`was closed (${code})`));
    socket.on('error', (error) => retry(`broke off: ${messageOf(error)}`));
    if (signal.aborted) give();
    else signal.addEventListener('abort', give, { once: true });
  });
}

const FATAL: Readonly<Record<number, string>> = {
  402: KEY_CURE,
  405: 'Name fewer symbols (--feed-symbols), or take a larger plan.',
  408: 'The account may not use the stream; ask Alpaca.',
  409: 'The plan of the account does not include this stream.',
  410: 'This version of Barograph asks for what the stream does not have; update it.',
  411: 'The key may not read market data; make another one in the dashboard of Alpaca.',
};

/** @param text the vendor's own words */
export function streamError(code: number, text: string): FeedError {
  const said = `The stream of Alpaca answered ${code} (${text.slice(0, 100)}).`;
  const cure = FATAL[code];
  if (cure !== undefined) return new FeedError('fatal', `${said} ${cure}`);
  if (code === 406)
    return new FeedError('retry', `${said} Another program is connected with this account, which has one connection; stop that one.`, OTHER_CONNECTION_MS); // biome-ignore format: one line
  if (code === 407) return new FeedError('retry', `${said} This computer or its connection is too slow for it.`);
  return new FeedError('retry', said);
}
