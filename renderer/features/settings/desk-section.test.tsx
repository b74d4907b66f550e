// Test: the section of the desk: a name is saved or removed, and what waits or failed is said.
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { DeskView } from '../../../shared/channels/desk.ts';
import { message } from '../../../shared/text/message.ts';
import { iso, T0 } from '../../../test/fixtures/window-fixtures.ts';
import { renderInWindow } from '../../../test/harness/window.tsx';
import { DeskSection } from './desk-section.tsx';

const OFF: DeskView = { by: null, waiting: 0, synced_at: null, problem: null };
const open = async (view: DeskView) => {
  const rig = await renderInWindow(<DeskSection />, { 'desk.read': () => view, 'desk.save': () => ({}) });
  await rig.idle();
  return rig;
};
const field = () =>
  screen.getByRole<HTMLInputElement>('textbox', { name: 'Your name on the desk (empty: share nothing)' });
const save = () => screen.getByRole('button', { name: 'Save' });
const saved = (calls: readonly { readonly name: string; readonly input: unknown }[]) =>
  calls.filter(({ name }) => name === 'desk.save').map(({ input }) => input);

test('a name turns sharing on, and an empty field turns it off', async () => {
  const { user, calls } = await open(OFF);
  expect(screen.queryByText(/shared/)).toBeNull();
  await user.type(field(), ' ann ');
  await user.click(save());
  await screen.findByText('Saved.');
  await user.clear(field());
  await user.click(save());
  await waitFor(() => expect(saved(calls)).toEqual([{ by: 'ann' }, { by: null }]));
});

test('a name of more than 60 characters is refused at its field', async () => {
  const { user, calls } = await open(OFF);
  await user.type(field(), 'x'.repeat(61));
  await user.click(save());
  await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('One line of 60 characters at most.'));
  expect(saved(calls)).toEqual([]);
});

test('what waits, the last exchange and why it failed are said', async () => {
  await open({ by: 'ann', waiting: 2, synced_at: iso(T0), problem: message('desk.unsupported') });
  expect(screen.getByText('This service has no desk: nothing is shared.')).toBeDefined();
  expect(screen.getByText(/^Last shared .*\. 2 acts wait to be sent\.$/)).toBeDefined();
});
