// Pure: the channels about the key of a window's profile. The key travels once, from the window to the core, and never back.
import { z } from 'zod';
import { TimestampSchema } from '../wire/primitives.ts';
import { intent, query } from './channel.ts';

/** Where a profile's key is kept, best first. There is no way down from one to the next but by the user's choice. */
export const KEY_TIERS = ['keychain', 'passphrase', 'session'] as const;
export const KeyTierSchema = z.enum(KEY_TIERS);
export type KeyTier = z.infer<typeof KeyTierSchema>;

/** Characters of a passphrase, at least. */
export const PASSPHRASE_MIN = 8;
export const PassphraseSchema = z.string().min(PASSPHRASE_MIN, `at least ${PASSPHRASE_MIN} characters`).max(1024);

export const KeyStateSchema = z.strictObject({
  /** none: no key yet. ready: in use. pending: asked for, not answered yet. locked: the passphrase is needed. failed: `message` says why. own: the service inside the app has its own. */
  status: z.enum(['own', 'none', 'pending', 'locked', 'failed', 'ready']),
  tier: KeyTierSchema,
  /** The tier in words: "the system's keychain (Secret Service)". */
  tier_label: z.string(),
  /** One sentence: what is, and what can be done. */
  message: z.string(),
  /** The environment's prefix, such as svc_live_; "" where the key has another. */
  prefix: z.string().nullable(),
  /** Its last four characters, while it is in use. */
  ending: z.string().max(4).nullable(),
  saved_at: TimestampSchema.nullable(),
  /** Whole days since it was saved. */
  age_days: z.number().int().nonnegative().nullable(),
  /** It is older than the days after which a key of this environment should be replaced. */
  rotation_due: z.boolean(),
});
export type KeyState = z.infer<typeof KeyStateSchema>;

/** How the refusal begins of a key that nobody could try: it may be kept all the same, if the user says so. */
export const UNTRIED = 'The key could not be tried:';

const nothing = z.strictObject({});

export const keyChannels = {
  'key.state': query(nothing, KeyStateSchema),
  /** Saves a key in place of the one before, and uses it at once. Without `tier`: where the profile keeps its keys. */
  'key.set': intent(
    z.strictObject({
      key: z.string().min(1).max(512),
      tier: KeyTierSchema.optional(),
      passphrase: PassphraseSchema.optional(),
      /** The key before stays unless the service takes this one now: for a change of keys that overlap. */
      accepted: z.boolean().default(false),
    }),
    KeyStateSchema,
  ),
  'key.forget': intent(nothing, KeyStateSchema),
  /** Keeps the profile's keys elsewhere from now on; what is kept moves along. */
  'key.move': intent(z.strictObject({ tier: KeyTierSchema, passphrase: PassphraseSchema.optional() }), KeyStateSchema),
  /** Opens the passphrase vault for this run. */
  'key.unlock': intent(z.strictObject({ passphrase: PassphraseSchema }), KeyStateSchema),
} as const;
