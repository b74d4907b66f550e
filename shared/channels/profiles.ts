// Pure: the channels about all profiles of a data folder. They are answered behind every window alike, by the application and not by the core of
// one profile; choosing a profile opens its own window, and turns none into another.
import { z } from 'zod';
import { OwnPricesSchema, ProfileNameSchema } from '../settings/profiles.ts';
import { intent, push, query } from './channel.ts';
import { KeyStateSchema, KeyTierSchema, PassphraseSchema } from './keys.ts';

const count = z.number().int().nonnegative();
const nothing = z.strictObject({});
export const ModeSchema = z.enum(['auto', 'api-key', 'bearer', 'proxy']);
const EnvironmentSchema = z.enum(['sandbox', 'production']);

/** Where a profile's signals come from. */
const SourceSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('simulated') }),
  z.strictObject({ kind: z.literal('prices'), ...OwnPricesSchema.shape }),
  z.strictObject({ kind: z.literal('remote'), url: z.string(), mode: ModeSchema }),
]);

export const ProfileEntrySchema = z.strictObject({
  name: z.string(),
  environment: EnvironmentSchema,
  source: SourceSchema,
  enabled: z.boolean(),
  /** connected: watched here. offline: watched, and the service cannot be reached. off: not enabled. elsewhere: another program has it. failed: it could not be opened. opening: not there yet. */
  status: z.enum(['connected', 'offline', 'off', 'elsewhere', 'failed', 'opening']),
  /** Why it is not seen, as text; "" where it is. */
  message: z.string(),
  /** It replays past prices on a set clock. */
  replay: z.boolean(),
  /** How many watched symbols are High Risk there. */
  high: count,
  /** Of a profile that runs here and has a key of its own to keep. */
  key: KeyStateSchema.nullable(),
});
export type ProfileEntry = z.infer<typeof ProfileEntrySchema>;

export const ProfilesSchema = z.strictObject({
  /** The profile of the window that asks. */
  shown: z.string(),
  profiles: z.array(ProfileEntrySchema),
  /** Where keys can be kept on this computer, best first, as text. */
  tiers: z.array(z.strictObject({ tier: KeyTierSchema, label: z.string() })),
  /** none: nobody has chosen a passphrase yet. */
  vault: z.enum(['none', 'locked', 'open']),
});
export type Profiles = z.infer<typeof ProfilesSchema>;

/** One thing that was tried. unknown: nobody could say, and `message` says why. */
export const CheckSchema = z.strictObject({
  of: z.enum(['service', 'key', 'clock', 'stream']),
  outcome: z.enum(['good', 'bad', 'unknown']),
  message: z.string(),
  detail: z.string(),
});
export type Check = z.infer<typeof CheckSchema>;

export const ConnectionTestSchema = z.strictObject({
  /** What `profiles.add` is told instead of the key, which stays behind the window; null where this cannot be added. */
  draft: z.string().nullable(),
  /** A free name. */
  name: z.string(),
  /** Of the key: "svc_live_" or "", and its last four characters; null without a key. */
  prefix: z.string().nullable(),
  ending: z.string().max(4).nullable(),
  checks: z.array(CheckSchema),
});
export type ConnectionTest = z.infer<typeof ConnectionTestSchema>;

const PathSchema = z.string().trim().min(1, 'a path is needed').max(1024);

export const PriceReportSchema = z.strictObject({
  /** The folder as it is used: absolute. */
  folder: z.string(),
  editorial: z.string().nullable(),
  /** Why there can be no profile of it, as text; null where there can. */
  refused: z.string().nullable(),
  /** Which of both folders that is about. */
  refused_at: z.enum(['folder', 'editorial']).nullable(),
  symbols: z.array(z.string()),
  /** First and last session day. */
  from: z.string().nullable(),
  to: z.string().nullable(),
  files: count,
  rows: count,
  used: count,
  /** Line 0 is the whole file. At most PROBLEMS_SHOWN; `more` is how many there are beyond. */
  problems: z.array(z.strictObject({ file: z.string(), line: count, reason: z.string() })),
  more: count,
});
export type PriceReport = z.infer<typeof PriceReportSchema>;
export const PROBLEMS_SHOWN = 200;

export const profileChannels = {
  'profiles.read': query(nothing, ProfilesSchema),
  'profiles.changed': push(ProfilesSchema),
  /** Looks at an address, and tries a key there, before anything is kept. A key of the other environment is refused before a byte is sent. */
  'profiles.test': intent(
    z.strictObject({
      environment: EnvironmentSchema,
      url: z.string().trim().min(1, 'an address is needed').max(2048),
      mode: ModeSchema,
      key: z.string().min(1).max(512).nullable(),
    }),
    ConnectionTestSchema,
  ),
  /** The last thing that is tried: whether the stream says anything. It may take twenty seconds. */
  'profiles.test_stream': intent(z.strictObject({ draft: z.string() }), CheckSchema),
  /** Reads them whole: an intent, since it takes a while and a form waits for it. */
  'profiles.check_prices': intent(
    z.strictObject({ folder: PathSchema, editorial: PathSchema.nullable() }),
    PriceReportSchema,
  ),
  /** Adds a profile, keeps its key, and begins to watch it. Nothing is added unless all of it worked. */
  'profiles.add': intent(
    z.strictObject({
      name: ProfileNameSchema,
      source: z.discriminatedUnion('kind', [
        z.strictObject({
          kind: z.literal('remote'),
          draft: z.string(),
          tier: KeyTierSchema.nullable(),
          passphrase: PassphraseSchema.nullable(),
        }),
        z.strictObject({ kind: z.literal('prices'), ...OwnPricesSchema.shape }),
      ]),
    }),
    z.strictObject({ /** What is worth knowing besides, as text. */ warning: z.string().nullable() }),
  ),
  /** Begins to watch it, or ends that. */
  'profiles.enable': intent(z.strictObject({ name: z.string(), enabled: z.boolean() }), nothing),
  /** Forgets it and its key. `files`: its ledger and archive are deleted too. */
  'profiles.remove': intent(z.strictObject({ name: z.string(), files: z.boolean() }), nothing),
  /** A window of that profile. `address`: a page opens it, once; null where the shell has opened it. */
  'profiles.open': intent(z.strictObject({ name: z.string() }), z.strictObject({ address: z.string().nullable() })),
} as const;
export type ProfileChannels = typeof profileChannels;
