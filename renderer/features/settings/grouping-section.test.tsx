// Test: the form of the groups of notifications.
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { alerting } from '../../../test/fixtures/feature-fixtures.ts';
import { renderInWindow } from '../../../test/harness/window.tsx';
import { GroupingSection } from './grouping-section.tsx';

const WAIT = 'The first alert of a group waits for others';
const open = () =>
  renderInWindow(<GroupingSection />, { 'alerting.read': () => alerting(), 'grouping.save': () => ({}) });
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

test('a symbol that holds back others is saved as symbols are written, and refused where it is none', async () => {
  const { user, calls } = await open();
  const symbol = field('While this symbol is High Risk, list others with it (empty: never)');
  await user.type(symbol, '$$$');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('A symbol, like SPY, or nothing.'));
  await user.clear(symbol);
  await user.type(symbol, 'spy');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText('Saved.');
  expect(calls).toMatchObject([{ name: 'grouping.save', input: { grouping: { inhibited_by: 'SPY' } } }]);
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
