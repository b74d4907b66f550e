// Service, market feeds: reads validated messages from a vendor's WebSocket.
// Always ends with an error, after which the supervisor reconnects.
import WebSocket from 'ws';
import type { z } from 'zod';
import { type Cancel, every } from '../../../shared/lib/clock.ts';
import { SECOND_MS } from '../../../shared/lib/time.ts';
import { failureOf, WANTS_PASSWORD } from '../../network/request.ts';
import { type FeedDeps, FeedError } from './price-feed.ts';
import { parseJson } from './read-json.ts';

const PING_EVERY_MS = 15 * SECOND_MS;
/** Longest time without a message, a ping or a pong. */
const SILENT_MS = 45 * SECOND_MS;
const HANDSHAKE_MS = 15_000;
const MAX_BYTES = 4 * 1024 * 1024;

/** Operations of a vendor's protocol on its connection. */
export interface VendorSocket {
  send(message: object): void;
  /** Ends the connection with an error to retry. @param why follows "The stream of VENDOR" */
  retry(why: string): void;
  /** Ends the connection. */
  end(error: FeedError): void;
}

export interface SocketProtocol<Message> {
  /** The vendor's name in its own spelling. */
  readonly vendor: string;
  readonly url: string;
  readonly schema: z.ZodType<Message>;
  /** Ends the connection if `isReady` is still false after `withinMs`. */
  readonly ready?: { readonly withinMs: number; isReady(): boolean };
  opened?(socket: VendorSocket): void;
  take(message: Message, socket: VendorSocket): void;
  /** The error for a refused handshake; null: a retry may help. */
  refusal(status: number): FeedError | null;
}

/** @throws FeedError, or the signal's reason */
export async function readSocket<Message>(
  protocol: SocketProtocol<Message>,
  { clock, outbound }: Pick<FeedDeps, 'clock' | 'outbound'>,
  signal: AbortSignal,
): Promise<never> {
  const { way, agent } = await outbound(protocol.url);
  const name = `The stream of ${protocol.vendor}`;
  return new Promise((_, reject) => {
    const socket = new WebSocket(protocol.url, { agent, handshakeTimeout: HANDSHAKE_MS, maxPayload: MAX_BYTES });
    let isOpen = false;
    const unreached = (why: string): void => retry(`cannot be reached ${way}: ${why}`);
    const startedAt = clock.now();
    let lastMessageAt = startedAt;
    const noteMessage = (): void => {
      lastMessageAt = clock.now();
    };
    let stop: Cancel = () => undefined;
    const end = (reason: unknown): void => {
      stop();
      signal.removeEventListener('abort', give);
      reject(reason);
      socket.terminate();
    };
    const retry = (why: string): void => end(new FeedError('retry', `${name} ${why}.`));
    const isLate = (): boolean =>
      protocol.ready !== undefined && !protocol.ready.isReady() && clock.now() - startedAt > protocol.ready.withinMs;
    stop = every(clock, PING_EVERY_MS, () => {
      if (clock.now() - lastMessageAt > SILENT_MS) retry(`was silent for ${SILENT_MS / SECOND_MS} s`);
      else if (isLate()) retry('did not accept the subscription in time');
      else if (socket.readyState === WebSocket.OPEN) socket.ping();
    });
    const give = (): void => end(signal.reason);
    const own: VendorSocket = { send: (message) => socket.send(JSON.stringify(message)), retry, end };

    socket.on('open', () => {
      isOpen = true;
      noteMessage();
      protocol.opened?.(own);
    });
    socket.on('pong', noteMessage);
    socket.on('ping', noteMessage);
    socket.on('message', (data) => {
      noteMessage();
      try {
        protocol.take(parseJson(String(data), protocol.schema, name), own);
      } catch (error) {
        end(error);
      }
    });
    socket.on('unexpected-response', (_request, answer) => {
      answer.destroy();
      const status = answer.statusCode ?? 0;
      const refusal = protocol.refusal(status);
      if (status === 407) unreached(WANTS_PASSWORD);
      else if (refusal === null) retry(`answered ${status}`);
      else end(refusal);
    });
    socket.on('close', (code) => retry(`was closed (${code})`));
    socket.on('error', (error) => (isOpen ? retry(`broke off: ${failureOf(error)}`) : unreached(failureOf(error))));
    if (signal.aborted) give();
    else signal.addEventListener('abort', give, { once: true });
  });
}
