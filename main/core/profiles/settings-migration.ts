// Main, core: migrates an older settings file to the current version, before it is validated.

export const SETTINGS_VERSION = 3;

type JsonObject = Readonly<Record<string, unknown>>;

/** Migrates settings of an older version, and returns any other value unchanged for the validation. */
export function migrateSettings(value: unknown): unknown {
  if (!isObject(value)) return value;
  if (value.version === 1) return toVersion3(toVersion2(value));
  return value.version === 2 ? toVersion3(value) : value;
}

/** Version 2 renames alerting.blind, the `outlet` of rules, and shell.lookForUpdates. */
function toVersion2(settings: JsonObject): JsonObject {
  const { alerting, shell } = settings;
  return {
    ...settings,
    version: 2,
    ...(isObject(alerting) && { alerting: alertingToVersion2(alerting) }),
    ...(isObject(shell) && { shell: renameKey(shell, 'lookForUpdates', 'checkForUpdates') }),
  };
}

function alertingToVersion2(alerting: JsonObject): JsonObject {
  const renamed = renameKey(alerting, 'blind', 'outage');
  const { rules } = renamed;
  return Array.isArray(rules) ? { ...renamed, rules: rules.map(ruleToVersion2) } : renamed;
}

/** Invalid rules are migrated too: the user may repair them by hand. */
const ruleToVersion2 = (rule: unknown): unknown => (isObject(rule) ? renameKey(rule, 'outlet', 'channel') : rule);

/**
 * Version 3 sets channels up once, and rules name them. The channel of a rule gets the rule's id, under which the
 * ledger has its notifications and the keychain its secret.
 */
function toVersion3(settings: JsonObject): JsonObject {
  const { alerting } = settings;
  if (!isObject(alerting) || !Array.isArray(alerting.rules)) return { ...settings, version: 3 };
  const channels = alerting.rules.flatMap(channelOfRule);
  const rules = alerting.rules.map((rule) => (isObject(rule) ? ruleToVersion3(rule) : rule));
  return {
    ...settings,
    version: 3,
    alerting: { ...alerting, rules, ...(channels.length > 0 && { channels }) },
  };
}

function channelOfRule(rule: unknown): JsonObject[] {
  if (!isObject(rule) || !isObject(rule.channel)) return [];
  return [{ id: rule.id, name: String(rule.name ?? rule.id).slice(0, 60), destination: rule.channel }];
}

function ruleToVersion3(rule: JsonObject): JsonObject {
  const channels = channelOfRule(rule).map(({ id }) => id);
  const renamed = renameKey(rule, 'channel', 'channels');
  return 'channel' in rule && !('channels' in rule) ? { ...renamed, channels } : rule;
}

/** Keeps the order of keys: people read the file. A key that already has its new name wins. */
function renameKey(object: JsonObject, from: string, to: string): JsonObject {
  if (!(from in object) || to in object) return object;
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key === from ? to : key, value]));
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
