// Test: the note of an alert.
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { type CoreHandlers, refuse, renderInWindow } from '../../../test/harness/window.tsx';
import { Note } from './why.tsx';

const open = (handlers: CoreHandlers = {}) =>
  renderInWindow(<Note ledgerId={7} note="before" />, { 'alerts.note': () => ({}), ...handlers });
const field = () => screen.getByRole<HTMLTextAreaElement>('textbox');

test('is saved once by its button, trimmed, though the field loses the focus too', async () => {
  const { user, calls } = await open();
  expect(screen.queryByRole('button', { name: 'Save note' })).toBeNull();
  await user.clear(field());
  await user.type(field(), ' earnings ');
  await user.click(screen.getByRole('button', { name: 'Save note' }));
  expect(await screen.findByText('Saved.')).toBeDefined();
  expect(calls).toEqual([{ name: 'alerts.note', input: { ledger_id: 7, note: 'earnings' } }]);
});

test('a refused note keeps its text, and can be saved again', async () => {
  const { user, calls } = await open({ 'alerts.note': () => refuse('The disk is full.') });
  await user.type(field(), '!');
  await user.tab();
  expect(await screen.findByText('The disk is full.')).toBeDefined();
  expect(field().value).toBe('before!');
  await user.click(screen.getByRole('button', { name: 'Save note' }));
  expect(calls.length).toBe(2);
});
