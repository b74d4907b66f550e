// Test: settings files of older versions keep their values under the current names.
import { expect, test } from 'vitest';
import { DEFAULT_RULE, RuleSchema } from '../../../shared/settings/alert-rules.ts';
import { DEFAULT_SETTINGS, readSettings, SettingsSchema } from './settings.ts';
import { migrateSettings } from './settings-migration.ts';

const { channels: _, escalation: __, ...ruleWithoutChannel } = DEFAULT_RULE;
const ntfy = { kind: 'ntfy', url: 'https://ntfy.sh/desk' };
const outage = { market_minutes: 3, other_minutes: 45 };
const version1 = {
  version: 1,
  vault: '60eeeff48107',
  profiles: [
    { name: 'remote', environment: 'sandbox', baseUrl: 'http://127.0.0.1:45901', mode: 'auto', enabled: true },
  ],
  watchlists: DEFAULT_SETTINGS.watchlists,
  selected: 'SPY',
  alerting: {
    rules: [
      { ...ruleWithoutChannel, outlet: null },
      { ...ruleWithoutChannel, id: 'desk', outlet: ntfy },
      { id: 'damaged', outlet: ntfy },
      'no rule at all',
    ],
    quiet: null,
    blind: outage,
  },
  shell: { closeToTray: true, lookForUpdates: true },
  archive: { retention: { briefings: 365, news: 30 } },
};

test('version 1: every value is kept, under its current name', () => {
  const settings = SettingsSchema.parse(version1);
  expect(settings).toEqual({
    ...version1,
    version: 3,
    alerting: {
      rules: [
        { ...ruleWithoutChannel, channels: [] },
        { ...ruleWithoutChannel, id: 'desk', channels: ['desk'] },
        { id: 'damaged', channels: ['damaged'] },
        'no rule at all',
      ],
      // Under the rule's id: the ledger and the keychain know the channel by it.
      channels: [
        { id: 'desk', name: DEFAULT_RULE.name, destination: ntfy },
        { id: 'damaged', name: 'damaged', destination: ntfy },
      ],
      quiet: null,
      outage,
    },
    shell: { closeToTray: true, checkForUpdates: true },
  });
  expect(settings.alerting.rules.slice(0, 2).map((rule) => RuleSchema.safeParse(rule).success)).toEqual([true, true]);
});

test('version 1 without later settings: the defaults apply', () => {
  const { alerting: _alerting, shell: _shell, archive: _archive, ...first } = version1;
  expect(SettingsSchema.parse(first)).toEqual({ ...first, version: 3, alerting: DEFAULT_SETTINGS.alerting });
});

test('settings of the current version or a newer one, or no settings at all, do not change', () => {
  for (const value of [DEFAULT_SETTINGS, { version: 4, alerting: { blind: outage } }, null, 'text', [version1]])
    expect(migrateSettings(value)).toBe(value);
  expect(SettingsSchema.parse(DEFAULT_SETTINGS)).toEqual(DEFAULT_SETTINGS);
  expect(SettingsSchema.safeParse({ ...DEFAULT_SETTINGS, version: 4 }).success).toBe(false);
});

test('the keys keep their order', () => {
  const { alerting } = SettingsSchema.parse(version1);
  const { outlet: ___, ...others } = version1.alerting.rules[1] as { outlet: unknown };
  expect(Object.keys(alerting.rules[1] as object)).toEqual([...Object.keys(others), 'channels']);
});

test('a version 1 with an unknown key is read without it', () => {
  const extended = { ...version1, shell: { ...version1.shell, extra: 1 } };
  expect(readSettings(JSON.stringify(extended))).toMatchObject({
    status: 'valid',
    settings: { shell: { closeToTray: true, checkForUpdates: true } },
    raw: { shell: { extra: 1 } },
  });
});
