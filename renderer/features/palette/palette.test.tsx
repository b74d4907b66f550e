// Test: the palette by keyboard.
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { profiles } from '../../../test/fixtures/feature-fixtures.ts';
import { iso, T0 } from '../../../test/fixtures/window-fixtures.ts';
import { renderInWindow } from '../../../test/harness/window.tsx';
import { Palette } from './palette.tsx';

beforeEach(() => {
  // The library watches its list's height; jsdom has no layout.
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe(): void {}
      unobserve(): void {}
      disconnect(): void {}
    },
  );
});

const hit = { kind: 'briefing', id: 'b1', title: 'Rates rise', symbol: null, at: iso(T0), excerpt: [] } as const;

async function open() {
  const done: string[] = [];
  const rig = await renderInWindow(
    <Palette
      pages={[{ id: 'alerts', label: 'Alerts' }]}
      returnTo={{ current: null }}
      onKeys={() => done.push('keys')}
      onClose={() => done.push('closed')}
    />,
    {
      'profiles.read': () => profiles(),
      'archive.search': () => ({ hits: [hit] }),
      'alerts.read': () => ({ rows: [], next: null }),
      'connection.retry': () => ({}),
    } as never,
  );
  return { ...rig, done };
}

const options = (): string[] => screen.getAllByRole('option').map(({ textContent }) => textContent);

test('finds a symbol, its actions and hits of the archive', async () => {
  const { user } = await open();
  expect(document.activeElement).toBe(screen.getByRole('combobox'));
  await user.keyboard('spy');
  await waitFor(() => expect(options().some((text) => text.includes('Rates rise'))).toBe(true));
  expect(options()[0]).toContain('SPY');
  expect(options()).toContainEqual(expect.stringContaining('Remove SPY'));
  expect(screen.getByRole('status').textContent).toMatch(/^\d+ results, all from this computer$/);
});

test('after ">" only commands match, and Enter runs the selected one', async () => {
  const { user, done } = await open();
  await user.keyboard('>legend');
  expect(options()).toHaveLength(1);
  await user.keyboard('{Enter}');
  expect(done).toEqual(['closed', 'keys']);
});
