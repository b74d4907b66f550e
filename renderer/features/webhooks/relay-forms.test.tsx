// Test: the forms of the relay.
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { RelayView } from '../../../shared/channels/relay.ts';
import { refuse, renderInWindow } from '../../../test/harness/window.tsx';
import { PublicAddressForm, SecretForm } from './relay-detail.tsx';

const relay = (public_url: string | null) => ({ public_url }) as RelayView;
const press = (name: string) => screen.getByRole('button', { name });

test('a public address is saved without blanks, and the form says so', async () => {
  const { user, calls } = await renderInWindow(<PublicAddressForm relay={relay('https://old.example.com')} />, {
    'relay.public_url': () => ({}),
  });
  const field = screen.getByRole('textbox');
  await user.clear(field);
  await user.type(field, ' https://new.example.com ');
  await user.click(press('Save'));
  expect(await screen.findByText('Saved. Send a test to see that it works.')).toBeDefined();
  expect(calls).toEqual([{ name: 'relay.public_url', input: { url: 'https://new.example.com' } }]);
});

test('Remove deletes the public address', async () => {
  const { user, calls } = await renderInWindow(<PublicAddressForm relay={relay('https://old.example.com')} />, {
    'relay.public_url': () => ({}),
  });
  await user.click(press('Remove'));
  await expect.poll(() => calls).toEqual([{ name: 'relay.public_url', input: { url: null } }]);
  expect(screen.getByRole<HTMLInputElement>('textbox').value).toBe('');
});

test('the reason for refusing a public address is shown at its field', async () => {
  const { user } = await renderInWindow(<PublicAddressForm relay={relay(null)} />, {
    'relay.public_url': () => refuse('It must begin with https://.'),
  });
  await user.type(screen.getByRole('textbox'), 'https://user@example.com');
  await user.click(press('Save'));
  expect((await screen.findByRole('alert')).textContent).toBe('It must begin with https://.');
  expect(screen.queryByRole('button', { name: 'Remove' })).toBeNull();
});

test('a signing secret goes to the core and leaves the window', async () => {
  const { user, calls } = await renderInWindow(<SecretForm />, { 'relay.secret': () => ({}) });
  const field = screen.getByLabelText<HTMLInputElement>('Signing secret of the service');
  expect(field.type).toBe('password');
  await user.type(field, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw');
  await user.click(press('Save'));
  expect(await screen.findByText('Saved.')).toBeDefined();
  expect(field.value).toBe('');
  expect(calls).toMatchObject([{ input: { secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' } }]);
});

test('an invalid signing secret stays in its field', async () => {
  const { user } = await renderInWindow(<SecretForm />, { 'relay.secret': () => ({}) });
  const field = screen.getByLabelText<HTMLInputElement>('Signing secret of the service');
  await user.type(field, 'x');
  await user.click(press('Save'));
  expect((await screen.findByRole('alert')).textContent).not.toBe('');
  expect(field.value).toBe('x');
});
