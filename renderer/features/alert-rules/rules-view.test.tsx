// Test: the list of rules and their editor.
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import type { RuleBacktest } from '../../../shared/channels/alerting.ts';
import { DEFAULT_RULE } from '../../../shared/settings/alert-rules.ts';
import { plainMessage } from '../../../shared/text/message.ts';
import { alerting, profiles } from '../../../test/fixtures/feature-fixtures.ts';
import { type CoreHandlers, refuse, renderInWindow } from '../../../test/harness/window.tsx';
import { useApp } from '../../store/store.ts';
import { ruleEdit } from './rule-edit.ts';
import { RulesView } from './rules-view.tsx';

const HIGH = 'High Risk of a watched symbol';
const press = (name: string | RegExp) => screen.getByRole('button', { name });
const field = (name: string | RegExp) => screen.getByRole<HTMLInputElement>('textbox', { name });
const alerts = () => screen.queryAllByRole('alert').map((each) => each.textContent);
const editor = () => screen.queryByRole('complementary');

function Rules() {
  const state = useApp(({ features }) => features.alerting);
  return state === null ? null : <RulesView alerting={state} />;
}

async function open(handlers: CoreHandlers = {}) {
  const rig = await renderInWindow(<Rules />, {
    'alerting.read': () => alerting(),
    'rules.save': () => ({}),
    'rules.delete': () => ({}),
    ...handlers,
  });
  const type = async (name: string | RegExp, text: string): Promise<void> => {
    await rig.user.clear(field(name));
    await rig.user.type(field(name), text);
  };
  return { ...rig, type };
}

async function openNew(handlers?: CoreHandlers) {
  const rig = await open(handlers);
  await rig.user.click(press('Add rule'));
  await waitFor(() => expect(document.activeElement).toBe(field('Name')));
  return rig;
}

beforeEach(() => ruleEdit.close());

test('a new rule is saved with a new id, then has unsaved changes only after the next edit', async () => {
  const { user, calls, type } = await openNew();
  await type('Name', 'Night watch');
  await user.click(press('Save rule'));
  expect(await screen.findByText('Saved.')).toBeDefined();
  expect(calls).toMatchObject([{ name: 'rules.save', input: { rule: { id: 'night-watch', name: 'Night watch' } } }]);
  await user.keyboard('{Escape}');
  await waitFor(() => expect(editor()).toBeNull());
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('beside another profile a rule can be limited to profiles, and the list says so', async () => {
  const two = profiles();
  const [first] = two.profiles;
  if (first === undefined) throw new Error('no profile');
  const limited = { ...DEFAULT_RULE, profiles: ['old'] };
  const { user, calls } = await open({
    'profiles.read': () => ({ ...two, profiles: [first, { ...first, name: 'replay20' }] }),
    'alerting.read': () => alerting({ rules: [{ rule: limited, id: limited.id, problem: null }] }),
  });
  expect(screen.getByText(/only in old/)).toBeDefined();
  await user.click(press(`Edit ${HIGH}`));
  const group = within(await screen.findByRole('group', { name: 'In these profiles (none chosen: all)' }));
  await user.click(await group.findByRole('checkbox', { name: 'replay20' }));
  await user.click(group.getByRole('checkbox', { name: 'old (removed)' }));
  await user.click(press('Save rule'));
  await waitFor(() =>
    expect(calls).toMatchObject([{ name: 'rules.save', input: { rule: { profiles: ['replay20'] } } }]),
  );
});

test('an invalid rule is refused at its fields, with their number; the first of them has the focus', async () => {
  const { user, calls, type } = await openNew();
  await type('Chance, at least', 'high');
  await type('A rise must hold, s', '1.5');
  await user.click(press('Save rule'));
  await waitFor(() => expect(alerts().length).toBe(3));
  expect(alerts()).toEqual([
    'Enter a name of 1 to 80 characters.',
    'A percentage from 0 to 100, like 25, or nothing.',
    'Whole seconds from 0 to 3600.',
  ]);
  expect(screen.getByText('3 fields need fixing.').getAttribute('role')).toBe('status');
  await waitFor(() => expect(document.activeElement).toBe(field('Name')));
  await type('Name', 'Night');
  await waitFor(() => expect(alerts().length).toBe(2));
  expect(screen.queryByText(/need mending/)).toBeNull();
  expect(calls).toEqual([]);
});

test('a field shows its error on blur, and not before', async () => {
  const { user, type } = await openNew();
  await type('Name', 'Night watch');
  await type('Chance, at least', '101');
  expect(alerts()).toEqual([]);
  await user.tab();
  await waitFor(() => expect(alerts()).toEqual(['A percentage from 0 to 100, like 25, or nothing.']));
});

test('hours of the day are refused at each of their fields', { tags: ['long'] }, async () => {
  const { user, calls, type } = await openNew();
  await type('Name', 'Night watch');
  await user.click(press('At times of day'));
  await type('From', '9');
  for (const day of ['Mon', 'Tue', 'Wed', 'Thu', 'Fri']) await user.click(screen.getByRole('checkbox', { name: day }));
  await user.click(press('Save rule'));
  await waitFor(() => expect(alerts()).toEqual(['Choose at least one day.', 'A time of day, like 09:30.']));
  expect(screen.getByText('2 fields need fixing.')).toBeDefined();
  expect(calls).toEqual([]);
});

test('a rule names channels, and escalates to others while nobody has dealt with the alert', {
  tags: ['long'],
}, async () => {
  const channelsOf = (...names: string[]) =>
    names.map((name) => ({
      id: name.toLowerCase(),
      channel: { id: name.toLowerCase(), name, destination: { kind: 'slack' } as const },
      problem: null,
    }));
  const { user, calls, type } = await openNew({
    'alerting.read': () => alerting({ channels: channelsOf('Phone', 'Desk') }),
  });
  await type('Name', 'Night watch');
  await user.click(
    within(screen.getByRole('group', { name: 'Besides the desktop' })).getByRole('checkbox', { name: 'Desk' }),
  );
  await user.click(press('Add a step'));
  // What is proposed can be saved.
  const phone = within(screen.getByRole('group', { name: 'Step 1 goes to' })).getByRole<HTMLInputElement>('checkbox', {
    name: 'Phone',
  });
  expect([
    screen.getByRole<HTMLInputElement>('textbox', { name: 'Step 1, after minutes' }).value,
    phone.checked,
  ]).toEqual(['15', true]);
  expect(alerts()).toEqual([]);
  await type('Step 1, after minutes', '5');
  await user.click(phone);
  await user.click(press('Save rule'));
  await waitFor(() => expect(alerts()).toEqual(['Choose at least one channel.']));
  await user.click(phone);
  await user.click(press('Save rule'));
  await screen.findByText('Saved.');
  const escalation = { hours: { kind: 'always' }, steps: [{ after_minutes: 5, channels: ['phone'] }] };
  expect(calls).toMatchObject([{ name: 'rules.save', input: { rule: { channels: ['desk'], escalation } } }]);
});

test('a rule shows the names of its channels, and says which is gone', async () => {
  const named = { ...DEFAULT_RULE, channels: ['gone'] };
  const { user } = await open({
    'alerting.read': () => alerting({ rules: [{ rule: named, id: named.id, problem: null }] }),
  });
  expect(screen.getByText('Desktop, gone')).toBeDefined();
  await user.click(press(`Edit ${HIGH}`));
  expect(await screen.findByRole('checkbox', { name: 'gone (removed)' })).toBeDefined();
});

test('a rule that the core refuses says why, and stays in the editor with its unsaved changes', {
  tags: ['long'],
}, async () => {
  const { user, type } = await openNew({ 'rules.save': () => refuse('The disk is full.') });
  await type('Name', 'Night watch');
  await user.click(press('Save rule'));
  expect(await screen.findByText('The disk is full.')).toBeDefined();
  await user.keyboard('{Escape}');
  expect(await screen.findByRole('dialog')).toBeDefined();
});

test('leaving unsaved changes asks: Cancel stays, the other closes', { tags: ['long'] }, async () => {
  const { user, calls, type } = await openNew();
  await type('Name', 'Night watch');
  await user.keyboard('{Escape}');
  const dialog = screen.getByRole('dialog', { name: 'Discard changes to the new rule?' });
  await user.click(within(dialog).getByRole('button', { name: 'Cancel' }));
  expect(field('Name').value).toBe('Night watch');
  expect(document.activeElement).toBe(field('Name'));
  await user.keyboard('{Escape}');
  await user.click(press('Discard changes'));
  await waitFor(() => expect(editor()).toBeNull());
  expect(calls).toEqual([]);
});

test('a draft outlives a visit to another page', async () => {
  const first = await openNew();
  await first.type('Name', 'Night watch');
  first.unmount();
  await open();
  expect(field('Name').value).toBe('Night watch');
});

test('a listed rule is edited under its id, and switched', async () => {
  const { user, calls, type } = await open();
  await user.click(press(`Edit ${HIGH}`));
  await type('Name', 'Renamed');
  await user.click(press('Save rule'));
  await screen.findByText('Saved.');
  await user.click(screen.getByRole('switch'));
  await waitFor(() => expect(calls.length).toBe(2));
  expect(calls).toMatchObject([
    { input: { rule: { id: 'high-risk', name: 'Renamed', enabled: true } } },
    { input: { rule: { id: 'high-risk', enabled: false } } },
  ]);
});

test.each([
  ['can never notify', false],
  ['can never notify of one of its events', true],
])('a rule that %s is refused, and the contradiction is named at its field', async (_, hasHigh) => {
  const { user, calls, type } = await openNew();
  await type('Name', 'Early');
  if (!hasHigh) await user.click(screen.getByRole('checkbox', { name: 'High Risk' }));
  await user.click(screen.getByRole('checkbox', { name: 'Elevated' }));
  await user.click(press('Save rule'));
  await waitFor(() =>
    expect(alerts()).toEqual([
      'It would never notify of “Elevated”, which is below High Risk. Lower the state, or choose events of High Risk alone.',
    ]),
  );
  expect(calls).toEqual([]);
});

test('symbols that the service has no signal for are named', async () => {
  const { user, type } = await openNew({
    'instruments.read': () => ({ instruments: [{ symbol: 'SPY', name: null, asset_class: null }], is_whole: true }),
  });
  await user.click(press('Symbols'));
  await type(/^Symbols/, 'spy tessla');
  expect(await screen.findByText('This service has no signal for TESSLA.')).toBeDefined();
});

const result = (more: Partial<RuleBacktest> = {}): RuleBacktest => ({
  from: '2026-02-27T15:00:00.000Z',
  known_from: '2026-02-26T14:30:00.000Z',
  evaluated: 40,
  matched: 12,
  notified: 12,
  not_sustained: 0,
  quiet: 0,
  at_night: 2,
  brief: 1,
  also: [{ rule: 'high-risk', count: 9 }],
  examples: [],
  ...more,
});

test('a test belongs to the rule as it is typed, and says what another rule notifies of and what is known', async () => {
  const tested: (string | number | null)[] = [];
  const { user, type, advance } = await openNew({
    'rules.backtest': ({ rule }) => {
      tested.push(rule.min_confidence);
      return result({ notified: rule.min_confidence === null ? 12 : 3 });
    },
  });
  await type('Name', 'Mine');
  await user.click(press('Test on the last 30 days'));
  expect(await screen.findByText(/^Over the 4 days known here it would have notified you 12 times/)).toBeDefined();
  expect(screen.getByText(`9 of these are also notified by the rule ${HIGH}.`)).toBeDefined();
  await type('Chance, at least', '40');
  await advance(1000);
  expect(await screen.findByText(/would have notified you 3 times/)).toBeDefined();
  expect(tested).toEqual([null, 40]);
  await type('Chance, at least', 'many');
  await advance(1000);
  expect(await screen.findByText('The test waits until every field is valid.')).toBeDefined();
});

test('a back-test needs no name: a rule without a name gets one', async () => {
  const { user } = await openNew({ 'rules.backtest': () => result({ notified: 12 }) });
  await user.click(press('Test on the last 30 days'));
  expect(await screen.findByText(/it would have notified you 12 times/)).toBeDefined();
  expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('New rule');
  expect(screen.queryByText('Enter a name of 1 to 80 characters.')).toBeNull();
});

test('a back-test names its events as the rule does, and has separators in large numbers', async () => {
  const example = { ledger_id: 7, symbol: 'SPY', event: 'signal.high_risk', at: '2026-03-02T10:00:00.000Z' };
  const { user, type } = await openNew({ 'rules.backtest': () => result({ evaluated: 13_308, examples: [example] }) });
  await type('Name', 'Mine');
  await user.click(press('Test on the last 30 days'));
  expect(await screen.findByText(/13,308 events checked/)).toBeDefined();
  expect(screen.getByRole('row', { name: /SPY High Risk/ })).toBeDefined();
});

test('a rule that matched nothing would not have notified', async () => {
  const { user, type } = await openNew({
    'rules.backtest': () => result({ matched: 0, notified: 0, at_night: 0, brief: 0, also: [] }),
  });
  await type('Name', 'Mine');
  await user.click(press('Test on the last 30 days'));
  expect(await screen.findByText('Over the 4 days known here it would not have notified you.')).toBeDefined();
});

test('a ledger that knows thirty days says so', async () => {
  const { user, type } = await openNew({
    'rules.backtest': () => result({ known_from: '2026-01-31T14:30:00.000Z', also: [] }),
  });
  await type('Name', 'Mine');
  await user.click(press('Test on the last 30 days'));
  expect(await screen.findByText(/^Over the last 30 days it would/)).toBeDefined();
});

test('a sound with its repeat is saved with the rule, and its test says who played it', async () => {
  const { user, calls, type } = await openNew({
    'sound.test': () => ({ detail: plainMessage('A window played it.') }),
  });
  await type('Name', 'Loud');
  await user.click(press('Alarm'));
  await user.click(press('Play it'));
  expect(await screen.findByText('A window played it.')).toBeDefined();
  await type('Repeat, s (empty: once)', '3');
  await user.click(press('Save rule'));
  await waitFor(() => expect(alerts()).toEqual(['Whole seconds from 5 to 300, or nothing.']));
  await type('Repeat, s (empty: once)', '30');
  await user.click(press('Save rule'));
  await waitFor(() =>
    expect(calls.at(-1)).toMatchObject({
      name: 'rules.save',
      input: { rule: { sound: { name: 'alarm', repeat_seconds: 30 } } },
    }),
  );
});
