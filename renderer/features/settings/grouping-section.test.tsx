// Test: the form of the groups of notifications.
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { DEFAULT_GROUPING, type Grouping } from '../../../shared/settings/alert-rules.ts';
import { alerting } from '../../../test/fixtures/feature-fixtures.ts';
import { renderInWindow } from '../../../test/harness/window.tsx';
import { GroupingSection } from './grouping-section.tsx';

const WAIT = 'The first alert of a group waits for others';
const open = (more: Partial<Grouping> = {}) =>
  renderInWindow(<GroupingSection />, {
    'alerting.read': () => ({ ...alerting(), grouping: { ...DEFAULT_GROUPING, ...more } }),
    'grouping.save': () => ({}),
  });
const field = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name });

test('groups, wait and interval are saved', async () => {
  const { user, calls } = await open();
  await user.selectOptions(screen.getByRole('combobox', { name: 'Alerts share a notification' }), 'by symbol');
  await user.clear(field(WAIT));
  await user.type(field(WAIT), '15');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Saved.')).toBeDefined();
  expect(calls).toEqual([
    {
      name: 'grouping.save',
      input: {
        grouping: { by: 'symbol', wait_seconds: 15, interval_seconds: 60, repeat_minutes: null, inhibited_by: null },
      },
    },
  ]);
});

const inhibitor = () => screen.getByRole('combobox', { name: 'List single alerts with the market' });

test('a symbol that holds back others is saved as symbols are written, and refused where it is none', async () => {
  const { user, calls } = await open();
  await user.selectOptions(inhibitor(), 'while a symbol is High Risk');
  await user.clear(field('Symbol'));
  await user.type(field('Symbol'), '$$$');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('A symbol, like SPY.'));
  await user.clear(field('Symbol'));
  await user.type(field('Symbol'), 'qqq');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText('Saved.');
  expect(calls).toMatchObject([{ name: 'grouping.save', input: { grouping: { inhibited_by: 'QQQ' } } }]);
});

test('a share of a list that holds back others has a list and a percentage', async () => {
  const { user, calls } = await open();
  await user.selectOptions(inhibitor(), 'while a share of a list is High Risk');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('Choose a watchlist.'));
  await user.selectOptions(screen.getByRole('combobox', { name: 'Watchlist' }), 'Desk list');
  await user.clear(field('At High Risk, at least'));
  await user.type(field('At High Risk, at least'), '101');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(screen.getByRole('alert').textContent).toContain('A whole percentage from 1 to 100'));
  await user.clear(field('At High Risk, at least'));
  await user.type(field('At High Risk, at least'), '25');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText('Saved.');
  expect(calls).toMatchObject([{ input: { grouping: { inhibited_by: { list: 'desk', percent: 25 } } } }]);
});

test('a share whose list was deleted is shown as such, and can be switched off', async () => {
  const { user, calls } = await open({ inhibited_by: { list: 'gone', percent: 30 } });
  expect(screen.getByRole('combobox', { name: 'Watchlist' })).toHaveProperty('value', 'gone');
  expect(screen.getByRole('option', { name: 'gone (deleted)' })).toBeDefined();
  await user.selectOptions(inhibitor(), 'never');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText('Saved.');
  expect(calls).toMatchObject([{ input: { grouping: { inhibited_by: null } } }]);
});

test('a time after which alerts come again is saved in minutes, and refused below a quarter of an hour', async () => {
  const { user, calls } = await open();
  const repeat = field('Notify again, while nobody has dealt with it, after (empty: never)');
  await user.type(repeat, '14');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('Whole minutes, from 15 to 720, or nothing.'));
  await user.clear(repeat);
  await user.type(repeat, '60');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText('Saved.');
  expect(calls).toMatchObject([{ name: 'grouping.save', input: { grouping: { repeat_minutes: 60 } } }]);
});

test.each(['61', '-1', '1.5', ''])('a wait of %j is refused at its field', async (text) => {
  const { user, calls } = await open();
  await user.clear(field(WAIT));
  if (text !== '') await user.type(field(WAIT), text);
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('Whole seconds, from 0 to 60.'));
  expect(calls).toEqual([]);
});

test('without groups there is nothing to wait for', async () => {
  const { user } = await open();
  await user.selectOptions(screen.getByRole('combobox', { name: 'Alerts share a notification' }), 'never');
  expect(field(WAIT).disabled).toBe(true);
});
