// Test: a silence from an alert: its symbols, the presets for its end, Undo, and refusals.
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { symbolMatchers } from '../../../shared/domain/matchers.ts';
import { type CoreHandlers, refuse, renderInWindow } from '../../../test/harness/window.tsx';
import { ActNote } from '../inbox/index.ts';
import { SilenceButton } from './silence-button.tsx';

const field = (name: RegExp) => screen.getByRole<HTMLInputElement>('textbox', { name });
const opener = () => screen.getByRole('button', { name: /^Silence…/ });

async function open(symbols: readonly string[], handlers: CoreHandlers = {}) {
  const rig = await renderInWindow(
    <>
      <SilenceButton symbols={symbols} />
      <ActNote />
    </>,
    { 'silences.add': () => ({ id: 7 }), ...handlers },
  );
  await rig.user.click(opener());
  return rig;
}

test('the symbol of the alert and a preset are enough', async () => {
  const { user, calls } = await open(['SPY']);
  expect(await screen.findByRole('dialog', { name: 'Silence SPY' })).toBeDefined();
  expect(field(/^Symbols/).value).toBe('SPY');
  expect(screen.getByText(/^Covers 1 watched symbol, none High Risk now\.$/)).toBeDefined();
  await user.click(screen.getByRole('button', { name: /^for 1 hour/ }));
  await user.click(screen.getByRole('button', { name: 'Silence' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(calls).toEqual([
    {
      name: 'silences.add',
      input: { matchers: symbolMatchers(['SPY']), from: null, until: '2026-03-02T15:30:00.000Z', comment: '' },
    },
  ]);
  expect(screen.getByText(/^SPY silenced until .*10:30/)).toBeDefined();
  expect(document.activeElement).toBe(opener());
});

test('Undo ends the silence', async () => {
  const { user, calls } = await open(['SPY'], { 'mutes.end': () => ({}) });
  await user.click(screen.getByRole('button', { name: /^for 1 hour/ }));
  await user.click(screen.getByRole('button', { name: 'Silence' }));
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(calls.at(-1)).toEqual({ name: 'mutes.end', input: { id: 7 } }));
  expect(await screen.findByText('Undone.')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
});

test('several symbols are filled in and can be changed; a missing end is named', async () => {
  const { user, calls } = await open(['SPY', 'QQQ']);
  expect(field(/^Symbols/).value).toBe('SPY QQQ');
  await user.click(screen.getByRole('button', { name: 'Silence' }));
  await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('A date and time, like 2026-03-04 15:30.'));
  await user.clear(field(/^Symbols/));
  await user.type(field(/^Symbols/), 'iwm');
  await user.type(field(/^Until/), '2026-03-04 15:30{Enter}');
  await waitFor(() => expect(calls).toMatchObject([{ input: { matchers: symbolMatchers(['IWM']) } }]));
});

test('a refusal stays in the dialog; Cancel and Escape send nothing', async () => {
  const { user, calls } = await open(['SPY'], { 'silences.add': () => refuse('There are too many.') });
  await user.click(screen.getByRole('button', { name: /^for 1 hour/ }));
  await user.click(screen.getByRole('button', { name: 'Silence' }));
  expect(await screen.findByText('There are too many.')).toBeDefined();
  const sent = calls.length;
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(calls.length).toBe(sent);
});

test('an alert without a symbol has no button', async () => {
  await renderInWindow(<SilenceButton symbols={[]} />);
  expect(screen.queryByRole('button')).toBeNull();
});
