// Test: the dialog that asks for a name.
import { render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { AskName } from './ask-name.tsx';
import type { Submitted } from './form/form.tsx';

function open(value = '', answer: Submitted = { ok: true }) {
  const calls: string[] = [];
  const opener = document.body.appendChild(document.createElement('button'));
  opener.focus();
  const view = render(
    <AskName
      heading="New list"
      label="Name of the list"
      value={value}
      onAnswer={async (name) => {
        calls.push(name);
        return answer;
      }}
      onClose={() => calls.push('close')}
    />,
  );
  return { calls, opener, view, field: screen.getByRole<HTMLInputElement>('textbox', { name: 'Name of the list' }) };
}

test('answers with the trimmed name, on Enter', async () => {
  const { calls, field } = open('Desk');
  await userEvent.type(field, ' two {Enter}');
  await waitFor(() => expect(calls).toEqual(['Desk two', 'close']));
});

test('a refusal is said at the field, and the name stays to be sent again', async () => {
  const { calls, field } = open('Desk', { ok: false, error: 'The settings cannot be written.' });
  await userEvent.type(field, ' two{Enter}');
  expect((await screen.findByRole('alert')).textContent).toBe('The settings cannot be written.');
  expect(calls).toEqual(['Desk two']);
  expect(field.value).toBe('Desk two');
});

test('requires a name, and the field has the focus', async () => {
  const { calls, field } = open();
  await userEvent.type(field, '  ');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect((await screen.findByRole('alert')).textContent).not.toBe('');
  await waitFor(() => expect(document.activeElement).toBe(field));
  expect(calls).toEqual([]);
  await userEvent.type(field, 'Night');
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
});
