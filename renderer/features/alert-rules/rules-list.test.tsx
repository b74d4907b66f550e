// Test: the list of rules: order, status, deletion and duplication.

import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import type { Alerting } from '../../../shared/channels/alerting.ts';
import { DEFAULT_RULE } from '../../../shared/settings/alert-rules.ts';
import { plainMessage } from '../../../shared/text/message.ts';
import { alerting } from '../../../test/fixtures/feature-fixtures.ts';
import { renderInWindow } from '../../../test/harness/window.tsx';
import { useApp } from '../../store/store.ts';
import { ruleEdit } from './rule-edit.ts';
import { RulesView } from './rules-view.tsx';

const NIGHT = { ...DEFAULT_RULE, id: 'night', name: 'Night watch', enabled: false };
const RULES: Alerting['rules'] = [
  { rule: DEFAULT_RULE, id: DEFAULT_RULE.id, problem: null },
  { rule: NIGHT, id: NIGHT.id, problem: null },
  { rule: null, id: 'broken', problem: plainMessage('Its hours are unreadable.') },
];

function Rules() {
  const state = useApp(({ features }) => features.alerting);
  return state === null ? null : <RulesView alerting={state} />;
}

const open = (rules: Alerting['rules'] = RULES) =>
  renderInWindow(<Rules />, {
    'alerting.read': () => alerting({ rules }),
    'rules.save': () => ({}),
    'rules.delete': () => ({}),
  });

/** Opens the menu of a rule and chooses from it. */
async function choose({ user }: Awaited<ReturnType<typeof open>>, rule: string, item: string): Promise<void> {
  screen.getByRole('button', { name: `More for ${rule}` }).focus();
  await user.keyboard('{Enter}');
  await user.click(await screen.findByRole('menuitem', { name: item }));
}

beforeEach(() => ruleEdit.close());

test('the rules are listed in their order, each with its status', async () => {
  await open();
  const [, ...rows] = screen.getAllByRole('row');
  expect(
    rows.map((each) => [
      within(each).getAllByRole('cell')[0]?.textContent,
      within(each).getByRole('rowheader').textContent,
    ]),
  ).toEqual([
    ['1', DEFAULT_RULE.name],
    ['2', 'Night watch'],
    ['3', 'broken'],
  ]);
  expect(
    rows.map((each) => within(each).queryByText(/^(Works|Disabled|Its hours are unreadable\.)$/)?.textContent),
  ).toEqual(['Works', 'Disabled', 'Its hours are unreadable.']);
  expect(screen.queryByRole('button', { name: 'Edit broken' })).toBeNull();
});

test('the list of rules says that there are none', async () => {
  await open([]);
  expect(screen.getAllByRole('row')).toHaveLength(1);
  expect(screen.getByRole('region', { name: /^Rules/ }).textContent).not.toBe('');
});

test('deleting asks by name: Cancel keeps the rule, and the focus returns to its button', async () => {
  const rig = await open();
  await choose(rig, 'Night watch', 'Delete');
  const dialog = screen.getByRole('dialog', { name: 'Delete the rule Night watch?' });
  await rig.user.click(within(dialog).getByRole('button', { name: 'Cancel' }));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'More for Night watch' }));
  expect(rig.calls).toEqual([]);
});

test('a deleted rule leaves the list, its editor closes, and the focus goes to "Add rule"', async () => {
  const rig = await open();
  await rig.user.click(screen.getByRole('button', { name: 'Edit Night watch' }));
  expect(screen.getByRole('complementary')).toBeDefined();
  await choose(rig, 'Night watch', 'Delete');
  await rig.user.click(screen.getByRole('button', { name: 'Delete rule' }));
  expect(rig.calls).toEqual([{ name: 'rules.delete', input: { id: 'night' } }]);
  expect(screen.queryByRole('complementary')).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Add rule' }));
});

test('after a deletion, Cancel of another one returns the focus to the button of its rule', async () => {
  const rig = await open();
  await choose(rig, 'Night watch', 'Delete');
  await rig.user.click(screen.getByRole('button', { name: 'Delete rule' }));
  await choose(rig, DEFAULT_RULE.name, 'Delete');
  await rig.user.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(document.activeElement).toBe(screen.getByRole('button', { name: `More for ${DEFAULT_RULE.name}` }));
});

test('a duplicate opens in the editor as a new rule', async () => {
  const rig = await open();
  await choose(rig, 'Night watch', 'Duplicate');
  const name = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Name' });
  expect(name.value).toBe('Night watch, copy');
  await rig.user.click(screen.getByRole('button', { name: 'Save rule' }));
  await waitFor(() =>
    expect(rig.calls).toMatchObject([{ name: 'rules.save', input: { rule: { id: 'night-watch-copy' } } }]),
  );
});
