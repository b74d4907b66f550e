// Test: the filters of the news.
import { screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { renderInWindow } from '../../../test/harness/window.tsx';
import { FilterBar } from './filter-bar.tsx';
import { queryOf, useView, type View, view } from './view.ts';

let shown: View | null = null;
function Probe() {
  shown = useView((now) => now);
  return null;
}
const current = (): View => shown as View;

async function open() {
  const moved: string[] = [];
  const pages = { first: { rows: [], next: null, total: 2, sources: ['Wire'] } } as never;
  const rig = await renderInWindow(
    <>
      <FilterBar pages={pages} search={{ current: null }} onDown={() => moved.push('down')} />
      <Probe />
    </>,
  );
  return { ...rig, moved };
}
const clear = () => screen.queryByRole('button', { name: 'Clear filters' });

beforeEach(view.clearFilters);

test('the news are filtered by words, sentiment, source and symbol, and all filters are cleared at once', async () => {
  const { user } = await open();
  expect(clear()).toBeNull();
  await user.type(screen.getByRole('searchbox'), 'rates');
  await user.click(screen.getByRole('button', { name: 'Negative' }));
  await user.selectOptions(screen.getByRole('combobox', { name: 'Source' }), 'Wire');
  await user.type(screen.getByRole('textbox', { name: 'Symbol' }), 'spy');
  expect(screen.getByRole<HTMLInputElement>('searchbox').value).toBe('rates');
  expect(screen.getByRole('button', { name: 'Negative' }).getAttribute('aria-pressed')).toBe('true');
  expect(queryOf(current(), 'utc', null)).toMatchObject({
    text: 'rates',
    sentiment: 'negative',
    source: 'Wire',
    symbol: 'SPY',
  });
  await user.click(clear() as HTMLElement);
  expect(screen.getByRole<HTMLInputElement>('searchbox').value).toBe('');
  expect(screen.getByRole<HTMLSelectElement>('combobox', { name: 'Source' }).value).toBe('');
  expect(clear()).toBeNull();
});

test('Escape clears the search, and the arrow goes to the list', async () => {
  const { user, moved } = await open();
  await user.type(screen.getByRole('searchbox'), 'rates{ArrowDown}{Escape}');
  expect(screen.getByRole<HTMLInputElement>('searchbox').value).toBe('');
  expect(moved).toEqual(['down']);
});
