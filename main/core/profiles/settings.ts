// Main, core: what the settings file of a data folder holds. One format for both shells.
import { z } from 'zod';
import { RetentionSchema } from '../../../shared/channels/archive.ts';
import { KeyTierSchema } from '../../../shared/channels/keys.ts';
import { DEFAULT_WATCHLIST, WatchlistsSchema } from '../../../shared/domain/watchlists.ts';
import { DEFAULT_RULE, OutageAlarmSchema } from '../../../shared/settings/alert-rules.ts';
import { OwnPricesSchema, ProfileNameSchema } from '../../../shared/settings/profiles.ts';
import { SymbolSchema, TimestampSchema } from '../../../shared/wire/primitives.ts';
import { migrateSettings, SETTINGS_VERSION } from './settings-migration.ts';

/** What is known of a profile's key without asking for it: where it is kept, since when, of which environment. None of it is secret. */
const KeyRecordSchema = z.strictObject({
  tier: KeyTierSchema,
  saved_at: TimestampSchema.nullable(),
  prefix: z.string().nullable(),
});
export type KeyRecord = z.infer<typeof KeyRecordSchema>;

/** Where webhooks come in. */
const RelaySettingsSchema = z.strictObject({
  on: z.boolean(),
  /** Wanted; the next free one is taken when it is busy. */
  port: z.number().int().min(0).max(65_535),
  /** What the service reaches this computer by, where it does not run on it. */
  publicUrl: z.url({ protocol: /^https?$/ }).nullable(),
});
export type RelaySettings = z.infer<typeof RelaySettingsSchema>;

/** A service that Barograph listens to, and how. Every enabled profile has its own core, ledger and key. */
export const ProfileSchema = z.strictObject({
  name: ProfileNameSchema,
  environment: z.enum(['sandbox', 'production']),
  /** null: the service embedded in this app. */
  baseUrl: z.url({ protocol: /^https?$/ }).nullable(),
  mode: z.enum(['auto', 'api-key', 'bearer', 'proxy']),
  enabled: z.boolean(),
  /** The prices from which the service embedded in this app computes; absent: a simulated market. */
  prices: OwnPricesSchema.optional(),
  /** Absent until the user changed it: then it is on where the service runs on this computer. */
  relay: RelaySettingsSchema.optional(),
  keys: KeyRecordSchema.optional(),
});
export type Profile = z.infer<typeof ProfileSchema>;

/** Rules are read one by one (`alerts/rule-store.ts`): one that is broken must not take the others, or this file, with it. */
const AlertingSettingsSchema = z.strictObject({
  rules: z.array(z.unknown()).max(500),
  quiet: z.unknown(),
  /** Absent until the user changed it. */
  outage: OutageAlarmSchema.optional().catch(undefined),
});
const DEFAULT_ALERTING: z.infer<typeof AlertingSettingsSchema> = { rules: [DEFAULT_RULE], quiet: null };

/** How the desktop application behaves. */
const ShellSettingsSchema = z.strictObject({
  /** null: the user was never asked. */
  closeToTray: z.boolean().nullable(),
  checkForUpdates: z.boolean(),
});
export type ShellSettings = z.infer<typeof ShellSettingsSchema>;

const PresentSettingsSchema = z.strictObject({
  version: z.literal(SETTINGS_VERSION),
  /** Tells the keychain items of this data folder from those of others; made when the first one is stored. */
  vault: z
    .string()
    .regex(/^[0-9a-f]{12}$/)
    .optional(),
  profiles: z.array(ProfileSchema).min(1),
  watchlists: WatchlistsSchema,
  selected: SymbolSchema.nullable(),
  /** A file from before there were rules has the one rule of that time. */
  alerting: AlertingSettingsSchema.default(DEFAULT_ALERTING),
  shell: ShellSettingsSchema.optional(),
  /** How long the archive keeps what; absent until the user changed it. */
  archive: z.strictObject({ retention: RetentionSchema }).optional(),
});
/** Reads a settings file of this version or an older one. */
export const SettingsSchema = z.preprocess(migrateSettings, PresentSettingsSchema);
export type Settings = z.infer<typeof SettingsSchema>;

export const DEFAULT_SETTINGS: Settings = {
  version: SETTINGS_VERSION,
  profiles: [{ name: 'sandbox', environment: 'sandbox', baseUrl: null, mode: 'auto', enabled: true }],
  watchlists: [DEFAULT_WATCHLIST],
  selected: 'SPY',
  alerting: DEFAULT_ALERTING,
};
