// Test: the status bar while Barograph itself is gone.
import { act, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { plainMessage } from '../../../shared/text/message.ts';
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
