// Test: the status bar says the worst of what the window sees, and opens the rest; the download of Electron.
import { act, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Gap, HealthIndicator, Snapshot } from '../../../shared/channels/state.ts';
import { message, plainMessage } from '../../../shared/text/message.ts';
import { shellView } from '../../../test/fixtures/feature-fixtures.ts';
import { connection, iso, snapshot, T0 } from '../../../test/fixtures/window-fixtures.ts';
import { renderInWindow } from '../../../test/harness/window.tsx';
import { StatusBar } from './status-bar.tsx';

const { indicators } = connection();
const bad = (state: 'degraded' | 'down', detail: string): HealthIndicator => ({
  ...indicators.open,
  state,
  detail: plainMessage(detail),
});
const gap: Gap = {
  id: 1,
  from: iso(T0 - 60_000),
  to: null,
  cause: plainMessage('no answer'),
  closed: false,
  filled: 0,
  lost: false,
};

test.each<[string, Partial<Snapshot>, string]>([
  ['all is well', {}, 'works. Seeing everything'],
  [
    'the service cannot prove that nothing is missing',
    { connection: connection({ provable: false }) },
    'works. Completeness not verified',
  ],
  ['a gap is open', { gaps: [gap] }, 'partly works. 1 gap open'],
  ['a gap can never be filled', { gaps: [{ ...gap, lost: true }] }, 'works. 1 gap open'],
  [
    'one indicator is worse than another, and a gap is open',
    {
      connection: connection({
        indicators: { ...indicators, bytes: bad('degraded', 'behind'), fresh: bad('down', 'no data') },
      }),
      gaps: [gap],
    },
    'down. Fresh: no data · 1 gap open',
  ],
])('the status bar has one indicator; where %s, it says so', async (_name, more, said) => {
  await renderInWindow(<StatusBar />, { 'state.snapshot': () => snapshot(more) });
  expect(screen.getByRole('button', { name: `Connection: ${said}` })).toBeDefined();
});

test('while Barograph is gone, no indicator keeps its last detail', async () => {
  const now = snapshot({ connection: connection({ indicators: { ...indicators, open: bad('degraded', '2 s ago') } }) });
  const { services } = await renderInWindow(<StatusBar />, { 'state.snapshot': () => now });
  // In the closed dialog, before the ledger and the model.
  const details = () => screen.getAllByRole('definition', { hidden: true }).map(({ textContent }) => textContent);
  expect(details()[0]).toBe('partly works: 2 s ago');
  act(() => services.ingest({ kind: 'link', up: false, at: services.clock.now() }));
  expect(details().slice(0, 4)).toEqual(['down', 'down', 'down', 'down']);
  expect(screen.getByRole('button', { name: 'Connection: down. Seeing nothing' })).toBeDefined();
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
