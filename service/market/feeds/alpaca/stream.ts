// Service, Alpaca: one connection to the stream of closed minutes and trading status.

import { chunked } from '../../../../shared/lib/chunked.ts';
import { MINUTE_MS, SECOND_MS } from '../../../../shared/lib/time.ts';
import { type FeedDeps, FeedError } from '../price-feed.ts';
import { readSocket, type VendorSocket } from '../vendor-socket.ts';
import { type AlpacaKey, KEY_CURE } from './key.ts';
import { type StreamMessage, StreamSchema } from './messages.ts';

/** Time limit for signing in and subscribing; the vendor's own is 10 s. */
const READY_MS = 20 * SECOND_MS;
/** Symbols per subscribe request, which must stay below 16 KB. */
const PER_REQUEST = 250;
/** Time for which the vendor may count a broken connection as open. */
const OTHER_CONNECTION_MS = MINUTE_MS;
const SYMBOL_LIMIT = 405;
const SIGNED_IN_ALREADY = 403;

export interface StreamOptions {
  /** Address with the path of the feed. */
  readonly url: string;
  readonly key: AlpacaKey;
  /** Symbols in Alpaca's spelling. */
  readonly symbols: readonly string[];
  readonly deps: Pick<FeedDeps, 'clock' | 'outbound'>;
  readonly onMessage: (message: StreamMessage) => void;
  /**
   * Called when the plan allows fewer symbols.
   * @returns the symbols to subscribe instead; null: end with the error
   */
  readonly onSymbolLimit: () => readonly string[] | null;
}

/** @throws FeedError, or the signal's reason */
export function readStream(options: StreamOptions, signal: AbortSignal): Promise<never> {
  const { url, key, symbols, deps, onMessage, onSymbolLimit } = options;
  let isReady = false;
  const refused = (socket: VendorSocket, code: number, text: string): void => {
    if (code === SIGNED_IN_ALREADY) return;
    const fewer = code === SYMBOL_LIMIT ? onSymbolLimit() : null;
    if (fewer === null) socket.end(streamError(code, text));
    else subscribe(socket, fewer);
  };
  const takeOne = (message: StreamMessage, socket: VendorSocket): void => {
    if (message.T === 'success' && message.msg === 'connected')
      socket.send({ action: 'auth', key: key.id, secret: key.secret });
    else if (message.T === 'success' && message.msg === 'authenticated') subscribe(socket, symbols);
    else if (message.T === 'subscription') isReady = true;
    else if (message.T === 'error') refused(socket, message.code, message.msg);
    else onMessage(message);
  };
  return readSocket(
    {
      vendor: 'Alpaca',
      url,
      schema: StreamSchema,
      ready: { withinMs: READY_MS, isReady: () => isReady },
      take(messages, socket) {
        for (const message of messages) takeOne(message, socket);
      },
      refusal: (status) => (status === 401 || status === 403 ? streamError(402, `status ${status}`) : null),
    },
    deps,
    signal,
  );
}

function subscribe(socket: VendorSocket, symbols: readonly string[]): void {
  for (const some of chunked(symbols, PER_REQUEST))
    socket.send({ action: 'subscribe', bars: some, updatedBars: some, statuses: some });
}

const FATAL: Readonly<Record<number, string>> = {
  402: KEY_CURE,
  405: 'Name fewer symbols (--feed-symbols), or take a larger plan.',
  408: 'The account may not use the stream; ask Alpaca.',
  409: 'The plan of the account does not include this stream.',
  410: 'This version of Barograph asks for what the stream does not have; update it.',
  411: 'The key may not read market data; make another one in the dashboard of Alpaca.',
};

/** @param text the vendor's message */
export function streamError(code: number, text: string): FeedError {
  const said = `The stream of Alpaca answered ${code} (${text.slice(0, 100)}).`;
  const cure = FATAL[code];
  if (cure !== undefined) return new FeedError('fatal', `${said} ${cure}`);
  if (code === 406)
    return new FeedError(
      'retry',
      `${said} Another program is connected with this account, which has one connection; stop that one.`,
      OTHER_CONNECTION_MS,
    );
  if (code === 407) return new FeedError('retry', `${said} This computer or its connection is too slow for it.`);
  return new FeedError('retry', said);
}
