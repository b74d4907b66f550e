// Test: the next unread briefing, also where it is further down than the list was read.
import { act, screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { archive } from '../../../test/fixtures/feature-fixtures.ts';
import { iso, T0 } from '../../../test/fixtures/window-fixtures.ts';
import { renderInWindow } from '../../../test/harness/window.tsx';
import { useBriefingRows } from './use-briefing-rows.ts';
import { view } from './view.ts';

const PAGE = 200;
const ALL = 450;

const row = (number: number, unread: boolean) => ({
  id: `b${number}`,
  type: 'midday',
  title: `Title ${number}`,
  author: 'Equity desk',
  date: iso(T0 - number * 60_000),
  summary: '',
  symbols: ['SPY'],
  reading_minutes: 2,
  unread,
  starred: false,
  later: false,
  text: 'here' as const,
  excerpt: null,
});

function Next() {
  const { openNextUnread, isAllRead } = useBriefingRows();
  return (
    <button type="button" onClick={openNextUnread}>
      {isAllRead ? 'all read' : 'next'}
    </button>
  );
}

async function open(unread: number) {
  act(() => view.showBox('all'));
  return renderInWindow(<Next />, {
    'archive.read': () => archive(),
    'briefings.list'({ after }) {
      const first = after === null ? 0 : Number(after);
      const rows = Array.from({ length: Math.min(PAGE, ALL - first) }, (_, index) =>
        row(first + index, first + index === unread),
      );
      return { rows, next: first + PAGE < ALL ? String(first + PAGE) : null, total: ALL };
    },
    'briefings.read': () => ({}) as never,
  });
}

beforeEach(() => act(view.reset));

test('a briefing beyond the first page is opened', async () => {
  const { user } = await open(420);
  await user.click(screen.getByRole('button', { name: 'next' }));
  await screen.findByRole('button', { name: 'next' });
  await expect.poll(() => view.read().open).toBe('b420');
});

test('no further briefing is announced once the list was read to its end', async () => {
  const { user } = await open(-1);
  await user.click(screen.getByRole('button', { name: 'next' }));
  expect(await screen.findByRole('button', { name: 'all read' })).toBeDefined();
  expect(view.read().open).toBeNull();
});
