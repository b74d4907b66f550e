// Pure: the frames of the loopback socket. Both ends parse every frame that arrives.
import { z } from 'zod';
import { NonceSchema } from '../wire/proof.ts';
import { AnswerSchema } from './channel.ts';

/** A token or a session. */
const SecretSchema = z.string().regex(/^[A-Za-z0-9_-]{20,128}$/);

/** Body and reply of POST /session. */
export const TokenTradeSchema = z.strictObject({ token: SecretSchema });
export const SessionGrantSchema = z.strictObject({ session: SecretSchema });

/** The first frame of a window: the id of its session, and its nonce. */
export const HelloFrameSchema = z.strictObject({ session: NonceSchema, nonce: NonceSchema });
/** The core's answer, which proves that it knows the session, with a nonce of its own. */
export const ChallengeFrameSchema = z.strictObject({ challenge: NonceSchema, proof: NonceSchema });
/** The second frame of a window, which proves the same. */
export const ProofFrameSchema = z.strictObject({ proof: NonceSchema });
/** Every other frame of a window. An undefined payload is absent from the JSON. */
export const CallFrameSchema = z.strictObject({
  id: z.number().int().positive(),
  name: z.string().max(120),
  payload: z.unknown().optional(),
});
/** Number of pushes that a window has processed since its connection began. */
export const GotFrameSchema = z.strictObject({ got: z.number().int().positive() });
/** Frames of the core: the session is accepted, answers, pushes. */
export const CoreFrameSchema = z.union([
  z.strictObject({ ready: z.literal(true) }),
  z.strictObject({ id: z.number().int().positive(), answer: AnswerSchema }),
  z.strictObject({ name: z.string(), payload: z.unknown().optional() }),
]);

/**
 * Why a socket was closed. A window whose session is refused does not retry, since only a new address helps;
 * nor does one whose profile has ended; one whose profile has begun again does, at once.
 */
export const CLOSED = {
  badFrame: 4400,
  sessionRefused: 4401,
  tooLate: 4408,
  profileOver: 4410,
  restarted: 1012,
} as const;

/** Parsed JSON, or undefined where the frame is not text or not JSON. */
export function parseFrame(frame: unknown): unknown {
  if (typeof frame !== 'string') return undefined;
  try {
    return JSON.parse(frame);
  } catch {
    return undefined;
  }
}
