// Test: holdings of a list: typed, pasted, imported, exported with the list, and its risk line.
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Watchlist } from '../../../shared/domain/watchlists.ts';
import { row, snapshot } from '../../../test/fixtures/window-fixtures.ts';
import { refuse, renderInWindow } from '../../../test/harness/window.tsx';
import { useListNote } from '../../store/list-edits.ts';
import { useSnapshot } from '../../store/store.ts';
import { holdingsCsv, readHoldings } from './holdings-file.ts';
import { HoldingsLine } from './holdings-line.tsx';
import { openHoldings } from './holdings-open.ts';
import { holdingsIn, writeList } from './list-file.ts';
import { ListHead } from './list-head.tsx';

const DESK: Watchlist = { id: 'desk', name: 'Desk list', sections: [{ name: 'Core', symbols: ['SPY', 'QQQ'] }] };
const held = (unit: 'weight' | 'quantity', amounts: Readonly<Record<string, number>>) => ({
  unit,
  rows: Object.entries(amounts).map(([symbol, amount]) => ({ symbol, amount })),
});

function Head() {
  const [list] = useSnapshot((now) => now.watchlists);
  const note = useListNote();
  if (list === undefined) return null;
  return (
    <div className="page-body" tabIndex={-1}>
      <output data-testid="note">{note?.said.message}</output>
      <ListHead list={list} />
      <HoldingsLine list={list} />
    </div>
  );
}
async function open(list: Watchlist, refusal?: string) {
  const saved: Watchlist[][] = [];
  const rig = await renderInWindow(<Head />, {
    'state.snapshot': () => snapshot({ watchlists: [list], rows: [row('SPY', 2), row('QQQ', 0)] }),
    'watchlist.save'({ watchlists }) {
      if (refusal !== undefined) refuse(refusal);
      saved.push(watchlists);
      return {};
    },
  });
  const openDialog = async (): Promise<HTMLElement> => {
    await rig.user.click(screen.getByRole('button', { name: 'Watchlist: Desk list' }));
    await rig.user.click(await screen.findByRole('menuitem', { name: 'Holdings…' }));
    return screen.findByRole('dialog', { name: 'Holdings of Desk list' });
  };
  return { ...rig, saved, openDialog };
}

const cell = (name: string): HTMLInputElement => screen.getByRole('textbox', { name });
const focusedName = (): string | null => document.activeElement?.getAttribute('aria-label') ?? null;
const total = (): string | null => screen.getAllByRole('status').at(-1)?.textContent ?? null;

test('holdings are typed by keys alone: Enter goes on to the next cell and row, and at the end to Save', async () => {
  const { user, saved, openDialog } = await open(DESK);
  await openDialog();
  await user.click(cell('Symbol, row 1'));
  await user.keyboard('spy{Enter}40{Enter}tlt{Enter}60');
  expect(total()).toBe('2 holdings, weights add up to 100.');
  await user.keyboard('{Enter}');
  expect(focusedName()).toBe('Symbol, row 3');
  await user.keyboard('{Enter}');
  expect(document.activeElement?.textContent).toBe('Save holdings');
  await user.keyboard('{Enter}');
  expect(saved.at(-1)).toEqual([
    {
      ...DESK,
      sections: [{ name: 'Core', symbols: ['SPY', 'QQQ', 'TLT'] }],
      holdings: held('weight', { SPY: 40, TLT: 60 }),
    },
  ]);
});

test('the dialog gives the focus back to the menu that opened it, or to the page where the palette of another did', async () => {
  const { user, openDialog } = await open(DESK);
  await openDialog();
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Watchlist: Desk list' }));
  act(() => (document.activeElement as HTMLElement).blur());
  act(openHoldings);
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(document.activeElement?.className).toBe('page-body');
});

test('after Enter the next field has the focus at once: no key of a fast typist lands in another one', async () => {
  const { user, openDialog } = await open(DESK);
  await openDialog();
  await user.click(cell('Symbol, row 1'));
  await user.keyboard('spy');
  fireEvent.keyDown(cell('Symbol, row 1'), { key: 'Enter' });
  expect(focusedName()).toBe('Weight, row 1');
  await user.keyboard('60');
  fireEvent.keyDown(cell('Weight, row 1'), { key: 'Enter' });
  expect(focusedName()).toBe('Symbol, row 2');
  fireEvent.keyDown(cell('Symbol, row 2'), { key: 'ArrowUp' });
  expect(focusedName()).toBe('Symbol, row 1');
});

test('a holding is changed, one is removed, one is added; the focus stays in the table', async () => {
  const { user, saved, openDialog } = await open({ ...DESK, holdings: held('weight', { SPY: 40, TLT: 60, GLD: 5 }) });
  await openDialog();
  await user.click(cell('Weight, row 1'));
  await user.keyboard('{ArrowDown}');
  expect(focusedName()).toBe('Weight, row 2');
  await user.keyboard('{ArrowUp}25.5');
  screen.getByRole('button', { name: 'Remove TLT' }).focus();
  await user.keyboard('{Enter}');
  expect([focusedName(), cell('Symbol, row 2').value]).toEqual(['Symbol, row 2', 'GLD']);
  await user.click(screen.getByRole('button', { name: 'Add a holding' }));
  await user.keyboard('qqq{Enter}10');
  await user.click(screen.getByRole('button', { name: 'Save holdings' }));
  expect(saved.at(-1)?.[0]?.holdings).toEqual(held('weight', { SPY: 25.5, GLD: 5, QQQ: 10 }));
});

test('a row is removed with the pointer while another has the focus: nothing else changes', async () => {
  const { user, saved, openDialog } = await open({ ...DESK, holdings: held('weight', { SPY: 40, TLT: 60, GLD: 5 }) });
  await openDialog();
  await user.click(cell('Symbol, row 3'));
  await user.click(screen.getByRole('button', { name: 'Remove TLT' }));
  expect(screen.getAllByRole('textbox')).toHaveLength(4);
  await user.click(screen.getByRole('button', { name: 'Save holdings' }));
  expect(saved.at(-1)?.[0]?.holdings).toEqual(held('weight', { SPY: 40, GLD: 5 }));
});

test('a row that is no holding is refused at its cell, and nothing is saved', async () => {
  const { user, saved, openDialog } = await open(DESK);
  const dialog = await openDialog();
  await user.click(cell('Symbol, row 1'));
  await user.keyboard('spy{Enter}40{Enter}what?{Enter}-3{Enter}SPY{Enter}1');
  await user.click(screen.getByRole('button', { name: 'Save holdings' }));
  expect(
    within(dialog)
      .getAllByRole('alert')
      .map(({ textContent }) => textContent),
  ).toEqual([
    '1 to 15 letters, digits or . ^ = -',
    'An amount above 0, like 40.',
    'SPY has a row above: change its amount.',
  ]);
  expect([total(), saved]).toEqual(['3 fields need a change.', []]);
});

test('a table that the core refuses stays as it was typed, and says why', async () => {
  const { user, openDialog } = await open(DESK, 'The disk is full.');
  const dialog = await openDialog();
  await user.click(cell('Symbol, row 1'));
  await user.keyboard('spy{Enter}40');
  await user.click(screen.getByRole('button', { name: 'Save holdings' }));
  expect(await within(dialog).findByText('The disk is full.')).toBeDefined();
  expect([cell('Symbol, row 1').value, cell('Weight, row 1').value]).toEqual(['spy', '40']);
});

test('lines of a spreadsheet are pasted as rows; a row that is no holding stays to be corrected', async () => {
  const { user, saved, openDialog } = await open(DESK);
  const dialog = await openDialog();
  await user.click(cell('Symbol, row 1'));
  await user.paste('SPY\t40\nTLT\t60\nCASH\tnone\n');
  expect([cell('Symbol, row 3').value, cell('Weight, row 3').value]).toEqual(['CASH', 'none']);
  expect(await within(dialog).findByText('An amount above 0, like 40.')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Remove CASH' }));
  await user.click(screen.getByRole('button', { name: 'Save holdings' }));
  expect(saved.at(-1)?.[0]?.holdings).toEqual(held('weight', { SPY: 40, TLT: 60 }));
});

test('holdings beyond the limit are counted, in a paste and in an import', async () => {
  const lines = Array.from({ length: 2003 }, (_, index) => `S${index},${index + 1}`);
  expect(readHoldings(lines.join('\n'), 'weight')).toMatchObject({ beyond: 3, unread: [] });
  expect(readHoldings([...lines.slice(0, 2000), 'S0,1'].join('\n'), 'weight')).toMatchObject({ beyond: 0 });
  const { user } = await open(DESK);
  const file = new File([`symbol,weight\n${lines.join('\n')}\n`], 'all.csv', { type: 'text/csv' });
  await user.upload(screen.getByLabelText('Import CSV or TXT', { selector: 'input' }), file);
  await waitFor(() =>
    expect(screen.getByTestId('note').textContent).toContain(
      'Left out: the last 3; a list has at most 2,000 holdings.',
    ),
  );
});

test('holdings pasted into a full table: rows beyond the limit are counted', { tags: ['long'] }, async () => {
  const rows = Object.fromEntries(Array.from({ length: 1999 }, (_, index) => [`S${index}`, 1]));
  const { user, saved, openDialog } = await open({
    ...DESK,
    sections: [{ name: 'Core', symbols: ['SPY'] }],
    holdings: held('weight', rows),
  });
  const dialog = await openDialog();
  await user.click(cell('Symbol, row 1999'));
  await user.paste('SPY\t40\nTLT\t60\nGLD\t5\n');
  expect(await within(dialog).findByText('Left out: the last 2; a list has at most 2,000 holdings.')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Save holdings' }));
  await waitFor(() => expect(saved.at(-1)?.[0]?.holdings?.rows.at(-1)).toEqual({ symbol: 'SPY', amount: 40 }));
  expect(saved.at(-1)?.[0]?.holdings?.rows).toHaveLength(2000);
});

test('a CSV replaces the table, with its unit', async () => {
  const { user, saved, openDialog } = await open({ ...DESK, holdings: held('weight', { GLD: 1 }) });
  await openDialog();
  const file = new File(['Ticker,Shares\nAAPL,"1,200"\nTotal,\n'], 'broker.csv', { type: 'text/csv' });
  await user.upload(screen.getByLabelText('Import CSV', { selector: 'input' }), file);
  expect((await screen.findByRole<HTMLInputElement>('textbox', { name: 'Quantity, row 1' })).value).toBe('1200');
  expect(total()).toBe('1 holding.');
  await user.click(screen.getByRole('button', { name: 'Save holdings' }));
  expect(saved.at(-1)?.[0]?.holdings).toEqual(held('quantity', { AAPL: 1200 }));
});

test('an empty table removes the holdings', async () => {
  const { user, saved, openDialog } = await open({ ...DESK, holdings: held('weight', { SPY: 1 }) });
  await openDialog();
  await user.click(screen.getByRole('button', { name: 'Remove SPY' }));
  expect(cell('Symbol, row 1').value).toBe('');
  await user.click(screen.getByRole('button', { name: 'Save holdings' }));
  expect(saved.at(-1)).toEqual([DESK]);
});

test('the list shows its risk by weight, and the symbols that are not covered', async () => {
  await open({ ...DESK, holdings: held('weight', { SPY: 50, QQQ: 30, TSLA: 20 }) });
  const line = screen.getByRole('region', { name: 'Risk of the holdings' }).textContent?.replaceAll('\u00a0', ' ');
  expect(line).toContain('50.0 % High Risk');
  expect(line).toContain('0.0 % Elevated');
  expect(line).toContain('30.0 % Normal');
  expect(line).toContain('of the weight');
  expect(line).toContain('Not covered: 20.0 % of the weight (TSLA).');
});

test('a list without holdings shows no risk', async () => {
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
] as const)('the holdings in %j are read', (text, unit, amounts) => {
  expect(readHoldings(text, 'weight')).toEqual({ holdings: held(unit, amounts), unread: [], beyond: 0 });
});

test('a line that is no holding is named, never guessed', () => {
  expect(readHoldings('SPY, 40\nQQQ, -3\n$$$, 2\nIWM', 'weight')).toEqual({
    holdings: held('weight', { SPY: 40 }),
    unread: [
      { symbol: 'QQQ', amount: '-3' },
      { symbol: '$$$', amount: '2' },
      { symbol: 'IWM', amount: '' },
    ],
    beyond: 0,
  });
});

test('written holdings are read back, alone and with their list', () => {
  const holdings = held('quantity', { SPY: 12.5, QQQ: 3 });
  expect(readHoldings(holdingsCsv(holdings), 'weight').holdings).toEqual(holdings);
  expect(holdingsIn(writeList({ ...DESK, holdings }, 'csv'))).toEqual({ holdings, unread: [], beyond: 0 });
  expect(holdingsIn(writeList(DESK, 'csv'))).toBeNull();
});

test.each(['Symbol,Number of shares\nAAPL,1200', 'Name,Weight\nApple,40', 'Symbol,Shares outstanding\nAAPL,9'])(
  'a list of which the header names no amounts of symbols holds nothing: %j',
  (text) => expect(holdingsIn(text)).toBeNull(),
);

test('an imported list says how many holdings it brought, and which rows are none', async () => {
  const { user, saved } = await open(DESK);
  const file = new File(['Symbol,Quantity\nAAPL,"1,200"\nTSLA,-50\n'], 'broker.csv', { type: 'text/csv' });
  await user.upload(screen.getByLabelText('Import CSV or TXT', { selector: 'input' }), file);
  await waitFor(() =>
    expect(screen.getByTestId('note').textContent).toBe(
      '2 symbols imported as broker. With 1 holding. Left out, no holdings: TSLA -50',
    ),
  );
  expect(saved.at(-1)?.at(-1)?.holdings).toEqual(held('quantity', { AAPL: 1200 }));
});
