// Test: the list of news by keyboard.
import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import type { NewsRow } from '../../../shared/channels/archive.ts';
import { message } from '../../../shared/text/message.ts';
import { archive, profiles } from '../../../test/fixtures/feature-fixtures.ts';
import { iso, T0 } from '../../../test/fixtures/window-fixtures.ts';
import { renderInWindow } from '../../../test/harness/window.tsx';
import { createWindowRig } from '../../../test/harness/window-rig.tsx';
import type { ChannelList } from '../../queries/use-channel-list.ts';
import { Detail } from './detail.tsx';
import { NewsList } from './news-list.tsx';
import { NewsPage } from './news-page.tsx';
import { view } from './view.ts';

const item = (number: number): NewsRow => ({
  id: `n${number}`,
  headline: `Headline ${number}`,
  summary: '',
  source: 'Wire',
  url: 'https://news.example/1',
  published_at: iso(T0 - number * 60_000),
  symbols: ['SPY'],
  sentiment: { label: 'neutral', score: 0 },
  excerpt: null,
});

const pages = (rows: readonly NewsRow[], more: Partial<ChannelList<'news.list'>> = {}): ChannelList<'news.list'> => ({
  rows,
  first: { rows: [...rows], next: null, total: rows.length, sources: ['Wire'] },
  isCurrent: true,
  isDone: true,
  isFetching: false,
  next: 'none',
  error: null,
  hasFailed: false,
  tookMs: 1,
  retry: () => undefined,
  ...more,
});

async function open(list: ChannelList<'news.list'>) {
  const rig = await createWindowRig();
  const read: string[] = [];
  const wanted: number[] = [];
  rig.render(
    <NewsList pages={list} want={(index) => void wanted.push(index)} onRead={() => read.push(focused() ?? '')} />,
  );
  await rig.idle();
  return { read, wanted };
}

const focused = (): string | undefined => (document.activeElement as HTMLElement).dataset.row;
const selected = (): string | undefined => screen.getByRole('row', { selected: true }).dataset.row;

beforeEach(() => view.open(''));

test('the news are listed by time, and rows that come into view are requested', async () => {
  const { wanted } = await open(pages(Array.from({ length: 300 }, (_, index) => item(index))));
  const [head, first] = within(screen.getByRole('grid')).getAllByRole('row');
  expect(within(head as HTMLElement).getAllByRole('columnheader')).toHaveLength(5);
  expect(first?.textContent).toContain('Headline 0');
  expect(wanted.at(-1)).toBeLessThan(60);
  await userEvent.tab();
  await userEvent.keyboard('{End}');
  expect(wanted.at(-1)).toBe(299);
});

test('an unknown time and an unknown sentiment are called unknown', async () => {
  const untimed: NewsRow = { ...item(1), published_at: null, sentiment: null };
  await open(pages([untimed]));
  expect(screen.getByRole('row', { name: /Headline 1/ }).textContent).toMatch(/not known.*not known/);
  await renderInWindow(
    <Detail item={untimed} seeking={false} gone={false} isBeyond={false} filtered={false} ref={null} />,
  );
  expect(screen.getByText('Time not given')).toBeDefined();
  expect(document.querySelector('time')).toBeNull();
});

test('arrows open the next item, Enter goes to its text', async () => {
  const { read } = await open(pages([item(1), item(2), item(3)]));
  await userEvent.tab();
  await userEvent.keyboard('{ArrowDown}');
  expect([focused(), selected()]).toEqual(['n2', 'n2']);
  await userEvent.keyboard('{Enter}');
  expect(read).toEqual(['n2']);
  await userEvent.click(screen.getByText('Headline 3'));
  expect(selected()).toBe('n3');
});

test('a profile over prices alone promises no news, and nothing to choose', async () => {
  const [profile] = profiles().profiles;
  const source = { kind: 'prices' as const, folder: '/prices', editorial: null, replay: null };
  await renderInWindow(
    <>
      <NewsList pages={pages([])} want={() => undefined} onRead={() => undefined} />
      <Detail item={null} seeking={false} gone={false} isBeyond={false} filtered={false} ref={null} />
    </>,
    { 'profiles.read': () => profiles({ profiles: profile === undefined ? [] : [{ ...profile, source }] }) },
  );
  expect(screen.getByRole('status').textContent).toBe('No newsThis profile has prices alone. They come without news.');
  expect(screen.queryByText('Choose an item.')).toBeNull();
});

test('the list of news says why it has no rows: loading, failed, or empty', async () => {
  const retried: string[] = [];
  await open(pages([], { isCurrent: false, isFetching: true }));
  expect(screen.queryByRole('grid')).toBeNull();
  await open(pages([], { error: new Error('The archive is busy.'), retry: () => retried.push('retry') }));
  expect(screen.getByText(/The archive is busy/)).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: /again|retry/i }));
  expect(retried).toEqual(['retry']);
});

test('rows of another query are not shown for a failed query', async () => {
  const error = new Error('The archive is busy.');
  await open(pages([item(1)], { isCurrent: false, error, hasFailed: true }));
  expect(screen.getByText(/The archive is busy/)).toBeDefined();
  expect(screen.queryByRole('grid')).toBeNull();
});

test('while the service gives no newer items, the stored ones are not taken for the newest', async () => {
  await renderInWindow(<NewsPage />, {
    'archive.read': () => archive({ news: 1, news_problem: message('archive.no_news') }),
    'news.list': () => ({ rows: [item(1)], next: null, total: 1, sources: ['Wire'] }),
  });
  expect(await screen.findByText('Headline 1')).toBeDefined();
  expect(screen.getByText('No newer items are received. This service has no news.')).toBeDefined();
});

test('an item older than the listed ones is not called gone', async () => {
  await renderInWindow(<Detail item={null} seeking={false} gone isBeyond filtered={false} ref={null} />);
  expect(screen.getByText(/^This item is older than those that are listed/)).toBeDefined();
});
