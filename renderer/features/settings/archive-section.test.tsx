// Test: retention and check of the archive.
import { cleanup, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { message } from '../../../shared/text/message.ts';
import { archive } from '../../../test/fixtures/feature-fixtures.ts';
import { type CoreHandlers, renderInWindow } from '../../../test/harness/window.tsx';
import { ArchiveSection } from './archive-section.tsx';

const field = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name });
const forEver = (kind: string) => screen.getByRole<HTMLInputElement>('checkbox', { name: `${kind} forever` });
const save = () => screen.getByRole('button', { name: 'Save' });
const [BRIEFINGS, NEWS] = ['Keep briefings for', 'Keep news for'];

async function open(handlers: CoreHandlers = {}) {
  const rig = await renderInWindow(<ArchiveSection />, {
    'archive.read': () => archive({ retention: { briefings: null, news: 365 } }),
    'archive.retention': () => ({}),
    'archive.check': () => ({}),
    ...handlers,
  });
  await screen.findByRole('textbox', { name: NEWS });
  return rig;
}

test('days and "forever" are saved together', async () => {
  const { user, calls } = await open();
  expect(field(BRIEFINGS).disabled).toBe(true);
  await user.click(forEver(BRIEFINGS));
  expect(field(BRIEFINGS).value).toBe('365');
  await user.clear(field(BRIEFINGS));
  await user.type(field(BRIEFINGS), '90');
  await user.click(forEver(NEWS));
  await user.click(save());
  expect(await screen.findByText('Saved.')).toBeDefined();
  expect(calls).toEqual([{ name: 'archive.retention', input: { retention: { briefings: 90, news: null } } }]);
});

test('each kind has its own minimum of days', async () => {
  const { user, calls } = await open();
  await user.click(forEver(BRIEFINGS));
  await user.clear(field(BRIEFINGS));
  await user.type(field(BRIEFINGS), '29');
  await user.clear(field(NEWS));
  await user.type(field(NEWS), '0');
  await waitFor(() =>
    expect(screen.getAllByRole('alert').map((each) => each.textContent)).toEqual([
      'Whole days, from 30 to 36,500.',
      'Whole days, from 1 to 36,500.',
    ]),
  );
  await user.click(save());
  await user.click(forEver(BRIEFINGS));
  await waitFor(() => expect(screen.getAllByRole('alert').length).toBe(1));
  expect(calls).toEqual([]);
});

test('the archive is checked on request', async () => {
  const { user, calls } = await open();
  await user.click(screen.getByRole('button', { name: 'Check the archive now' }));
  await waitFor(() => expect(calls).toEqual([{ name: 'archive.check', input: {} }]));
});

test('the settings of the archive say why briefings and news are not received, a common reason once', async () => {
  const news = message('archive.no_news');
  await open({ 'archive.read': () => archive({ problem: message('archive.no_briefings'), news_problem: news }) });
  expect(screen.getByText('This service keeps no archive of briefings.')).toBeDefined();
  expect(screen.getByText('This service has no news.')).toBeDefined();
  cleanup();
  await open({ 'archive.read': () => archive({ problem: news, news_problem: news }) });
  expect(screen.getAllByText('This service has no news.')).toHaveLength(1);
});
