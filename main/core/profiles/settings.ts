// Main, core: the schema of the settings file of a data folder, the same for both shells.
import { z } from 'zod';
import { RetentionSchema } from '../../../shared/channels/archive.ts';
import { KeyTierSchema } from '../../../shared/channels/keys.ts';
import { DEFAULT_LEDGER_RETENTION, LedgerRetentionSchema } from '../../../shared/channels/ledger.ts';
import { MarketScenarioSchema } from '../../../shared/domain/scenarios.ts';
import { DEFAULT_WATCHLIST, WatchlistsSchema, withoutSourceList } from '../../../shared/domain/watchlists.ts';
import { messageOf } from '../../../shared/lib/result.ts';
import { DEFAULT_RULE, GroupingSchema, OutageAlarmSchema } from '../../../shared/settings/alert-rules.ts';
import { ForeignMappingSchema } from '../../../shared/settings/foreign-alerts.ts';
import { OwnPricesSchema, PriceFeedSchema, ProfileNameSchema } from '../../../shared/settings/profiles.ts';
import { StateMapSchema } from '../../../shared/settings/state-map.ts';
import { ZONES } from '../../../shared/text/format.ts';
import { DeskActSchema } from '../../../shared/wire/desk.ts';
import { SymbolSchema, TimestampSchema } from '../../../shared/wire/primitives.ts';
import { migrateSettings, SETTINGS_VERSION } from './settings-migration.ts';
import { parseKnown } from './unknown-keys.ts';

/** The public data of a profile's key: where it is stored, since when, of which environment. */
const KeyRecordSchema = z.strictObject({
  tier: KeyTierSchema,
  saved_at: TimestampSchema.nullable(),
  prefix: z.string().nullable(),
});
export type KeyRecord = z.infer<typeof KeyRecordSchema>;

/** The relay's port and addresses. */
const RelaySettingsSchema = z.strictObject({
  on: z.boolean(),
  /** Requested port; the next free one is used when it is busy. */
  port: z.number().int().min(0).max(65_535),
  /** The service's address for this computer, where the service does not run on it. */
  publicUrl: z.url({ protocol: /^https?$/ }).nullable(),
  /** How alerts of other programs are read; absent until the user changes it. */
  mapping: ForeignMappingSchema.optional(),
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
  /** The live prices from which it computes; absent: none. */
  feed: PriceFeedSchema.optional(),
  /**
   * The scenario of the simulated market of the embedded service; absent, or one of an earlier
   * version: an ordinary market.
   */
  scenario: MarketScenarioSchema.optional().catch(undefined),
  /** The meaning of this service's states; absent: that of the contract. */
  states: StateMapSchema.optional(),
  /** Who this monitor says deals with an alert, shared with the others of its account; absent: nothing is shared. */
  desk: z.strictObject({ by: DeskActSchema.shape.by }).optional(),
  /** Absent until the user changes it: then the relay is on where the service runs on this computer. */
  relay: RelaySettingsSchema.optional(),
  keys: KeyRecordSchema.optional(),
  /**
   * The service at `address`, which proved that it knows the key, or which the user allows without a proof.
   */
  peer: z.strictObject({ address: z.url(), trust: z.enum(['proof', 'user']) }).optional(),
  /** The symbol selected in its windows; absent: that of the settings. */
  selected: SymbolSchema.optional().catch(undefined),
  /**
   * Symbols of its price folder that were in its list: one that the user removed is not added again. Absent: none yet.
   */
  listed: z.array(SymbolSchema).optional().catch(undefined),
  /** When it was first monitored: it has had a ledger since. Absent: never, or by an earlier version. */
  watchedSince: TimestampSchema.optional(),
});
export type Profile = z.infer<typeof ProfileSchema>;

/**
 * Rules are read one by one (`notifications/rule-store.ts`): an invalid rule must not invalidate other rules
 * or this file.
 */
const AlertingSettingsSchema = z.strictObject({
  rules: z.array(z.unknown()).max(500),
  /** Read one by one (`notifications/channel-store.ts`). Absent until the user sets one up. */
  channels: z.array(z.unknown()).max(100).optional(),
  quiet: z.unknown(),
  /** Absent until the user changes it; invalid limits are the default ones. */
  outage: z
    .unknown()
    .transform((value) => parseKnown(OutageAlarmSchema, value).data)
    .optional(),
  /** Absent until the user changes it; an invalid one is the default. */
  grouping: z
    .unknown()
    .transform((value) => parseKnown(GroupingSchema, value).data)
    .optional(),
  /** The zone of times in notifications; absent: the default. */
  zone: z.enum(ZONES).optional().catch(undefined),
});
const DEFAULT_ALERTING: z.infer<typeof AlertingSettingsSchema> = { rules: [DEFAULT_RULE], quiet: null };

const LedgerSettingsSchema = z.strictObject({ retention: LedgerRetentionSchema });
const DEFAULT_LEDGER: z.infer<typeof LedgerSettingsSchema> = { retention: DEFAULT_LEDGER_RETENTION };

/** Behavior of the desktop application. */
const ShellSettingsSchema = z.strictObject({
  /** null: the user has not chosen. */
  closeToTray: z.boolean().nullable(),
  checkForUpdates: z.boolean(),
});
export type ShellSettings = z.infer<typeof ShellSettingsSchema>;

const PresentSettingsSchema = z.strictObject({
  version: z.literal(SETTINGS_VERSION),
  /**
   * Distinguishes the keychain items of this data folder from those of other folders; made with the first
   * item.
   */
  vault: z
    .string()
    .regex(/^[0-9a-f]{12}$/)
    .optional(),
  profiles: z
    .array(ProfileSchema)
    .min(1)
    .refine(
      (profiles) => new Set(profiles.map(({ name }) => name)).size === profiles.length,
      'two profiles must not have the same name',
    ),
  watchlists: WatchlistsSchema,
  /** The symbol selected where a profile has none. */
  selected: SymbolSchema.nullable(),
  /** A file without rules gets the default rule. */
  alerting: AlertingSettingsSchema.default(DEFAULT_ALERTING),
  shell: ShellSettingsSchema.optional(),
  /** Retention of the archive; absent until the user changes it. */
  archive: z.strictObject({ retention: RetentionSchema }).optional(),
  /**
   * Retention of every profile's ledger; absent until the user changes it. An invalid one is the default one.
   */
  ledger: z
    .unknown()
    .transform((value) => parseKnown(LedgerSettingsSchema, value).data ?? DEFAULT_LEDGER)
    .optional(),
});
/** Settings of this version or an older one, without unknown keys. */
export const SettingsSchema = z.preprocess(migrateSettings, PresentSettingsSchema);
export type Settings = z.infer<typeof SettingsSchema>;

export const DEFAULT_SETTINGS: Settings = {
  version: SETTINGS_VERSION,
  profiles: [{ name: 'sandbox', environment: 'sandbox', baseUrl: null, mode: 'auto', enabled: true }],
  watchlists: [DEFAULT_WATCHLIST],
  selected: 'SPY',
  alerting: DEFAULT_ALERTING,
};

/** Removes a profile, and with it the list of its own symbols. */
export const withoutProfile = (settings: Settings, name: string): Settings => ({
  ...settings,
  profiles: settings.profiles.filter((one) => one.name !== name),
  watchlists: withoutSourceList(settings.watchlists, name),
});

/** The result of reading a settings file. */
export type SettingsReading =
  /** `dropped`: values in the watchlists that are no symbols. */
  | {
      readonly status: 'valid';
      readonly settings: Settings;
      readonly dropped: readonly string[];
      /** The file's value under the present names, with its unknown keys. */
      readonly raw: unknown;
      /** The file's value. */
      readonly source: unknown;
      /** The version that the file states. */
      readonly version: number;
    }
  /** `settings`: the values that this version can read; null: not enough for valid settings. */
  | { readonly status: 'newer'; readonly version: number; readonly settings: Settings | null }
  | { readonly status: 'damaged'; readonly why: string };

/** Reads the text of a settings file. Accepts unknown keys, and drops wrong symbols. */
export function readSettings(text: string): SettingsReading {
  let source: unknown;
  try {
    source = JSON.parse(text);
  } catch (error) {
    return { status: 'damaged', why: `not JSON: ${messageOf(error)}` };
  }
  if (isDeeper(source, MAX_LEVELS)) return { status: 'damaged', why: `more than ${MAX_LEVELS} levels deep` };
  const raw = migrateSettings(source);
  const version = versionOf(source);
  const { value, dropped } = withoutWrongSymbols(raw);
  if (version > SETTINGS_VERSION) {
    const { data = null } = parseKnown(SettingsSchema, { ...Object(value), version: SETTINGS_VERSION });
    return { status: 'newer', version, settings: data };
  }
  const parsed = parseKnown(SettingsSchema, value);
  if (parsed.success) return { status: 'valid', settings: parsed.data, dropped, raw, source, version };
  return { status: 'damaged', why: z.prettifyError(parsed.error).replaceAll(/\s*\n\s*/g, ' ') };
}

/** Functions that copy and write values are recursive: a deeper file could overflow the stack. */
const MAX_LEVELS = 100;

const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((part) => isDeeper(part, levels - 1)));

const versionOf = (value: unknown): number =>
  z.object({ version: z.number() }).safeParse(value).data?.version ?? Number.NaN;

const SymbolListsSchema = z.array(
  z.looseObject({ sections: z.array(z.looseObject({ symbols: z.array(z.unknown()) })) }),
);

/** Drops wrong symbols from the watchlists. Leaves any other fault for the validation to report. */
function withoutWrongSymbols(raw: unknown): { readonly value: unknown; readonly dropped: readonly string[] } {
  const dropped: string[] = [];
  const isSymbol = (given: unknown): boolean => {
    const valid = SymbolSchema.safeParse(given).success;
    if (!valid) dropped.push(typeof given === 'string' ? given : JSON.stringify(given));
    return valid;
  };
  const file = z.looseObject({ watchlists: SymbolListsSchema.optional(), selected: z.unknown() }).safeParse(raw).data;
  if (file === undefined) return { value: raw, dropped };
  const { selected = null } = file;
  const watchlists = file.watchlists?.map((list) => ({
    ...list,
    sections: list.sections.map((section) => ({ ...section, symbols: section.symbols.filter(isSymbol) })),
  }));
  return {
    value: { ...file, watchlists, selected: selected === null || isSymbol(selected) ? selected : null },
    dropped,
  };
}
