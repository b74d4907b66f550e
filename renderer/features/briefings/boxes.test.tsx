// Test: the folders and filters of briefings.
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { archive } from '../../../test/fixtures/feature-fixtures.ts';
import { renderInWindow } from '../../../test/harness/window.tsx';
import { Boxes } from './boxes.tsx';
import { view } from './view.ts';

const open = () => {
  const { briefings } = archive();
  const state = archive({ briefings: { ...briefings, authors: [{ name: 'Equity desk', all: 2, unread: 1 }] } });
  return renderInWindow(<Boxes />, { 'archive.read': () => state });
};
const button = (name: RegExp) => screen.findByRole('button', { name });

beforeEach(view.reset);

test('a folder is shown with its number of briefings, and chosen', async () => {
  const { user } = await open();
  expect((await button(/^Unread.*1$/)).getAttribute('aria-pressed')).toBe('true');
  await user.click(await button(/^All.*3$/));
  expect(view.read().box).toBe('all');
});

test('types and authors filter until they are chosen again', async () => {
  const { user } = await open();
  await user.click(await button(/^Midday/));
  await user.click(await button(/^Equity desk.*2$/));
  expect(view.read()).toMatchObject({ types: ['midday'], authors: ['Equity desk'] });
  await user.click(await button(/^Midday/));
  expect(view.read().types).toEqual([]);
});

test('a symbol filters by Enter; what is not a symbol is refused at the field', async () => {
  const { user } = await open();
  const field = await screen.findByRole('textbox', { name: 'Symbol' });
  await user.type(field, 'spy{Enter}');
  expect(view.read().symbol).toBe('SPY');
  await user.clear(field);
  await user.type(field, '§{Enter}');
  await waitFor(() => expect(field.getAttribute('aria-invalid')).toBe('true'));
  expect(screen.getByText(/^Not a symbol/)).toBeDefined();
  expect(view.read().symbol).toBe('SPY');
});
