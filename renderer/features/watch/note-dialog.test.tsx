// Test: notes in the chart: written by button and key, edited, removed with Undo.
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { type CoreHandlers, refuse, renderInWindow } from '../../../test/harness/window.tsx';
import type { ChartModel, ChartNote } from '../../charts/model.ts';
import { ActNote } from '../inbox/index.ts';
import { useNoting } from './use-noting.tsx';

const AT = Date.parse('2026-03-02T15:00:12.345Z');
const MODEL: ChartModel = {
  symbol: 'SPY',
  resolution: 'day',
  points: [{ ms: AT, price: 1, state: 0, regime: null, confidence: null }],
  bands: [],
  regimes: [],
  stateChanges: [],
  gaps: [],
};

function Notes({ note }: { readonly note: ChartNote | null }) {
  const { actions, button, dialog } = useNoting(MODEL);
  return (
    <>
      {button}
      {note !== null && (
        <button type="button" onClick={() => actions.onOpened(note)}>
          Open
        </button>
      )}
      {dialog}
      <ActNote />
    </>
  );
}
const open = (handlers: CoreHandlers = {}, note: ChartNote | null = null) =>
  renderInWindow(<Notes note={note} />, {
    'notes.save': () => ({ id: 3 }),
    'notes.remove': () => ({}),
    'alerts.note': () => ({}),
    ...handlers,
  });
const field = (name: RegExp) => screen.getByRole<HTMLInputElement>('textbox', { name });
const press = (name: string) => screen.getByRole('button', { name });

test('the button writes a note at the last point of the chart, to the millisecond', async () => {
  const { user, calls } = await open();
  await user.click(press('Write a note'));
  expect(screen.getByRole('dialog', { name: 'New note on SPY' })).toBeDefined();
  expect(field(/^At/).value).toBe('2026-03-02 10:00');
  await user.click(press('Save note'));
  await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('Enter a text.'));
  await user.type(field(/^Note/), ' Fed minutes ');
  await user.click(press('Save note'));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(calls).toEqual([
    { name: 'notes.save', input: { id: null, symbol: 'SPY', at: '2026-03-02T15:00:12.345Z', text: 'Fed minutes' } },
  ]);
  expect(document.activeElement).toBe(press('Write a note'));
});

test('the key N opens it too, and its time can be changed', async () => {
  const { user, calls } = await open();
  await user.keyboard('n');
  await user.clear(field(/^At/));
  await user.type(field(/^At/), '2026-02-27 09:30');
  await user.type(field(/^Note/), 'open');
  await user.click(press('Save note'));
  await waitFor(() => expect(calls).toMatchObject([{ input: { at: '2026-02-27T14:30:00.000Z', text: 'open' } }]));
});

test('a note is removed, and Undo brings it back', async () => {
  const { user, calls } = await open({}, { kind: 'symbol', id: 7, at: AT, text: 'Fed' });
  await user.click(press('Open'));
  expect(field(/^Note/).value).toBe('Fed');
  await user.click(press('Remove'));
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(calls).toHaveLength(2));
  expect(calls).toMatchObject([
    { name: 'notes.remove', input: { id: 7 } },
    { name: 'notes.save', input: { id: null, symbol: 'SPY', at: '2026-03-02T15:00:12.345Z', text: 'Fed' } },
  ]);
});

test('a note on an alert keeps its time, and a refusal stays in the dialog', async () => {
  const note = { kind: 'alert', ledgerId: 9, at: AT, text: 'sold' } as const;
  const { user, calls } = await open({ 'alerts.note': () => refuse('The disk is full.') }, note);
  await user.click(press('Open'));
  expect(screen.queryByRole('textbox', { name: /^At/ })).toBeNull();
  await user.type(field(/^Note/), ' half');
  await user.click(press('Save note'));
  expect(await screen.findByText('The disk is full.')).toBeDefined();
  expect(calls).toEqual([{ name: 'alerts.note', input: { ledger_id: 9, note: 'sold half' } }]);
});
