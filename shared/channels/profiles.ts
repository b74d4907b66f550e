// Pure: channels about all profiles of a data folder, answered by the application, not by a core.
// Choosing a profile opens its own window and never turns one window into another.
import { z } from 'zod';
import { APP_FEEDS, KEYED_FEEDS, OPEN_FEEDS } from '../domain/price-feeds.ts';
import { PRICE_FILE_NAME } from '../domain/price-file-names.ts';
import { MarketScenarioSchema } from '../domain/scenarios.ts';
import { OwnPricesSchema, ProfileNameSchema } from '../settings/profiles.ts';
import { StateMapSchema } from '../settings/state-map.ts';
import { MessageSchema } from '../text/message.ts';
import { SymbolSchema } from '../wire/primitives.ts';
import { intent, push, query, slowIntent } from './channel.ts';
import { KeyStateSchema, KeyTierSchema, PassphraseSchema } from './keys.ts';

const count = z.number().int().nonnegative();
const nothing = z.strictObject({});
export const ModeSchema = z.enum(['auto', 'api-key', 'bearer', 'proxy']);
const EnvironmentSchema = z.enum(['sandbox', 'production']);

/** A fault in a price file; line 0 is the whole file. */
const PriceProblemSchema = z.strictObject({ file: z.string(), line: count, reason: z.string() });

/** What the service inside the app found in the folders of own prices since its start. */
export const PriceFolderSchema = z.strictObject({
  /** At most PROBLEMS_SHOWN of each folder; `more` counts the rest. */
  problems: z.array(PriceProblemSchema),
  more: count,
  /** Every symbol of the folder, and those of them that have no signals before the next start of the service. */
  symbols: z.array(z.string()),
  added: z.array(z.string()),
});
export type PriceFolder = z.infer<typeof PriceFolderSchema>;

/** Where a profile's signals come from. */
const SourceSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('simulated'), scenario: MarketScenarioSchema.nullable() }),
  z.strictObject({ kind: z.literal('prices'), ...OwnPricesSchema.shape }),
  z.strictObject({ kind: z.literal('feed'), feed: z.enum(APP_FEEDS) }),
  z.strictObject({
    kind: z.literal('remote'),
    url: z.string(),
    mode: ModeSchema,
    states: StateMapSchema.optional(),
  }),
]);

export const ProfileEntrySchema = z.strictObject({
  name: z.string(),
  environment: EnvironmentSchema,
  source: SourceSchema,
  enabled: z.boolean(),
  /**
   * connected: monitored here. stale: monitored, and no watched symbol has a current price. offline:
   * monitored, but the service cannot be reached. off: not enabled. elsewhere: another program has it.
   * failed: it could not be opened. opening: not ready yet.
   */
  status: z.enum(['connected', 'stale', 'offline', 'off', 'elsewhere', 'failed', 'opening']),
  /** Why it is not connected; null: connected, or the status suffices. */
  message: MessageSchema.nullable(),
  /** It replays past prices on a simulated clock. */
  replay: z.boolean(),
  /** Watched symbols of the profile that are High Risk. */
  high: count,
  /** Of a profile that runs here and stores a key of its own. */
  key: KeyStateSchema.nullable(),
  /** Of own prices that run here. `unwatched`: symbols for which its list has no room. */
  folder: PriceFolderSchema.omit({ symbols: true })
    .extend({ unwatched: z.array(z.string()) })
    .optional(),
});
export type ProfileEntry = z.infer<typeof ProfileEntrySchema>;

export const ProfilesSchema = z.strictObject({
  /** The profile of the window that asks. */
  shown: z.string(),
  profiles: z.array(ProfileEntrySchema),
  /** Key stores of this computer, best first. */
  tiers: z.array(z.strictObject({ tier: KeyTierSchema, label: MessageSchema })),
  /** none: the user has not chosen a passphrase yet. */
  vault: z.enum(['none', 'locked', 'open']),
  /** The worst problem of the data folder's files, a profile that cannot be opened first; null: none. */
  problem: MessageSchema.nullable(),
  /** How far the reading of price files is that this window asked for. */
  reading: MessageSchema.optional(),
});
export type Profiles = z.infer<typeof ProfilesSchema>;

/** One step of a connection test. unknown: no result; `message` has the reason. */
export const CheckSchema = z.strictObject({
  of: z.enum(['service', 'key', 'clock', 'stream', 'feed', 'symbols', 'prices']),
  outcome: z.enum(['good', 'bad', 'unknown']),
  message: MessageSchema,
  detail: MessageSchema.nullable(),
});
export type Check = z.infer<typeof CheckSchema>;

export const ConnectionTestSchema = z.strictObject({
  /**
   * The argument of `profiles.add` in place of the key, which stays behind the window; null where this cannot
   * be added.
   */
  draft: z.string().nullable(),
  /** An unused name. */
  name: z.string(),
  /** Of the key: "svc_live_" or "", and its last four characters; null without a key. */
  prefix: z.string().nullable(),
  ending: z.string().max(4).nullable(),
  checks: z.array(CheckSchema),
});
export type ConnectionTest = z.infer<typeof ConnectionTestSchema>;

const PathSchema = z.string().trim().min(1, 'a path is needed').max(1024);

/** An answer to a question about a price file, which mapping.json keeps beside it. */
export const PriceAnswerSchema = z.strictObject({
  /** The header of the files as the report gives it; for `symbol` the file. */
  of: z.string().min(1).max(2000),
  /** As in mapping.json: symbol, dateFormat, decimal, zone, or columns.close and other columns. */
  setting: z.string().min(1).max(40),
  value: z.string().min(1).max(200),
});
export type PriceAnswer = z.infer<typeof PriceAnswerSchema>;

/** Files of prices that are written alike. */
const PriceFormatSchema = z.strictObject({
  /** The first of them. */
  file: z.string(),
  files: count,
  header: z.string(),
  /** How they are written, as text. */
  found: z.string(),
  /** Rows as they are read: symbol, date, open, high, low, close, volume; or one cell: why not. */
  rows: z.array(z.array(z.string())),
  questions: z.array(
    z.strictObject({
      kind: z.enum(['dateFormat', 'decimal', 'zone', 'columns', 'symbol']),
      /** One clause with an example. */
      what: z.string(),
      /** `means`: what the example is then; empty: nothing to add. */
      choices: z.array(z.strictObject({ value: z.string(), means: z.string() })),
    }),
  ),
});
export type PriceFormat = z.infer<typeof PriceFormatSchema>;

export const PriceReportSchema = z.strictObject({
  /** The resolved absolute folder. */
  folder: z.string(),
  editorial: z.string().nullable(),
  events: z.string().optional(),
  /** Why no profile can use it, as text; null where one can. */
  refused: z.string().nullable(),
  /** The folder that the reason concerns. */
  refused_at: z.enum(['folder', 'editorial', 'events']).nullable(),
  symbols: z.array(z.string()),
  /** First and last session day. */
  from: z.string().nullable(),
  to: z.string().nullable(),
  /** The earliest of the symbols' last session days; `to` is the latest. */
  earliest_end: z.string().nullable(),
  /** The last session day that at least half of the symbols reach. */
  median_end: z.string().nullable(),
  /** Lists of what is due that are used: of the named folder, or of events in the price folder; null: none. */
  due: z.strictObject({ folder: z.string(), files: count, events: count }).nullable(),
  files: count,
  rows: count,
  used: count,
  /** Line 0 is the whole file. At most PROBLEMS_SHOWN; `more` counts the rest. */
  problems: z.array(PriceProblemSchema),
  more: count,
  /** Those with questions first. At most FORMATS_SHOWN. */
  formats: z.array(PriceFormatSchema),
});
export type PriceReport = z.infer<typeof PriceReportSchema>;
export const PROBLEMS_SHOWN = 200;
export const FORMATS_SHOWN = 1_000;

/** Characters of a part of a file, below the limit of a frame. */
export const PART_CHARACTERS = 2 * 1024 * 1024;

export const profileChannels = {
  'profiles.read': query(nothing, ProfilesSchema),
  'profiles.changed': push(ProfilesSchema),
  /**
   * Tests an address and a key before anything is stored. Refuses a key of the other environment before a
   * byte is sent.
   */
  'profiles.test': intent(
    z.strictObject({
      environment: EnvironmentSchema,
      url: z.string().trim().min(1, 'an address is needed').max(2048),
      mode: ModeSchema,
      key: z.string().min(1).max(512).nullable(),
    }),
    ConnectionTestSchema,
  ),
  /** The last step of the test: whether the stream sends anything. It may take twenty seconds. */
  'profiles.test_stream': intent(z.strictObject({ draft: z.string() }), CheckSchema),
  /**
   * Tests a key at the vendor of a feed, its plan, clock, symbols and newest prices, before anything is
   * stored.
   */
  'profiles.test_feed': intent(
    z.strictObject({
      feed: z.enum(KEYED_FEEDS),
      key: z.string().min(1).max(512),
      /** Empty: the vendor's default symbols. */
      symbols: z.array(SymbolSchema).max(500),
    }),
    /** draft: as of `profiles.test`; null where the vendor does not accept the key. */
    z.strictObject({ draft: z.string().nullable(), ending: z.string().max(4), checks: z.array(CheckSchema) }),
  ),
  /** Reads every file. An intent, because it is slow and a form waits for it. */
  'profiles.check_prices': slowIntent(
    z.strictObject({
      folder: PathSchema,
      editorial: PathSchema.nullable(),
      events: PathSchema.optional(),
      /** Answers to questions of a report, which are kept first. */
      answers: z.array(PriceAnswerSchema).max(200).optional(),
    }),
    PriceReportSchema,
  ),
  /** Keeps a part of a price file that a window was given, in a folder of the data folder. */
  'profiles.keep_price_file': slowIntent(
    z.strictObject({
      /** Names the folder: files of the same set lie together. */
      set: z.string().regex(/^[\w-]{1,40}$/),
      name: z.string().max(200).regex(PRICE_FILE_NAME),
      /** Base 64. */
      data: z
        .string()
        .max(PART_CHARACTERS)
        .regex(/^[A-Za-z0-9+/]*={0,2}$/),
      isFirst: z.boolean(),
    }),
    z.strictObject({ folder: z.string() }),
  ),
  /** Adds a profile, stores its key and begins to monitor it. Adds nothing unless every step works. */
  'profiles.add': slowIntent(
    z.strictObject({
      name: ProfileNameSchema,
      source: z.discriminatedUnion('kind', [
        z.strictObject({
          kind: z.literal('remote'),
          draft: z.string(),
          tier: KeyTierSchema.nullable(),
          passphrase: PassphraseSchema.nullable(),
          states: StateMapSchema.optional(),
        }),
        z.strictObject({ kind: z.literal('prices'), ...OwnPricesSchema.shape }),
        z.strictObject({ kind: z.literal('simulated'), scenario: MarketScenarioSchema }),
        z.strictObject({ kind: z.literal('feed'), feed: z.enum(OPEN_FEEDS) }),
        z.strictObject({
          kind: z.literal('keyed_feed'),
          draft: z.string(),
          tier: KeyTierSchema,
          passphrase: PassphraseSchema.nullable(),
        }),
      ]),
    }),
    z.strictObject({ warning: MessageSchema.nullable() }),
  ),
  /** Starts or stops monitoring. */
  'profiles.enable': slowIntent(z.strictObject({ name: z.string(), enabled: z.boolean() }), nothing),
  /** Says what a service's own words and numbers for states mean, beside those that the profile has. */
  'profiles.map_states': intent(z.strictObject({ name: z.string(), states: StateMapSchema }), nothing),
  /** Pauses the replay of this window's profile by the service inside the app, or lets it go on. */
  'profiles.pause': intent(z.strictObject({ paused: z.boolean() }), nothing),
  /** Ends this window's profile and opens it again: its service reads the symbols that were added to its folder. */
  'profiles.restart': intent(nothing, nothing),
  /** Removes it and its key. `files`: deletes its ledger and archive too. */
  'profiles.remove': intent(z.strictObject({ name: z.string(), files: z.boolean() }), nothing),
  /**
   * Opens a window of that profile. `address`: one-time address for a page to open; null: the shell opened
   * it.
   */
  'profiles.open': intent(z.strictObject({ name: z.string() }), z.strictObject({ address: z.string().nullable() })),
} as const;
export type ProfileChannels = typeof profileChannels;
