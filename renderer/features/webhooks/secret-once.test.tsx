// Test: the dialog that shows a secret once.
import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { SecretOnce } from './secret-once.tsx';

function open(isLasting = false) {
  const closed: string[] = [];
  render(
    <SecretOnce
      heading="New signing secret"
      secret="whsec_1"
      isLasting={isLasting}
      onClose={() => closed.push('closed')}
    />,
  );
  return closed;
}

test('shows the secret in a field that cannot be edited, and copies it', async () => {
  const user = userEvent.setup();
  open();
  const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'Secret' });
  await user.type(field, '2');
  expect(field.value).toBe('whsec_1');
  await user.click(screen.getByRole('button', { name: 'Copy' }));
  await screen.findByText('Copied.');
  expect(await navigator.clipboard.readText()).toBe('whsec_1');
});

test('Escape does not close it and says why; its button does', async () => {
  const closed = open();
  screen.getByRole('textbox', { name: 'Secret' }).focus();
  await userEvent.keyboard('{Escape}{Escape}');
  expect(screen.getByRole('status').textContent).toMatch(/^Esc does not close this/);
  expect(closed).toEqual([]);
  await userEvent.click(screen.getByRole('button', { name: 'I have saved it' }));
  expect(closed).toEqual(['closed']);
});

test('a secret that can be requested again is closed by "Done"', async () => {
  const closed = open(true);
  await userEvent.click(screen.getByRole('button', { name: 'Done' }));
  expect(closed).toEqual(['closed']);
});
