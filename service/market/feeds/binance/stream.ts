// Service, Binance: one connection to the stream of closed and forming minutes.
import { chunked } from '../../../../shared/lib/chunked.ts';
import { type FeedDeps, FeedError } from '../price-feed.ts';
import { readSocket } from '../vendor-socket.ts';
import { type Kline, MessageSchema } from './messages.ts';

/** Streams per request; the exchange accepts five requests a second. */
const PER_REQUEST = 256;

export interface StreamOptions {
  /** Base address, without a path. */
  readonly host: string;
  /** At most 1,024 streams. */
  readonly streams: readonly string[];
  readonly deps: Pick<FeedDeps, 'clock' | 'outbound'>;
  readonly onKline: (kline: Kline) => void;
}

/** @throws FeedError, or the signal's reason */
export function readStream({ host, streams, deps, onKline }: StreamOptions, signal: AbortSignal): Promise<never> {
  return readSocket(
    {
      vendor: 'Binance',
      url: `${host}/stream`,
      schema: MessageSchema,
      opened(socket) {
        for (const [index, params] of chunked(streams, PER_REQUEST).entries())
          socket.send({ method: 'SUBSCRIBE', params, id: 1 + index });
      },
      take(message, socket) {
        const event = 'data' in message ? message.data : message;
        if ('error' in event) socket.retry(`refused the subscription: ${event.error.msg.slice(0, 200)}`);
        else if ('msg' in event) socket.retry(`refused the subscription: ${event.msg.slice(0, 200)}`);
        else if ('e' in event && event.e === 'serverShutdown') socket.retry('ends, as it announced');
        else if ('k' in event) onKline(event.k);
      },
      refusal: (status) =>
        status === 451 || status === 403
          ? new FeedError('fatal', `The stream of Binance (${host}) answered ${status}. ${REFUSED_PLACE}`)
          : null,
    },
    deps,
    signal,
  );
}

export const REFUSED_PLACE =
  'Binance does not serve the country that this computer calls from. Use another feed, or prices of your own (--prices).';
