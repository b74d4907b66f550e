// Test: the list of briefings by keyboard and pointer.
import { act, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import type { BriefingRow } from '../../../shared/channels/archive.ts';
import { archive } from '../../../test/fixtures/feature-fixtures.ts';
import { iso, T0 } from '../../../test/fixtures/window-fixtures.ts';
import { renderInWindow } from '../../../test/harness/window.tsx';
import { createWindowRig } from '../../../test/harness/window-rig.tsx';
import { ActNote } from '../inbox/index.ts';
import { List, MarkAllRead } from './list.tsx';
import type { BriefingRows } from './use-briefing-rows.ts';
import { view } from './view.ts';

const row = (number: number, more: Partial<BriefingRow> = {}): BriefingRow => ({
  id: `b${number}`,
  type: 'midday',
  title: `Title ${number}`,
  author: 'Equity desk',
  date: iso(T0 - number * 60_000),
  summary: '',
  symbols: ['SPY'],
  reading_minutes: 2,
  unread: true,
  starred: false,
  later: false,
  text: 'here',
  excerpt: null,
  ...more,
});

async function open(rows: readonly BriefingRow[]) {
  const rig = await createWindowRig();
  const calls: string[] = [];
  const listed: BriefingRows = {
    rows,
    total: rows.length,
    pages: {
      rows,
      first: { rows: [...rows], next: null, total: rows.length },
      isCurrent: true,
      isDone: true,
      isFetching: false,
      next: 'none',
      error: null,
      hasFailed: false,
      tookMs: 1,
      retry: () => undefined,
    },
    step: (by) => calls.push(`step ${by}`),
    openNextUnread: () => undefined,
    isAllRead: false,
    want: () => undefined,
    readPreview: () => undefined,
  };
  rig.render(
    <List
      listed={listed}
      search={{ current: null }}
      boxes={{ label: 'Unread 2', open: false, onToggle: () => calls.push('boxes') }}
      onRead={() => calls.push(`read ${view.read().open}`)}
    />,
  );
  await rig.idle();
  return calls;
}

const focused = (): string | undefined => (document.activeElement as HTMLElement).dataset.row;
const selected = (): string => screen.getByRole('option', { selected: true }).dataset.row ?? '';

beforeEach(view.reset);

test('the briefings are listed with position, flags and size', async () => {
  await open([row(1, { starred: true }), row(2)]);
  const [first] = within(screen.getByRole('listbox')).getAllByRole('option');
  expect([first?.getAttribute('aria-posinset'), first?.getAttribute('aria-setsize')]).toEqual(['1', '2']);
  expect(first?.textContent).toContain('starred');
});

test('arrows open the next briefing and keep it in its box, Enter goes to the text', async () => {
  const calls = await open([row(1), row(2), row(3)]);
  act(() => screen.getByText('Title 1').closest<HTMLElement>('[role="option"]')?.focus());
  await userEvent.keyboard('{ArrowDown}');
  expect([focused(), selected()]).toEqual(['b2', 'b2']);
  expect(view.read().retained.map(({ id }) => id)).toEqual(['b2']);
  await userEvent.keyboard('{Enter}');
  expect(calls).toEqual(['read b2']);
  expect(view.read().side).toBe('text');
});

test('a click opens a briefing', async () => {
  await open([row(1), row(2)]);
  await userEvent.click(screen.getByText('Title 2'));
  expect(selected()).toBe('b2');
});

test('the arrow goes from the search to the list, and Escape clears the search', async () => {
  await open([row(1), row(2)]);
  const search = screen.getByRole('searchbox');
  await userEvent.type(search, 'rate{ArrowDown}');
  expect([focused(), selected()]).toEqual(['b1', 'b1']);
  await userEvent.type(search, '{Escape}');
  expect(view.read().text).toBe('');
});

test('all briefings are marked read with one button, which can be undone', async () => {
  const ids = Array.from({ length: 1001 }, (_, index) => `b${index}`);
  const rig = await renderInWindow(
    <>
      <MarkAllRead />
      <ActNote />
    </>,
    {
      'archive.read': () => archive({ briefings: { ...archive().briefings, unread: 1001 } }),
      'briefings.markAllRead': () => ({ ids }),
      'briefings.flag': () => ({}),
    },
  );
  await rig.user.click(screen.getByRole('button', { name: 'Mark all 1001 read' }));
  expect(await screen.findByText('1001 briefings marked read.')).toBeDefined();
  await rig.user.click(screen.getByRole('button', { name: 'Undo' }));
  expect(await screen.findByText('Undone.')).toBeDefined();
  expect(rig.calls.slice(1)).toEqual([
    { name: 'briefings.flag', input: { ids: ids.slice(0, 1000), unread: true } },
    { name: 'briefings.flag', input: { ids: ['b1000'], unread: true } },
  ]);
  await act(() => rig.push('archive.changed', archive({ briefings: { ...archive().briefings, unread: 0 } })));
  expect(screen.queryByRole('button', { name: /Mark all/ })).toBeNull();
});

test('with a filter the button marks the briefings that the list shows, and says how many', async () => {
  const asked: unknown[] = [];
  const rig = await renderInWindow(<MarkAllRead />, {
    'archive.read': () => archive({ briefings: { ...archive().briefings, unread: 40 } }),
    'briefings.list'(query) {
      asked.push(query);
      return { rows: [], next: null, total: 3 };
    },
    'briefings.markAllRead': () => ({ ids: ['b1', 'b2', 'b3'] }),
  });
  await act(() => view.filter({ types: ['midday'], symbol: 'SPY' }));
  await rig.user.click(await screen.findByRole('button', { name: 'Mark these 3 read' }));
  expect(asked).toMatchObject([{ box: 'unread', unread: true, types: ['midday'], symbol: 'SPY', limit: 1 }]);
  expect(rig.calls).toMatchObject([
    { name: 'briefings.markAllRead', input: { box: 'unread', types: ['midday'], symbol: 'SPY' } },
  ]);
  await act(() => view.reset());
});
