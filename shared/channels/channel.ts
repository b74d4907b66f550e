// Pure: the type of a channel between a window and the core. Both ends derive from one declaration.
import { z } from 'zod';
import { messageOf, type Result } from '../lib/result.ts';
import { MINUTE_MS } from '../lib/time.ts';
import { type Message, MessageSchema, plainMessage, textOf } from '../text/message.ts';

/** A call without an answer is abandoned after this long, ms. */
export const CALL_LIMIT = 30_000;

/** A call: the window asks, the core answers. `intent` marks the calls that change something. */
export interface CallChannel<Input extends z.ZodType = z.ZodType, Output extends z.ZodType = z.ZodType> {
  readonly kind: 'query' | 'intent';
  readonly input: Input;
  readonly output: Output;
  /** Timeout of the answer, ms. Default: `CALL_LIMIT`. */
  readonly limit?: number;
}
/** A push: the core sends it to every window of its profile. */
export interface PushChannel<Payload extends z.ZodType = z.ZodType> {
  readonly kind: 'push';
  readonly payload: Payload;
}
export type Channel = CallChannel | PushChannel;

export const query = <Input extends z.ZodType, Output extends z.ZodType>(input: Input, output: Output) =>
  ({ kind: 'query', input, output }) as const satisfies CallChannel<Input, Output>;
export const intent = <Input extends z.ZodType, Output extends z.ZodType>(input: Input, output: Output) =>
  ({ kind: 'intent', input, output }) as const satisfies CallChannel<Input, Output>;
/** An intent that reads files which may be large, on a computer that may be slow. */
export const slowIntent = <Input extends z.ZodType, Output extends z.ZodType>(input: Input, output: Output) =>
  ({ kind: 'intent', input, output, limit: 10 * MINUTE_MS }) as const satisfies CallChannel<Input, Output>;
export const push = <Payload extends z.ZodType>(payload: Payload) =>
  ({ kind: 'push', payload }) as const satisfies PushChannel<Payload>;

/** Why a call failed. `code` is for programs, `message` helps the user. */
export const RefusalSchema = z.strictObject({
  code: z.enum(['unknown_channel', 'bad_input', 'bad_output', 'refused', 'failed', 'disconnected']),
  message: MessageSchema,
});
export type Refusal = z.infer<typeof RefusalSchema>;

/** The result of a call. Refusals are data, so that transports need not carry exceptions. */
export type Answer = Result<unknown, Refusal>;
export const AnswerSchema: z.ZodType<Answer> = z.discriminatedUnion('ok', [
  z.strictObject({ ok: z.literal(true), value: z.unknown() }),
  z.strictObject({ ok: z.literal(false), error: RefusalSchema }),
]);

/** Thrown in the window when a call is refused, and by a handler in the core to refuse one. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
  readonly refusal: Refusal;
  constructor({ code, message }: { readonly code: Refusal['code']; readonly message: Message }) {
    super(textOf(message));
    this.refusal = { code, message };
  }
}

/** The answer to a call that failed. */
export const failedCall = (code: Refusal['code'], message: Message): Answer => ({
  ok: false,
  error: { code, message },
});

/** The message of a caught error. */
export const messageFrom = (error: unknown): Message =>
  error instanceof RefusedError ? error.refusal.message : plainMessage(messageOf(error));

/** A handler's refusal. */
export const refused = (message: Message): RefusedError => new RefusedError({ code: 'refused', message });
