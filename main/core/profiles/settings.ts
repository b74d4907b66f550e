// Main, core: the schema of the settings file of a data folder, the same for both shells.
import { z } from 'zod';
import { RetentionSchema } from '../../../shared/channels/archive.ts';
import { KeyTierSchema } from '../../../shared/channels/keys.ts';
import { DEFAULT_WATCHLIST, WatchlistsSchema } from '../../../shared/domain/watchlists.ts';
import { DEFAULT_RULE, OutageAlarmSchema } from '../../../shared/settings/alert-rules.ts';
import { OwnPricesSchema, ProfileNameSchema } from '../../../shared/settings/profiles.ts';
import { SymbolSchema, TimestampSchema } from '../../../shared/wire/primitives.ts';
import { migrateSettings, SETTINGS_VERSION } from './settings-migration.ts';

/** The public data of a profile's key: where it is stored, since when, of which environment. */
const KeyRecordSchema = z.strictObject({
  tier: KeyTierSchema,
  saved_at: TimestampSchema.nullable(),
  prefix: z.string().nullable(),
});
export type KeyRecord = z.infer<typeof KeyRecordSchema>;

/** The relay's port and public address. */
const RelaySettingsSchema = z.strictObject({
  on: z.boolean(),
  /** Requested port; the next free one is used when it is busy. */
  port: z.number().int().min(0).max(65_535),
  /** The service's address for this computer, where the service does not run on it. */
  publicUrl: z.url({ protocol: /^https?$/ }).nullable(),
});
export type RelaySettings = z.infer<typeof RelaySettingsSchema>;

/** A service that Barograph watches. Every enabled profile has its own core, ledger and key. */
export const ProfileSchema = z.strictObject({
  name: ProfileNameSchema,
  environment: z.enum(['sandbox', 'production']),
  /** null: the service embedded in this app. */
  baseUrl: z.url({ protocol: /^https?$/ }).nullable(),
  mode: z.enum(['auto', 'api-key', 'bearer', 'proxy']),
  enabled: z.boolean(),
  /** The prices from which the service embedded in this app computes; absent: a simulated market. */
  prices: OwnPricesSchema.optional(),
  /** Absent until the user changes it: then the relay is on where the service runs on this computer. */
  relay: RelaySettingsSchema.optional(),
  keys: KeyRecordSchema.optional(),
});
export type Profile = z.infer<typeof ProfileSchema>;

/**
 * Rules are read one by one (`notifications/rule-store.ts`): an invalid one must not invalidate the others,
 * or this file.
 */
const AlertingSettingsSchema = z.strictObject({
  rules: z.array(z.unknown()).max(500),
  quiet: z.unknown(),
  /** Absent until the user changes it. */
  outage: OutageAlarmSchema.optional().catch(undefined),
});
const DEFAULT_ALERTING: z.infer<typeof AlertingSettingsSchema> = { rules: [DEFAULT_RULE], quiet: null };

/** Behavior of the desktop application. */
const ShellSettingsSchema = z.strictObject({
  /** null: the user was never asked. */
  closeToTray: z.boolean().nullable(),
  checkForUpdates: z.boolean(),
});
export type ShellSettings = z.infer<typeof ShellSettingsSchema>;

const PresentSettingsSchema = z.strictObject({
  version: z.literal(SETTINGS_VERSION),
  /**
   * Distinguishes the keychain items of this data folder from those of others; made when the first one is
   * stored.
   */
  vault: z
    .string()
    .regex(/^[0-9a-f]{12}$/)
    .optional(),
  profiles: z.array(ProfileSchema).min(1),
  watchlists: WatchlistsSchema,
  selected: SymbolSchema.nullable(),
  /** A file without rules gets the default rule. */
  alerting: AlertingSettingsSchema.default(DEFAULT_ALERTING),
  shell: ShellSettingsSchema.optional(),
  /** Retention of the archive; absent until the user changes it. */
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
