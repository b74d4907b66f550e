// Pure: what travels on the loopback socket, and how a page comes to its session. Both ends parse every frame that arrives.
import { z } from 'zod';
import { AnswerSchema } from './channel.ts';

/** Where the socket is, where a one-time token is traded for a session, and how its address is told. */
export const LINK_PATH = '/link';
export const SESSION_PATH = '/session';
/** The address of a window is `http://127.0.0.1:PORT/#t=TOKEN`; a fragment is never sent to a server or written to its log. */
export const TOKEN_FRAGMENT = 't';
/** Where the page keeps its session: in sessionStorage, so that it ends with the tab. */
export const SESSION_KEY = 'barograph.session';

const SecretSchema = z.string().regex(/^[A-Za-z0-9_-]{20,128}$/);

/** Body and reply of POST /session. */
export const TokenTradeSchema = z.strictObject({ token: SecretSchema });
export const SessionGrantSchema = z.strictObject({ session: SecretSchema });

/** The first frame of a window. */
export const HelloFrameSchema = z.strictObject({ session: SecretSchema });
/** Every other frame of a window. A payload that is undefined is not in the JSON. */
export const CallFrameSchema = z.strictObject({
  id: z.number().int().positive(),
  name: z.string().max(120),
  payload: z.unknown().optional(),
});
/** How many pushes a window has taken in since its connection began. */
export const GotFrameSchema = z.strictObject({ got: z.number().int().positive() });
/** What the core sends: that the session is good, answers, pushes. */
export const CoreFrameSchema = z.union([
  z.strictObject({ ready: z.literal(true) }),
  z.strictObject({ id: z.number().int().positive(), answer: AnswerSchema }),
  z.strictObject({ name: z.string(), payload: z.unknown().optional() }),
]);

/** Why a socket was closed. A window whose session is refused does not try again: only a new address helps; nor one whose profile is over. */
export const CLOSED = { badFrame: 4400, sessionRefused: 4401, tooLate: 4408, profileOver: 4410 } as const;

/** Parsed JSON, or undefined where the frame is not text or not JSON. */
export function parseFrame(frame: unknown): unknown {
  if (typeof frame !== 'string') return undefined;
  try {
    return JSON.parse(frame);
  } catch {
    return undefined;
  }
}

/** A WebSocket's `readyState` while it carries frames. */
export const OPEN = 1;

/** A connected WebSocket as both ends see it: the browser's, Node's and that of `ws` fit. */
export interface SocketLike {
  /** `OPEN` once the other end has accepted; less before, more when it is over. */
  readonly readyState: number;
  send(text: string): void;
  close(code?: number, reason?: string): void;
  addEventListener(type: 'open' | 'error', listener: () => void): void;
  addEventListener(type: 'close', listener: (event: { readonly code: number; readonly reason: string }) => void): void;
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
}
