// Test: the status bar while Barograph itself is gone, and while Electron is fetched.
import { act, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { message, plainMessage } from '../../../shared/text/message.ts';
import { shellView } from '../../../test/fixtures/feature-fixtures.ts';
import { connection, snapshot } from '../../../test/fixtures/window-fixtures.ts';
import { renderInWindow } from '../../../test/harness/window.tsx';
import { StatusBar } from './status-bar.tsx';

test('no indicator keeps its last detail', async () => {
  const { indicators } = connection();
  const open = { ...indicators.open, detail: plainMessage('2 s ago') };
  const now = snapshot({ connection: connection({ indicators: { ...indicators, open } }) });
  const { services } = await renderInWindow(<StatusBar />, { 'state.snapshot': () => now });
  const items = () =>
    within(screen.getByRole('list'))
      .getAllByRole('listitem')
      .map(({ textContent, title }) => `${textContent} (${title})`);
  expect(items().join()).toContain('2 s ago');
  act(() => services.ingest({ kind: 'link', up: false, at: services.clock.now() }));
  for (const item of items()) expect(item).toMatch(/^(\w+)downdown \(\1: down\)$/);
});

test('the download of Electron is shown while it goes on, and its end', async () => {
  const loading = message('electron.loading', { version: '45.0.0', received: 60e6, total: 120e6, rate: 200e3 });
  const { push } = await renderInWindow(<StatusBar />, { 'shell.read': () => shellView({ electron: loading }) });
  expect(screen.getByText('Electron 45.0.0: 57.2 MB of 114.4 MB (50 %), 196 KB/s, 5 min left.')).toBeDefined();
  await push('shell.changed', shellView({ electron: message('electron.ready', { version: '45.0.0' }) }));
  expect(screen.getByText('Electron 45.0.0 is here: the next start opens it.')).toBeDefined();
  await push('shell.changed', shellView());
  expect(screen.queryByText(/Electron/)).toBeNull();
});
