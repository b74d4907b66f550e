// Pure: channels of the self-test, a signed synthetic event from service to acknowledgement.
import { z } from 'zod';
import { MessageSchema } from '../text/message.ts';
import { TimestampSchema } from '../wire/primitives.ts';
import { intent, push, query } from './channel.ts';

const nothing = z.strictObject({});

/** In their order. */
export const SELF_TEST_STEPS = [
  'sent',
  'stream',
  'webhook',
  'written',
  'matched',
  'dispatched',
  'shown',
  'acknowledged',
] as const;
export type SelfTestStepName = (typeof SELF_TEST_STEPS)[number];

export const SelfTestStepSchema = z.strictObject({
  step: z.enum(SELF_TEST_STEPS),
  /**
   * waits: not reached yet. passed. failed: it stopped here. skipped: this route is not in use (no relay, no
   * right to trigger), `detail` says why.
   */
  outcome: z.enum(['waits', 'passed', 'failed', 'skipped']),
  /** ms after the self-test began, by this computer's clock; null while it waits or is skipped. */
  after: z.number().int().nonnegative().nullable(),
  detail: MessageSchema.nullable(),
});
export type SelfTestStep = z.infer<typeof SelfTestStepSchema>;

export const SelfTestSchema = z.strictObject({
  event_id: z.string().nullable(),
  /** This computer's time. */
  began_at: TimestampSchema,
  /** null while it runs. */
  ended_at: TimestampSchema.nullable(),
  steps: z.array(SelfTestStepSchema),
  /** The progress or the result. */
  message: MessageSchema,
});
export type SelfTest = z.infer<typeof SelfTestSchema>;

/**
 * Answered by `selfTest.read`; `selfTest.changed` pushes all of it. `last`: the current one, or the last one.
 */
export const SelfTestViewSchema = z.strictObject({
  last: SelfTestSchema.nullable(),
  /** Why none can run now; null when one can. */
  reason: MessageSchema.nullable(),
});
export type SelfTestView = z.infer<typeof SelfTestViewSchema>;

export const selfTestChannels = {
  'selfTest.read': query(nothing, SelfTestViewSchema),
  'selfTest.changed': push(SelfTestViewSchema),
  /** Starts one; refused while one runs. */
  'selfTest.run': intent(nothing, nothing),
  /** The user saw it; the last step. */
  'selfTest.acknowledge': intent(nothing, nothing),
} as const;
export type SelfTestChannels = typeof selfTestChannels;
