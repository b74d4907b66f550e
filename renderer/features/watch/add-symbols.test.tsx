// Test: the form that adds symbols to a watchlist.
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { FindableInstrument } from '../../../shared/domain/instrument-search.ts';
import { type CoreHandlers, renderInWindow } from '../../../test/harness/window.tsx';
import { useListNote } from '../../store/list-edits.ts';
import { useSnapshot } from '../../store/store.ts';
import { AddSymbols, suggestionsFor } from './add-symbols.tsx';

function Head({ onClose }: { onClose: () => void }) {
  const [list] = useSnapshot((snapshot) => snapshot.watchlists);
  const note = useListNote();
  return (
    <>
      {list !== undefined && <AddSymbols list={list} onClose={onClose} />}
      <output>{note?.said.kind === 'done' && note.said.message}</output>
    </>
  );
}

async function open(more: CoreHandlers = {}) {
  const closed: string[] = [];
  const rig = await renderInWindow(<Head onClose={() => closed.push('closed')} />, {
    'watchlist.save': () => ({}),
    ...more,
  });
  return { ...rig, closed };
}
const field = () => screen.getByRole<HTMLInputElement>('combobox', { name: /^Add symbols to / });

test('the field for symbols has the focus, adds what is not listed yet, and is empty for the next ones', async () => {
  const { user, calls } = await open();
  expect(document.activeElement).toBe(field());
  await user.keyboard('aapl, spy brk.b{Enter}');
  await waitFor(() => expect(field().value).toBe(''));
  expect(calls).toMatchObject([
    { input: { watchlists: [{ sections: [{ symbols: ['SPY', 'QQQ', 'AAPL', 'BRK.B'] }] }] } },
  ]);
});

test('the field for symbols says that one is listed already, and sends nothing', async () => {
  const { user, calls } = await open();
  await user.keyboard('qqq{Enter}');
  await screen.findByText('QQQ is in this list already.');
  expect(calls).toEqual([]);
});

test('the field for symbols says what is none, until it is corrected', async () => {
  const { user, calls } = await open();
  await user.keyboard('AAPL much-too-long-for-one{Enter}');
  await screen.findByText(/^much-too-long-for-one is not a symbol/);
  expect([calls, field().value, field().getAttribute('aria-invalid')]).toEqual([
    [],
    'AAPL much-too-long-for-one',
    'true',
  ]);
  await user.keyboard('{Backspace>19/}');
  await waitFor(() => expect(screen.queryByText(/is not a symbol/)).toBeNull());
});

test('Escape and the button close it', async () => {
  const { user, closed } = await open();
  await user.keyboard('{Escape}');
  await user.click(screen.getByRole('button', { name: 'Close' }));
  expect(closed).toEqual(['closed', 'closed']);
});

const CATALOGUE = {
  'instruments.read': () => ({
    instruments: [
      { symbol: 'SPY', name: 'S&P 500 ETF', asset_class: 'etf' as const },
      { symbol: 'TSLA', name: 'Tesla, Inc.', asset_class: 'equity' as const },
      { symbol: 'MSFT', name: 'Microsoft Corp.', asset_class: 'equity' as const },
    ],
    is_whole: true,
  }),
};
const options = () => screen.queryAllByRole('option').map(({ textContent }) => textContent);

test('suggests symbol, name and class; Enter takes the first; what is not covered comes last and says so', async () => {
  const { user, calls } = await open(CATALOGUE);
  await user.keyboard('spy, tesla');
  await waitFor(() =>
    expect(options()).toEqual(['TSLA Tesla, Inc. · share', 'TESLA This service has no signal for it. Add it anyway.']),
  );
  await user.keyboard('{Enter}');
  await screen.findByText('TSLA added to Core.');
  expect(JSON.stringify(calls)).toContain('"TSLA"]');
  expect(field().value).toBe('');
});

test('the arrow keys choose, and a symbol without a signal is added with a warning', async () => {
  const { user, calls } = await open(CATALOGUE);
  await user.keyboard('tesla');
  await waitFor(() => expect(options()).toHaveLength(2));
  await user.keyboard('{ArrowDown}');
  expect(field().getAttribute('aria-activedescendant')).toBe(screen.getAllByRole('option')[1]?.id);
  await user.keyboard('{Enter}');
  await screen.findByText('TESLA added to Core. This service has no signal for TESLA.');
  expect(calls).toHaveLength(1);
});

test('a click takes a suggestion, and the field keeps the focus', async () => {
  const { user, calls } = await open(CATALOGUE);
  await user.keyboard('micro');
  await user.click(await screen.findByRole('option', { name: /^MSFT/ }));
  await waitFor(() => expect(calls).toHaveLength(1));
  expect(document.activeElement).toBe(field());
});

const ALL: readonly FindableInstrument[] = [
  { symbol: 'SPY', name: 'S&P 500 ETF', asset_class: 'etf' },
  { symbol: 'TSLA', name: 'Tesla, Inc.', asset_class: 'equity' },
  { symbol: 'BRK.B', name: 'Berkshire Hathaway', asset_class: 'equity' },
];
const get = (symbol: string) => ALL.find((one) => one.symbol === symbol);
const all = { all: ALL, get, isCovered: (symbol: string) => get(symbol) !== undefined };
const suggested = (text: string, instruments = all as Parameters<typeof suggestionsFor>[1]) => {
  const { head, options, isFirstChosen } = suggestionsFor(text, instruments);
  const names = options.map(({ symbol, instrument }) => (instrument === null ? `${symbol}?` : symbol));
  return [head, names.join(' '), isFirstChosen];
};

test('a name suggests its symbol, chosen by Enter; what is not covered comes last', () => {
  expect(suggested('tesla')).toEqual(['', 'TSLA TESLA?', true]);
  expect(suggested('berkshire hat')).toEqual(['', 'BRK.B', true]);
});

test('a symbol of the service is taken as typed', () => {
  expect(suggested('spy')).toEqual(['', 'SPY', false]);
  expect(suggested('brk.b')).toEqual(['', 'BRK.B', false]);
});

test('a suggestion after other symbols replaces only the end', () => {
  expect(suggested('SPY, berkshire hath')).toEqual(['SPY, ', 'BRK.B', true]);
  expect(suggested('SPY tes')).toEqual(['SPY ', 'TSLA TES?', true]);
  expect(suggested('SPY, ')).toEqual(['SPY, ', '', false]);
});

test('an unknown symbol alone is not chosen by Enter before it was typed to its end', () => {
  expect(suggested('zzzz')).toEqual(['', 'ZZZZ?', false]);
});

test('while the service has not listed its instruments nothing is called uncovered', () => {
  expect(suggested('zzzz', { all: [], get: () => undefined, isCovered: () => null })).toEqual(['', '', false]);
});
