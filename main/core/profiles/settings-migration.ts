// Main, core: migrates an older settings file to the current version, before it is validated.

export const SETTINGS_VERSION = 2;

type JsonObject = Readonly<Record<string, unknown>>;

/** Migrates settings of an older version, and returns any other value unchanged for the validation. */
export function migrateSettings(value: unknown): unknown {
  return isObject(value) && value.version === 1 ? toVersion2(value) : value;
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

/** Keeps the order of keys: people read the file. A key that already has its new name wins. */
function renameKey(object: JsonObject, from: string, to: string): JsonObject {
  if (!(from in object) || to in object) return object;
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key === from ? to : key, value]));
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
