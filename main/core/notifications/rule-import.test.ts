// Test: what an import of rules saves, and what it says about each rule.
import { describe, expect, test } from 'vitest';
import { DEFAULT_RULE, type Rule, RuleSchema } from '../../../shared/settings/alert-rules.ts';
import { type Named, ruleFileOf } from '../../../shared/settings/rule-file.ts';
import { message, textOf } from '../../../shared/text/message.ts';
import { type ImportContext, planImport } from './rule-import.ts';

const NOW = Date.parse('2026-03-02T15:00:00Z');
const CONTEXT: ImportContext = {
  now: NOW,
  rules: [{ id: DEFAULT_RULE.id, rule: DEFAULT_RULE }],
  lists: [
    { id: 'desk', name: 'Desk list' },
    { id: 'tech-2', name: 'Tech' },
  ],
  channels: [{ id: 'phone', name: 'Phone' }],
  profiles: ['sandbox'],
  priceProblem: () => null,
};
const NIGHT: Rule = { ...DEFAULT_RULE, id: 'night', name: 'Night', min_confidence: 25 };
const TECH = [{ id: 'tech', name: 'Tech' }];
const PAGER = [{ id: 'pager', name: 'Pager' }];

interface ImportCase {
  /** Of the file. */
  readonly lists?: readonly Named[];
  readonly channels?: readonly Named[];
  /** What differs here. */
  readonly here?: Partial<ImportContext>;
}

function imported(rules: readonly unknown[], { lists = TECH, channels = PAGER, here = {} }: ImportCase = {}) {
  const file = { format: 'barograph-rules', version: 1, watchlists: lists, channels, rules };
  return planImport(JSON.stringify(file), { ...CONTEXT, ...here }).map(({ name, rule, notes }) => ({
    name,
    rule,
    notes: notes.map(textOf).join(' '),
  }));
}

test('a rule that works here is imported as it is', () => {
  expect(imported([NIGHT])).toEqual([{ name: 'Night', rule: NIGHT, notes: '' }]);
});

test('every rule that is exported is imported as it was, with each of its fields', () => {
  const full: Rule = {
    ...NIGHT,
    profiles: ['sandbox'],
    scope: { kind: 'lists', ids: ['desk', 'tech-2'] },
    except: ['SPY'],
    classes: ['etf'],
    regimes: ['stress'],
    expires_at: '2026-03-03T15:00:00.000Z',
    hours: { kind: 'daily', zone: 'Europe/Berlin', days: [1, 5], from: '08:00', to: '22:00' },
    channels: ['phone'],
    escalation: { hours: { kind: 'always' }, steps: [{ after_minutes: 5, channels: ['phone'] }] },
    sound: { name: 'bell', repeat_seconds: 30 },
  };
  expect(RuleSchema.parse(full)).toEqual(full);
  const { lists, channels } = CONTEXT;
  const file = ruleFileOf([full], lists, channels);
  expect(file).toMatchObject({ watchlists: lists, channels });
  expect(planImport(JSON.stringify(file), CONTEXT)).toEqual([{ name: 'Night', rule: full, notes: [] }]);
});

test('a rule that is here already is not imported again, also if it was disabled since', () => {
  const here = [{ id: 'mine', rule: { ...NIGHT, id: 'mine', enabled: false } }];
  expect(imported([NIGHT], { here: { rules: here } })).toEqual([
    { name: 'Night', rule: null, notes: 'It is already here, as mine.' },
  ]);
  expect(imported([NIGHT, NIGHT]).map(({ rule }) => rule?.id)).toEqual(['night', undefined]);
});

test('an id that is taken, here or in the file, gets a fresh one from the name', () => {
  const rules = [
    { ...NIGHT, id: DEFAULT_RULE.id },
    { ...NIGHT, min_confidence: 30 },
  ];
  const found = imported(rules, { here: { rules: [...CONTEXT.rules, { id: 'broken-1', rule: null }] } });
  expect(found.map(({ rule, notes }) => [rule?.id, notes])).toEqual([
    ['night', 'The id high-risk is taken. Its id is night.'],
    ['night-2', 'The id night is taken. Its id is night-2.'],
  ]);
});

describe('watchlists', () => {
  const ofLists = (...ids: string[]): Rule => ({ ...NIGHT, scope: { kind: 'lists', ids } });

  test('watchlists are found by their name where the id is another one', () => {
    expect(imported([ofLists('tech')])[0]).toMatchObject({ rule: { scope: { ids: ['tech-2'] } }, notes: '' });
  });
  test('watchlists of the same id with another name are used, and asked about', () => {
    const [found] = imported([ofLists('desk')], { lists: [{ id: 'desk', name: 'Bonds' }] });
    expect(found?.rule?.scope).toEqual({ kind: 'lists', ids: ['desk'] });
    expect(found?.notes).toBe(
      'The watchlist desk is called Desk list here and Bonds in the file. Check that it is the right one.',
    );
  });
  test('the watchlist of a share is found by its name too, and without it the rule is left out', () => {
    const ofShare = (list: string): Rule => ({
      ...NIGHT,
      events: ['breadth.crossed'],
      min_state: 0,
      min_confidence: null,
      breadth: { list, percent: 30, state: 2 },
    });
    const [some, none] = imported([ofShare('tech'), ofShare('gold')]);
    expect(some).toMatchObject({ rule: { breadth: { list: 'tech-2' } }, notes: '' });
    expect(none).toMatchObject({ rule: null, notes: expect.stringContaining('gold is not here') });
    expect(ruleFileOf([ofShare('tech')], TECH, []).watchlists).toEqual(TECH);
  });
  test('a rule keeps the watchlists that are here, and is left out where none is', () => {
    const [some, none] = imported([ofLists('tech', 'gold'), ofLists('gold')]);
    expect(some).toMatchObject({ rule: { scope: { ids: ['tech-2'] } } });
    expect(some?.notes).toBe(
      'It covers the other lists only: gold is not here. Add a list of that name, then choose it in the rule.',
    );
    expect(none).toEqual({
      name: 'Night',
      rule: null,
      notes: 'The watchlist gold is not here. Add a list of that name, then import it again.',
    });
  });
});

test('channels that are not here are left out of the rule and of its escalation, by name', () => {
  const steps = [
    { after_minutes: 2, channels: ['pager'] },
    { after_minutes: 5, channels: ['pager', 'phone'] },
  ];
  const rule = { ...NIGHT, channels: ['pager', 'phone'], escalation: { hours: { kind: 'always' }, steps } };
  const [found] = imported([rule]);
  expect(found?.rule).toMatchObject({
    channels: ['phone'],
    escalation: { steps: [{ after_minutes: 5, channels: ['phone'] }] },
  });
  expect(found?.notes).toBe(
    'Without Pager, not set up here. Set it up in Settings, Channels, then add it to the rule.',
  );
});

test('a rule of profiles that are not here applies in every profile, and says so', () => {
  const [none, some] = imported([
    { ...NIGHT, profiles: ['desk'] },
    { ...NIGHT, profiles: ['desk', 'sandbox'] },
  ]);
  expect(none?.rule?.profiles).toBeNull();
  expect(none?.notes).toContain('it applies in every profile');
  expect(some?.rule?.profiles).toEqual(['desk', 'sandbox']);
  expect(some?.notes).toContain('The profile desk is not here.');
});

describe('a rule that can never notify', () => {
  const why = (rule: Rule, context: Partial<ImportContext> = {}) => {
    const [found] = imported([rule], { here: context });
    expect(found?.rule?.enabled).toBe(false);
    return found?.notes;
  };
  test('a rule whose conditions exclude each other is imported as disabled', () => {
    expect(why({ ...NIGHT, events: ['signal.elevated'] })).toMatch(/^Disabled: It would never notify of “Elevated”/);
  });
  test('a rule that has ended is imported as disabled', () => {
    expect(why({ ...NIGHT, expires_at: '2026-03-02T15:00:00.000Z' })).toMatch(/^Disabled: It ended at 2026-03-02/);
  });
  test('a rule none of whose symbols has a price is imported as disabled', () => {
    const priceProblem = () => message('rule.no_prices', { unwatched: 'GLD', unpriced: '' });
    expect(why(NIGHT, { priceProblem })).toMatch(/^Disabled: It would never notify: GLD is in no watchlist/);
  });
});

test('an invalid rule is left out with its first wrong field, and the others are imported', () => {
  const found = imported([{ ...NIGHT, min_confidence: 200 }, { ...NIGHT, until: 1 }, 7, NIGHT]);
  expect(found.map(({ name, rule }) => [name, rule?.id])).toEqual([
    ['Night', undefined],
    ['Night', undefined],
    [null, undefined],
    ['Night', 'night'],
  ]);
  expect(found[0]?.notes).toMatch(/^min_confidence .*Correct it in the file, then import it again\.$/);
  expect(found[1]?.notes).toBe(
    'This version of Barograph does not know until. Update Barograph, or remove that from the file.',
  );
});

test.each([
  ['{', 'it is not JSON'],
  ['[]', 'it lacks "format"'],
  ['{"format":"barograph-rules","version":1}', 'rules: '],
  ['{"format":"barograph-rules","version":2,"rules":[]}', 'A newer version of Barograph wrote this file'],
])('the text %s is refused as a whole', (text, why) => {
  expect(() => planImport(text, CONTEXT)).toThrow(why);
});
