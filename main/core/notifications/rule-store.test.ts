// Test: rules and quiet hours keep the unknown keys of the file when they are changed.
import { expect, test } from 'vitest';
import { DEFAULT_RULE, type QuietHours } from '../../../shared/settings/alert-rules.ts';
import { withTexts } from '../../../test/harness/message-texts.ts';
import { DEFAULT_SETTINGS, readSettings, type Settings } from '../profiles/settings.ts';
import { createRuleStore } from './rule-store.ts';

test('quiet hours and rules that are changed keep their unknown keys; those that were removed do not come back', () => {
  const hours = { kind: 'session', calendar: 'own' } as const;
  const [rule] = DEFAULT_SETTINGS.alerting.rules as [{ name: string }];
  let settings: Settings = {
    ...DEFAULT_SETTINGS,
    alerting: {
      rules: [{ ...rule, color: 'red' }],
      quiet: { when: 'inside', hours: { ...hours, shade: 1 }, later: 2 },
    },
  };
  const store = createRuleStore({
    read: () => settings,
    change: (job) => {
      settings = job(settings);
    },
  });
  const outside: QuietHours = { when: 'outside', hours };
  store.setQuiet(outside);
  expect(settings.alerting.quiet).toEqual({ when: 'outside', hours: { ...hours, shade: 1 }, later: 2 });
  expect(store.quiet()).toEqual(outside);
  const [known] = store.rules();
  if (known === undefined) throw new Error('no rule');
  store.save({ ...known, name: 'Other' });
  expect(settings.alerting.rules).toEqual([{ ...rule, name: 'Other', color: 'red' }]);
  store.setQuiet(null);
  store.setQuiet(outside);
  expect(settings.alerting.quiet).toEqual(outside);
});

test('an enabled rule whose conditions exclude each other is refused; one of an earlier version is a problem', () => {
  const never = { ...DEFAULT_RULE, events: ['signal.elevated' as const], min_state: 2 as const };
  let settings: Settings = { ...DEFAULT_SETTINGS, alerting: { rules: [never], quiet: null } };
  const store = createRuleStore({
    read: () => settings,
    change: (job) => {
      settings = job(settings);
    },
  });
  const why = 'It would never notify of “Elevated”, which is below High Risk.';
  expect(() => store.save(never)).toThrow(why);
  // One dead event is refused too; where an earlier version saved it, the others still notify.
  expect(() => store.save({ ...never, events: ['signal.elevated', 'signal.high_risk'] })).toThrow(why);
  expect(withTexts(store.views(0))[0].problem).toContain(why);
  store.save({ ...never, enabled: false });
  expect(store.views(0)[0]?.problem).toBeNull();
});

test('the time zone is stored beside rules; an unknown zone is ignored', () => {
  const unknown = { rules: [DEFAULT_RULE], quiet: null, zone: 'mars' };
  const read = readSettings(JSON.stringify({ ...DEFAULT_SETTINGS, alerting: unknown }));
  if (read.status !== 'valid') throw new Error(read.status);
  let { settings } = read;
  const store = createRuleStore({
    read: () => settings,
    change: (job) => {
      settings = job(settings);
    },
  });
  expect([store.zone(), store.rules().length]).toEqual([null, 1]);
  store.setZone('utc');
  expect([store.zone(), settings.alerting.zone]).toEqual(['utc', 'utc']);
});

test('a rule of removed profiles only is a problem, and cannot be saved; one existing profile is enough', () => {
  const one = { ...DEFAULT_RULE, profiles: ['sandbox', 'gone'] };
  const none = { ...DEFAULT_RULE, id: 'none', profiles: ['gone'] };
  let settings: Settings = { ...DEFAULT_SETTINGS, alerting: { rules: [one, none], quiet: null } };
  const store = createRuleStore({
    read: () => settings,
    change: (job) => {
      settings = job(settings);
    },
  });
  const problems: string[] = withTexts(store.views(0)).map((view: { problem: string }) => view.problem);
  expect(problems).toEqual([
    null,
    'It applies in gone only, which was removed. Choose another profile, or delete the rule.',
  ]);
  expect(() => store.save(none)).toThrow('There is no profile gone.');
  store.save({ ...one, name: 'Other' });
  expect(store.get('high-risk')?.name).toBe('Other');
});
