// Test: a rule on the share of a list in the editor: its fields, the share now, its place in the list of rules.
import { screen, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { DEFAULT_RULE, type Rule } from '../../../shared/settings/alert-rules.ts';
import { alerting } from '../../../test/fixtures/feature-fixtures.ts';
import { renderInWindow } from '../../../test/harness/window.tsx';
import { useApp } from '../../store/store.ts';
import { ruleEdit } from './rule-edit.ts';
import { RulesView } from './rules-view.tsx';

const MARKET: Rule = {
  ...DEFAULT_RULE,
  id: 'market',
  name: 'Market',
  events: ['breadth.crossed'],
  min_state: 0,
  breadth: { list: 'desk', percent: 30, state: 2 },
};
function Rules() {
  const state = useApp(({ features }) => features.alerting);
  return state === null ? null : <RulesView alerting={state} />;
}
const open = (...rules: Rule[]) =>
  renderInWindow(<Rules />, {
    'alerting.read': () => ({ ...alerting(), rules: rules.map((rule) => ({ id: rule.id, rule, problem: null })) }),
    'rules.save': () => ({}),
  });
const field = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name });
const editor = () => screen.getByRole('complementary');

beforeEach(() => ruleEdit.close());

test('the template has 30 % of the first list, says the share now, and is saved as a rule of its own event', async () => {
  const { user, calls } = await open();
  await user.click(screen.getByRole('button', { name: 'New from a template' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Market breadth: 30 % of a list at High Risk' }));
  expect(field('At least, % of its symbols').value).toBe('30');
  expect(within(editor()).getByText(/^Now \d+ of \d+ \(\d+ %\)|^The state of/)).toBeDefined();
  for (const name of ['Of these symbols', 'At least', 'These events'])
    expect(screen.queryByRole('group', { name })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Elevated or High Risk' }));
  await user.click(screen.getByRole('button', { name: 'Save rule' }));
  await screen.findByText('Saved.');
  expect(calls.at(-1)).toMatchObject({
    name: 'rules.save',
    input: {
      rule: {
        events: ['breadth.crossed'],
        scope: { kind: 'watched' },
        min_state: 0,
        price: null,
        breadth: { list: 'desk', percent: 30, state: 1 },
      },
    },
  });
});

test('a list that was deleted and a share that is none are refused at their fields', async () => {
  const { user } = await open({ ...MARKET, breadth: { list: 'gone', percent: 30, state: 2 } });
  await user.click(screen.getByRole('button', { name: 'Edit Market' }));
  expect(screen.getByRole('option', { name: 'gone (deleted)' })).toBeDefined();
  await user.clear(field('At least, % of its symbols'));
  await user.type(field('At least, % of its symbols'), '0');
  await user.click(screen.getByRole('button', { name: 'Save rule' }));
  const problems = within(editor())
    .getAllByRole('alert')
    .map(({ textContent }) => textContent);
  expect(problems.join(' ')).toContain('A whole percentage from 1 to 100, like 30.');
  expect(editor().textContent).toContain('Choose a watchlist.');
});

test('the list of rules has its condition and the share now', async () => {
  await open(MARKET);
  const row = screen.getByRole('row', { name: /Market/ });
  expect(row.textContent).toContain('30 % or more of Desk list at High Risk');
  expect(row.textContent).toMatch(/Now \d+ of \d+|The state of \d+ of \d+/);
});
