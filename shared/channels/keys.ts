// Pure: the channels about the key of a window's profile.
// The key travels once, from the window to the core, and never back.
import { z } from 'zod';
import { MessageSchema } from '../text/message.ts';
import { TimestampSchema } from '../wire/primitives.ts';
import { intent, query } from './channel.ts';

/** Where a profile's key is kept, best first. Only the user's choice moves it to a lower tier. */
export const KEY_TIERS = ['keychain', 'passphrase', 'session'] as const;
export const KeyTierSchema = z.enum(KEY_TIERS);
export type KeyTier = z.infer<typeof KeyTierSchema>;

/** Minimum length of a passphrase. */
export const PASSPHRASE_MIN = 8;
export const PassphraseSchema = z.string().min(PASSPHRASE_MIN, `at least ${PASSPHRASE_MIN} characters`).max(1024);

export const KeyStateSchema = z.strictObject({
  /**
   * none: no key yet. ready: in use. pending: requested, not answered yet. locked: the passphrase is needed.
   * failed: `message` says why. own: the service inside the app has its own.
   */
  status: z.enum(['own', 'none', 'pending', 'locked', 'failed', 'ready']),
  tier: KeyTierSchema,
  /** Label of the tier: "the system's keychain (Secret Service)". */
  tier_label: MessageSchema,
  /** The current state, and what the user can do. */
  message: MessageSchema,
  /** The environment's prefix, such as svc_live_; "" where the key has another one. */
  prefix: z.string().nullable(),
  /** Its last four characters, while it is in use. */
  ending: z.string().max(4).nullable(),
  saved_at: TimestampSchema.nullable(),
  /** Whole days since it was saved. */
  age_days: z.number().int().nonnegative().nullable(),
  /** The key is older than the rotation period of its environment. */
  rotation_due: z.boolean(),
});
export type KeyState = z.infer<typeof KeyStateSchema>;

const nothing = z.strictObject({});

export const keyChannels = {
  'key.state': query(nothing, KeyStateSchema),
  /** Replaces the key and uses it at once. Without `tier`: in the profile's current tier. */
  'key.set': intent(
    z.strictObject({
      key: z.string().min(1).max(512),
      tier: KeyTierSchema.optional(),
      passphrase: PassphraseSchema.optional(),
      /**
       * Keeps the previous key unless the service accepts this one now: for a rotation with overlapping keys.
       */
      accepted: z.boolean().default(false),
    }),
    KeyStateSchema,
  ),
  /** lost: the passphrase of its vault is lost. */
  'key.forget': intent(z.strictObject({ lost: z.boolean().default(false) }), KeyStateSchema),
  /** Changes the profile's key store and moves the stored secrets along. */
  'key.move': intent(z.strictObject({ tier: KeyTierSchema, passphrase: PassphraseSchema.optional() }), KeyStateSchema),
  /** Opens the passphrase vault for this run. */
  'key.unlock': intent(z.strictObject({ passphrase: PassphraseSchema }), KeyStateSchema),
} as const;
