// Test: a new rule from a template; import and export of rules.
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Alerting } from '../../../shared/channels/alerting.ts';
import { DEFAULT_RULE } from '../../../shared/settings/alert-rules.ts';
import { message } from '../../../shared/text/message.ts';
import { alerting } from '../../../test/fixtures/feature-fixtures.ts';
import { type CoreHandlers, refuseWith, renderInWindow } from '../../../test/harness/window.tsx';
import { useApp } from '../../store/store.ts';
import { ruleEdit } from './rule-edit.ts';
import { RulesView } from './rules-view.tsx';

const PHONE = {
  id: 'phone',
  name: 'Phone',
  destination: { kind: 'ntfy', url: 'https://ntfy.sh/topic', answers: null },
} as const;
const CHANNELS: Alerting['channels'] = [{ id: 'phone', channel: PHONE, problem: null }];
const FILE = new File(['the rules'], 'desk.json', { type: 'application/json' });

function Rules() {
  const state = useApp(({ features }) => features.alerting);
  return state === null ? null : <RulesView alerting={state} />;
}

const open = (handlers: CoreHandlers = {}) =>
  renderInWindow(<Rules />, {
    'alerting.read': () => alerting({ channels: CHANNELS }),
    'rules.save': () => ({}),
    ...handlers,
  });

async function choose({ user }: Awaited<ReturnType<typeof open>>, menu: string, item: string): Promise<void> {
  screen.getByRole('button', { name: menu }).focus();
  await user.keyboard('{Enter}');
  await user.click(await screen.findByRole('menuitem', { name: item }));
}

beforeEach(() => ruleEdit.close());

test('a template opens in the editor as a new rule, which is saved only by Save', async () => {
  const rig = await open();
  await choose(rig, 'New from a template', 'Coins after the close, by phone');
  const name = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Name' });
  expect(name.value).toBe('Coins after the close, by phone');
  expect(rig.calls).toEqual([]);
  await rig.user.click(screen.getByRole('button', { name: 'Save rule' }));
  await waitFor(() =>
    expect(rig.calls).toMatchObject([
      { input: { rule: { id: 'coins-after-the-close-by-phone', classes: ['crypto'], channels: ['phone'] } } },
    ]),
  );
});

test('a template without what it is about asks for it in the editor', async () => {
  const rig = await open();
  await choose(rig, 'New from a template', 'High Risk of what I hold');
  await rig.user.click(await screen.findByRole('button', { name: 'Save rule' }));
  expect(await screen.findByText('Choose at least one watchlist.')).toBeDefined();
  await choose(rig, 'New from a template', 'A price below a level');
  expect((await screen.findByRole<HTMLInputElement>('textbox', { name: 'Price' })).value).toBe('');
  expect(rig.calls).toEqual([]);
});

test('an import shows each rule with what to do about it, saves on a press, and then shows what was saved', async () => {
  const notes = [message('rule_import.channels', { channels: 'Pager' })];
  const invalid = [message('rule_import.invalid', { why: 'hours missing' })];
  const rules = [
    { name: 'Night', rule: { ...DEFAULT_RULE, id: 'night', name: 'Night', enabled: false }, notes },
    { name: null, rule: null, notes: invalid },
  ];
  const rig = await open({ 'rules.import': () => ({ rules }) });
  await rig.user.upload(screen.getByLabelText('Import rules…'), FILE);
  const dialog = within(await screen.findByRole('dialog', { name: 'Rules of desk.json' }));
  expect(dialog.getByRole('status').textContent).toBe('1 of 2 rules can be imported.');
  expect(dialog.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^NightDisabledHigh Risk · any watched symbolWithout Pager/),
    expect.stringMatching(/^Rule 2 of the fileNot importedhours missing\. Correct it/),
  ]);
  await rig.user.click(dialog.getByRole('button', { name: 'Import 1 rule' }));
  expect(await screen.findByRole('dialog', { name: 'Imported from desk.json' })).toBeDefined();
  expect(rig.calls.map(({ input }) => input)).toEqual([
    { text: 'the rules', dry_run: true },
    { text: 'the rules', dry_run: false },
  ]);
  await rig.user.click(screen.getByRole('button', { name: 'Close' }));
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Import and export rules' }));
});

test('a file that is none of rules says so, and nothing can be imported', async () => {
  const rig = await open({ 'rules.import': () => refuseWith(message('rule_file.invalid', { why: 'it is not JSON' })) });
  await rig.user.upload(screen.getByLabelText('Import rules…'), FILE);
  expect((await screen.findByRole('alert')).textContent).toMatch(/^This is not a file of rules: it is not JSON/);
  expect(screen.queryByRole('button', { name: /^Import \d/ })).toBeNull();
});

test('an export has the rules and the names of their channels, without where these lead', async () => {
  const saved: Blob[] = [];
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    saved.push(blob as Blob);
    return 'blob:rules';
  });
  const rule = { ...DEFAULT_RULE, channels: ['phone'] };
  const rules = [{ id: rule.id, rule, problem: null }];
  const rig = await open({ 'alerting.read': () => alerting({ rules, channels: CHANNELS }) });
  await choose(rig, 'Import and export rules', 'Export rules');
  expect(JSON.parse((await saved[0]?.text()) ?? '')).toEqual({
    format: 'barograph-rules',
    version: 1,
    watchlists: [],
    channels: [{ id: 'phone', name: 'Phone' }],
    rules: [rule],
  });
});
