// Pure: what travels on the loopback socket, and how a page comes to its session (session-endpoint.ts says where). Both ends parse every frame that arrives.
import { z } from 'zod';
import { AnswerSchema } from './channel.ts';
import { SECRET } from './session-endpoint.ts';

const SecretSchema = z.string().regex(SECRET);

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
