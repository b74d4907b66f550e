// Test: holdings of a list: typed, pasted, imported, exported with the list, and its risk line.
import { screen, within } from '@testing-library/react';
import { expect, onTestFinished, test } from 'vitest';
import type { Watchlist } from '../../../shared/domain/watchlists.ts';
import { row, snapshot } from '../../../test/fixtures/window-fixtures.ts';
import { renderInWindow } from '../../../test/harness/window.tsx';
import { useSnapshot } from '../../store/store.ts';
import { holdingsCsv, readHoldings, writeHoldings } from './holdings-file.ts';
import { HoldingsLine } from './holdings-line.tsx';
import { holdingsIn, writeList } from './list-file.ts';
import { ListHead } from './list-head.tsx';

const DESK: Watchlist = { id: 'desk', name: 'Desk list', sections: [{ name: 'Core', symbols: ['SPY', 'QQQ'] }] };
const held = (unit: 'weight' | 'quantity', amounts: Readonly<Record<string, number>>) => ({
  unit,
  rows: Object.entries(amounts).map(([symbol, amount]) => ({ symbol, amount })),
});

function Head() {
  const [list] = useSnapshot((now) => now.watchlists);
  if (list === undefined) return null;
  return (
    <>
      <ListHead list={list} />
      <HoldingsLine list={list} />
    </>
  );
}
async function open(list: Watchlist) {
  const saved: Watchlist[][] = [];
  const rig = await renderInWindow(<Head />, {
    'state.snapshot': () => snapshot({ watchlists: [list], rows: [row('SPY', 2), row('QQQ', 0)] }),
    'watchlist.save'({ watchlists }) {
      saved.push(watchlists);
      return {};
    },
  });
  onTestFinished(() => rig.advance(2_000));
  const openDialog = async (): Promise<HTMLElement> => {
    await rig.user.click(screen.getByRole('button', { name: 'Watchlist: Desk list' }));
    await rig.user.click(await screen.findByRole('menuitem', { name: 'Holdings…' }));
    return screen.findByRole('dialog', { name: 'Holdings of Desk list' });
  };
  return { ...rig, saved, openDialog };
}

test('typed lines become holdings of the list, and what it did not watch is added', async () => {
  const { user, saved, openDialog } = await open(DESK);
  const dialog = await openDialog();
  const field = within(dialog).getByRole('textbox', { name: 'Symbol, amount' });
  await user.type(field, 'spy, 40{enter}tlt 60{enter}what');
  expect(within(dialog).getByRole('status').textContent).toContain('what is no holding');
  expect(within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Save holdings' }).disabled).toBe(true);
  await user.type(field, '{backspace}{backspace}{backspace}{backspace}');
  await user.click(within(dialog).getByRole('button', { name: 'Save holdings' }));
  expect(saved.at(-1)).toEqual([
    {
      ...DESK,
      sections: [{ name: 'Core', symbols: ['SPY', 'QQQ', 'TLT'] }],
      holdings: held('weight', { SPY: 40, TLT: 60 }),
    },
  ]);
});

test('an empty text removes them', async () => {
  const { user, saved, openDialog } = await open({ ...DESK, holdings: held('weight', { SPY: 1 }) });
  const dialog = await openDialog();
  await user.clear(within(dialog).getByRole('textbox', { name: 'Symbol, amount' }));
  await user.click(within(dialog).getByRole('button', { name: 'Save holdings' }));
  expect(saved.at(-1)).toEqual([DESK]);
});

test('the list says its risk by weight, and what is not covered', async () => {
  await open({ ...DESK, holdings: held('weight', { SPY: 50, QQQ: 30, TSLA: 20 }) });
  const line = screen.getByRole('region', { name: 'Risk of the holdings' }).textContent?.replaceAll('\u00a0', ' ');
  expect(line).toContain('50.0 % High Risk');
  expect(line).toContain('0.0 % Elevated');
  expect(line).toContain('30.0 % Normal');
  expect(line).toContain('of the weight');
  expect(line).toContain('Not covered: 20.0 % of the weight (TSLA).');
});

test('a list without holdings has no such line', async () => {
  await open(DESK);
  expect(screen.queryByRole('region', { name: 'Risk of the holdings' })).toBeNull();
});

test.each([
  ['SPY, 40\nTLT, 60', 'weight', { SPY: 40, TLT: 60 }],
  ['spy 40 %\ntlt\t60', 'weight', { SPY: 40, TLT: 60 }],
  ['Ticker,Name,Shares\nAAPL,Apple,"1,200"\nBRK.B,Berkshire,3', 'quantity', { AAPL: 1200, 'BRK.B': 3 }],
  ['symbol;weight\nSPY;12,5\n', 'weight', { SPY: 12.5 }],
  ['SPY, 1\nSPY, 2', 'weight', { SPY: 3 }],
  ['', 'weight', {}],
] as const)('reads %j', (text, unit, amounts) => {
  expect(readHoldings(text, 'weight')).toEqual({ holdings: held(unit, amounts), unread: [] });
});

test('what is no holding is named, never guessed', () => {
  expect(readHoldings('SPY, 40\nQQQ, -3\n$$$, 2\nIWM', 'weight')).toEqual({
    holdings: held('weight', { SPY: 40 }),
    unread: ['QQQ, -3', '$$$, 2', 'IWM'],
  });
});

test('what is written is read again, alone and with its list', () => {
  const holdings = held('quantity', { SPY: 12.5, QQQ: 3 });
  expect(readHoldings(holdingsCsv(holdings), 'weight').holdings).toEqual(holdings);
  expect(readHoldings(writeHoldings(holdings), 'quantity').holdings).toEqual(holdings);
  expect(holdingsIn(writeList({ ...DESK, holdings }, 'csv'))).toEqual(holdings);
  expect(holdingsIn(writeList(DESK, 'csv'))).toBeNull();
});
