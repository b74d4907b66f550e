// Test: a link out of the app.
import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { preferences } from '../store/preferences.ts';
import { ExternalLink } from './external-link.tsx';

const ADDRESS = 'https://news.example/a';

function show(address = ADDRESS) {
  const opened = vi.spyOn(window, 'open').mockReturnValue(null);
  render(<ExternalLink address={address}>Markets fall</ExternalLink>);
  return opened;
}
const link = () => screen.getByRole('link', { name: /^Markets fall/ });

test('a link asks before it opens a host for the first time: Cancel opens nothing', async () => {
  const opened = show();
  await userEvent.click(link());
  expect(screen.getByRole('dialog').textContent).toContain(ADDRESS);
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect([opened.mock.calls, document.activeElement]).toEqual([[], link()]);
});

test('opens once, and asks again the next time', async () => {
  const opened = show();
  await userEvent.click(link());
  await userEvent.click(screen.getByRole('button', { name: /once/i }));
  expect(opened.mock.calls.map(([url]) => url)).toEqual([ADDRESS]);
  await userEvent.click(link());
  expect(screen.getByRole('dialog')).toBeDefined();
});

test('an allowed host opens without a question', async () => {
  show();
  await userEvent.click(link());
  await userEvent.click(screen.getByRole('button', { name: /always/i }));
  expect(preferences.read().hosts).toContain('news.example');
  await userEvent.click(link());
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('an address that is not https is text', () => {
  show('http://news.example/a');
  expect(screen.queryByRole('link')).toBeNull();
  expect(screen.getByText(/Markets fall/).textContent).toContain('http://news.example/a');
});
