// Test: my book: positions typed, pasted, imported with a preview, exported with the list, and its risk line.
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { Watchlist } from '../../../shared/domain/watchlists.ts';
import { row, snapshot } from '../../../test/fixtures/window-fixtures.ts';
import { refuse, renderInWindow } from '../../../test/harness/window.tsx';
import { useListNote } from '../../store/list-edits.ts';
import { useSnapshot } from '../../store/store.ts';
import { holdingsCsv, readLines, readText } from './holdings-file.ts';
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
  const openDialog = async (unit?: 'Weights'): Promise<HTMLElement> => {
    await rig.user.click(screen.getByRole('button', { name: 'Watchlist: Desk list' }));
    await rig.user.click(await screen.findByRole('menuitem', { name: 'My book…' }));
    const dialog = await screen.findByRole('dialog', { name: 'My book: Desk list' });
    if (unit !== undefined) await rig.user.click(screen.getByRole('button', { name: unit }));
    return dialog;
  };
  return { ...rig, saved, openDialog };
}

const cell = (name: string): HTMLInputElement => screen.getByRole('textbox', { name });
const focusedName = (): string | null => document.activeElement?.getAttribute('aria-label') ?? null;
const total = (): string | null => screen.getAllByRole('status').at(-1)?.textContent ?? null;

test('holdings are typed by keys alone: Enter goes on to the next cell and row, and at the end to Save', {
  tags: ['long'],
}, async () => {
  const { user, saved, openDialog } = await open(DESK);
  await openDialog('Weights');
  await user.click(cell('Symbol, row 1'));
  await user.keyboard('spy{Enter}40{Enter}tlt{Enter}60');
  expect(total()).toBe('2 positions, weights add up to 100.');
  await user.keyboard('{Enter}');
  expect(focusedName()).toBe('Symbol, row 3');
  await user.keyboard('{Enter}');
  expect(document.activeElement?.textContent).toBe('Save book');
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
  await openDialog('Weights');
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
  await user.click(screen.getByRole('button', { name: 'Add a position' }));
  await user.keyboard('qqq{Enter}10');
  await user.click(screen.getByRole('button', { name: 'Save book' }));
  expect(saved.at(-1)?.[0]?.holdings).toEqual(held('weight', { SPY: 25.5, GLD: 5, QQQ: 10 }));
});

test('a row is removed with the pointer while another has the focus: nothing else changes', {
  tags: ['long'],
}, async () => {
  const { user, saved, openDialog } = await open({ ...DESK, holdings: held('weight', { SPY: 40, TLT: 60, GLD: 5 }) });
  await openDialog();
  await user.click(cell('Symbol, row 3'));
  await user.click(screen.getByRole('button', { name: 'Remove TLT' }));
  expect(screen.getAllByRole('textbox')).toHaveLength(4);
  await user.click(screen.getByRole('button', { name: 'Save book' }));
  expect(saved.at(-1)?.[0]?.holdings).toEqual(held('weight', { SPY: 40, GLD: 5 }));
});

test('a row that is no holding is refused at its cell, and nothing is saved', async () => {
  const { user, saved, openDialog } = await open(DESK);
  const dialog = await openDialog('Weights');
  await user.click(cell('Symbol, row 1'));
  await user.keyboard('spy{Enter}40{Enter}what?{Enter}3{Enter}qqq{Enter}-3{Enter}SPY{Enter}1');
  await user.click(screen.getByRole('button', { name: 'Save book' }));
  expect(
    within(dialog)
      .getAllByRole('alert')
      .map(({ textContent }) => textContent),
  ).toEqual([
    '"what?" is no symbol: use 1 to 15 letters, digits or . ^ = -.',
    'A short position: a fall is a gain to it, and only falls are warned of.',
    'SPY has a row above: change its amount.',
  ]);
  expect([total(), saved]).toEqual(['3 fields need a change.', []]);
});

test('a table that the core refuses stays as it was typed, and says why', async () => {
  const { user, openDialog } = await open(DESK, 'The disk is full.');
  const dialog = await openDialog('Weights');
  await user.click(cell('Symbol, row 1'));
  await user.keyboard('spy{Enter}40');
  await user.click(screen.getByRole('button', { name: 'Save book' }));
  expect(await within(dialog).findByText('The disk is full.')).toBeDefined();
  expect([cell('Symbol, row 1').value, cell('Weight, row 1').value]).toEqual(['spy', '40']);
});

test('lines of a spreadsheet are pasted as rows; a row that is no holding stays to be corrected', async () => {
  const { user, saved, openDialog } = await open(DESK);
  const dialog = await openDialog('Weights');
  await user.click(cell('Symbol, row 1'));
  await user.paste('SPY\t40\nTLT\t60\nCASH\tnone\n');
  expect([cell('Symbol, row 3').value, cell('Weight, row 3').value]).toEqual(['CASH', 'none']);
  expect(await within(dialog).findByText('"none" is no amount above 0: write one like 40.')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Remove CASH' }));
  await user.click(screen.getByRole('button', { name: 'Save book' }));
  expect(saved.at(-1)?.[0]?.holdings).toEqual(held('weight', { SPY: 40, TLT: 60 }));
});

test('holdings beyond the limit are counted, in a paste and in an import', async () => {
  const lines = Array.from({ length: 2003 }, (_, index) => `S${index},${index + 1}`);
  expect(readLines(lines.join('\n'), 'weight')).toMatchObject({ beyond: 3, unread: [] });
  expect(readLines([...lines.slice(0, 2000), 'S0,1'].join('\n'), 'weight')).toMatchObject({ beyond: 0 });
  const { user } = await open(DESK);
  const file = new File([`symbol,weight\n${lines.join('\n')}\n`], 'all.csv', { type: 'text/csv' });
  await user.upload(screen.getByLabelText('Import CSV or TXT', { selector: 'input' }), file);
  await waitFor(() =>
    expect(screen.getByTestId('note').textContent).toContain(
      'Left out: the last 3; a list has at most 2,000 positions.',
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
  expect(await within(dialog).findByText('Left out: the last 2; a list has at most 2,000 positions.')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Save book' }));
  await waitFor(() => expect(saved.at(-1)?.[0]?.holdings?.rows.at(-1)).toEqual({ symbol: 'SPY', amount: 40 }));
  expect(saved.at(-1)?.[0]?.holdings?.rows).toHaveLength(2000);
});

test('a position has a cost and a currency; keys go through all four cells', async () => {
  const { user, saved, openDialog } = await open(DESK);
  await openDialog();
  await user.click(cell('Symbol, row 1'));
  await user.keyboard('nvda{Enter}400{Enter}70.5{Enter}usd{Enter}spy{Enter}2{Enter}cheap{Enter}dollar');
  await user.click(screen.getByRole('button', { name: 'Save book' }));
  expect(screen.getAllByRole('alert').map(({ textContent }) => textContent)).toEqual([
    'A cost of one like 98.50, or nothing.',
  ]);
  await user.clear(cell('Cost of one, row 2'));
  await user.clear(cell('Currency, row 2'));
  await user.click(screen.getByRole('button', { name: 'Save book' }));
  expect(saved.at(-1)?.[0]?.holdings).toEqual({
    unit: 'quantity',
    rows: [
      { symbol: 'NVDA', amount: 400, cost: 70.5, currency: 'USD' },
      { symbol: 'SPY', amount: 2 },
    ],
  });
});

const FILE = 'Ticker,Shares,Paid,Book value\nAAPL,"1,200",10,1\nGME,-20,25,1\nMSFT,2,300,1\n';
const upload = async (user: UserEvent, content = FILE): Promise<void> => {
  const file = new File([content], 'broker.csv', { type: 'text/csv' });
  await user.upload(screen.getByLabelText('Import CSV', { selector: 'input' }), file);
  await screen.findByRole('group', { name: 'Columns' });
};
const select = (name: string): HTMLSelectElement => screen.getByRole('combobox', { name });

test('a table is previewed with the rows that it loses, its columns are chosen, and it replaces the positions', async () => {
  const { user, saved, openDialog } = await open({ ...DESK, holdings: held('weight', { GLD: 1 }) });
  const dialog = await openDialog();
  await upload(user);
  const preview = (): (string | null)[] =>
    within(screen.getByRole('table', { name: 'The first positions' }))
      .getAllByRole('row')
      .map(({ textContent }) => textContent);
  expect(preview()).toEqual(['SymbolQuantityCost of oneCurrency', 'AAPL1,2000.0008333–', 'MSFT20.5–']);
  expect(screen.getByRole('region', { name: 'Rows left out' }).textContent).toBe(
    'Row 3, GME -20: a short position: a fall is a gain to it, and only falls are warned of.',
  );
  await user.selectOptions(select('Cost'), 'Paid');
  await user.click(screen.getByRole('button', { name: 'of one' }));
  await user.type(cell('Currency of all rows'), 'usd');
  expect(preview().slice(1)).toEqual(['AAPL1,20010USD', 'MSFT2300USD']);
  expect(within(dialog).getByRole('status').textContent).toBe('2 positions, 1 row left out. ');
  await user.click(screen.getByRole('button', { name: 'Use 2 positions, replacing 1' }));
  await user.click(screen.getByRole('button', { name: 'Save book' }));
  expect(saved.at(-1)?.[0]?.holdings?.rows).toEqual([
    { symbol: 'AAPL', amount: 1200, cost: 10, currency: 'USD' },
    { symbol: 'MSFT', amount: 2, cost: 300, currency: 'USD' },
  ]);
});

test('the columns that were chosen for a table are those of the next one like it', async () => {
  const { user, openDialog } = await open(DESK);
  await openDialog();
  const foreign = 'Wertpapier;Anzahl;Kurs\nSAP;40;98,5\nBMW;3;80,25\n';
  await upload(user, foreign);
  expect([select('Symbol').value, select('Quantity or weight').value, select('Cost').value]).toEqual(['0', '1', '']);
  await user.selectOptions(select('Cost'), 'Kurs');
  await user.click(screen.getByRole('button', { name: 'Use 2 positions' }));
  expect(cell('Cost of one, row 2').value).toBe('80.25');
  await upload(user, foreign);
  expect([select('Cost').value, screen.getByText(/your columns of the last time/)]).toHaveLength(2);
  expect(select('Cost').value).toBe('2');
  await user.click(screen.getByRole('button', { name: 'Back' }));
  expect(cell('Symbol, row 1').value).toBe('SAP');
});

test('a pasted table with a header is previewed too, and is added to the positions', async () => {
  const { user, openDialog } = await open({ ...DESK, holdings: held('quantity', { GLD: 1 }) });
  await openDialog();
  await user.click(cell('Symbol, row 1'));
  await user.paste('Symbol\tQuantity\tCurrency\nSPY\t40\tUSD\n');
  await user.click(screen.getByRole('button', { name: 'Use 1 position' }));
  expect(cell('Symbol, row 1').value).toBe('GLD');
  expect([cell('Quantity, row 2').value, cell('Currency, row 2').value]).toEqual(['40', 'USD']);
  await user.click(cell('Symbol, row 1'));
  await user.paste('Symbol\tWeight\nSPY\t40\n');
  expect(screen.getByRole('button', { name: 'Use 1 position, replacing 2' })).toBeDefined();
});

test('a file of lines says how many positions it replaces', async () => {
  const { user, saved, openDialog } = await open({ ...DESK, holdings: held('quantity', { GLD: 1 }) });
  const dialog = await openDialog();
  const file = new File(['SPY,2\nQQQ,3\n'], 'lines.txt', { type: 'text/plain' });
  await user.upload(screen.getByLabelText('Import CSV', { selector: 'input' }), file);
  expect(await within(dialog).findByText('The file replaces 1 position, once the book is saved.')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Save book' }));
  expect(saved.at(-1)?.[0]?.holdings).toEqual(held('quantity', { SPY: 2, QQQ: 3 }));
});

test('a small quantity has digits in the preview and in the table, which can be saved', async () => {
  const { user, saved, openDialog } = await open(DESK);
  await openDialog();
  await upload(user, 'Symbol,Quantity,Cost\nBTC-USD,0.0042,0.0000085\nETH-USD,0.0000009,1\n');
  expect(screen.getByRole('table', { name: 'The first positions' }).textContent).toContain('BTC-USD0.00420.0000085');
  await user.click(screen.getByRole('button', { name: 'Use 2 positions' }));
  expect(cell('Quantity, row 2').value).toBe('0.0000009');
  await user.click(screen.getByRole('button', { name: 'Save book' }));
  expect(saved.at(-1)?.[0]?.holdings?.rows.at(-1)).toEqual({ symbol: 'ETH-USD', amount: 0.0000009, cost: 1 });
});

test('an empty table removes the holdings', async () => {
  const { user, saved, openDialog } = await open({ ...DESK, holdings: held('weight', { SPY: 1 }) });
  await openDialog();
  await user.click(screen.getByRole('button', { name: 'Remove SPY' }));
  expect(cell('Symbol, row 1').value).toBe('');
  await user.click(screen.getByRole('button', { name: 'Save book' }));
  expect(saved.at(-1)).toEqual([DESK]);
});

const riskLine = (): string | undefined =>
  screen.getByRole('region', { name: 'Risk of my book' }).textContent?.replaceAll('\u00a0', ' ');

test('the list shows its risk by weight, and the symbols that are not covered', async () => {
  await open({ ...DESK, holdings: held('weight', { SPY: 50, QQQ: 30, TSLA: 20 }) });
  const line = riskLine();
  expect(line).toContain('50.0 % High Risk');
  expect(line).toContain('0.0 % Elevated');
  expect(line).toContain('30.0 % Normal');
  expect(line).toContain('of the weight');
  expect(line).toContain('Not covered: 20.0 % of the weight (TSLA).');
});

test('the list shows what the book is worth, its gain and its falls, by currency', async () => {
  const position = { amount: 2, cost: 500, currency: 'USD' };
  const rows = [
    { symbol: 'SPY', ...position },
    { symbol: 'QQQ', amount: 1, currency: 'EUR' },
  ];
  await open({ ...DESK, holdings: { unit: 'quantity', rows } });
  expect(riskLine()).toContain('Worth 1,142 USD, +142 since bought. What falls would cost is not known.');
  expect(riskLine()).toContain('Worth 571 EUR.');
  expect(riskLine()).toContain('In other currencies, so in no share: QQQ.');
});

test('a list without holdings shows no risk', async () => {
  await open(DESK);
  expect(screen.queryByRole('region', { name: 'Risk of my book' })).toBeNull();
});

test.each([
  ['SPY, 40\nTLT, 60', { SPY: 40, TLT: 60 }],
  ['spy 40 %\ntlt\t60', { SPY: 40, TLT: 60 }],
  ['SPY, 1,200', { SPY: 1200 }],
  ['SPY, 1\nSPY, 2', { SPY: 3 }],
  ['', {}],
] as const)('the lines %j are read', (text, amounts) => {
  expect(readLines(text, 'weight')).toMatchObject({ holdings: held('weight', amounts), unread: [], beyond: 0 });
});

test.each([
  'NVDA 400 70.5 USD',
  'NVDA;400;70,5;usd',
  'NVDA\t400\t70.5\tUSD',
  'NVDA,400,70.5,USD',
  'nvda, 400, 70.5, USD',
])('a line has a cost and a currency behind the quantity: %j', (line) =>
  expect(readLines(line, 'quantity').holdings.rows).toEqual([
    { symbol: 'NVDA', amount: 400, cost: 70.5, currency: 'USD' },
  ]),
);

test('a line that is no position is kept as written, never guessed', () => {
  expect(readLines('SPY, 40\nQQQ, -3\n$$$, 2\nIWM', 'weight')).toMatchObject({
    holdings: held('weight', { SPY: 40 }),
    unread: [
      { symbol: 'QQQ', amount: '-3' },
      { symbol: '$$$', amount: '2' },
      { symbol: 'IWM', amount: '' },
    ],
  });
});

test.each([
  ['AAPL,40,150,6000', { symbol: 'AAPL', amount: '40', cost: '150 / 6000' }],
  ['AAPL\t40\t98.5\t3940', { cost: '98.5 / 3940' }],
  ['SPY,40,98,5,USD', { cost: '98 / 5', currency: 'USD' }],
  ['SPY 1 200 98.5', { amount: '1', cost: '200 / 98.5' }],
  ['SAP;1.200;98,50;EURO', { amount: '1200', cost: '98.5 / EURO' }],
  ['VOD.L,1,2,ZAc', { currency: 'ZAc' }],
] as const)('a line with more than a position is kept, and no number is made of two: %j', (line, unread) => {
  expect(readLines(line, 'quantity')).toMatchObject({ holdings: { rows: [] }, unread: [unread] });
});

test.each([
  ['SAP;1.200;98,50;EUR\nBMW;10;80,10;EUR', { SAP: 1200, BMW: 10 }],
  ['SAP;1.234,50;98,5;EUR\nBMW;10,5;80,1;EUR', { SAP: 1234.5, BMW: 10.5 }],
  ['TSLA,-50\nAAPL,100', { AAPL: 100 }],
] as const)(
  'lines have the decimal mark of all their numbers, and no line with a number is a header: %j',
  (content, amounts) => {
    const read = readText(content, 'quantity');
    expect(
      'holdings' in read && Object.fromEntries(read.holdings.rows.map(({ symbol, amount }) => [symbol, amount])),
    ).toEqual(amounts);
  },
);

test('pence are no pounds', () => {
  expect(
    readLines('VOD.L,1000,72.5,GBp\nBP.L,1,5,GBP', 'quantity').holdings.rows.map(({ currency }) => currency),
  ).toEqual(['GBX', 'GBP']);
});

test('a written book is read back, alone and with its list', () => {
  const rows = [
    { symbol: 'SPY', amount: 12.5, cost: 500, currency: 'USD' },
    { symbol: 'QQQ', amount: 3 },
    { symbol: 'BTC-USD', amount: 0.0000009 },
  ];
  const holdings = { unit: 'quantity' as const, rows };
  expect(holdingsIn(holdingsCsv(holdings))).toMatchObject({ unit: 'quantity', rows, left: [] });
  expect(holdingsIn(writeList({ ...DESK, holdings }, 'csv'))).toMatchObject({ rows: rows.slice(0, 2) });
  expect(holdingsIn(writeList(DESK, 'csv'))).toBeNull();
});

test('an imported list says how many holdings it brought, and which rows are none', async () => {
  const { user, saved } = await open(DESK);
  const file = new File(['Symbol,Quantity,Cost\nAAPL,"1,200",\nTSLA,-50,\nBRK B,3,cheap\n'], 'broker.csv', {
    type: 'text/csv',
  });
  await user.upload(screen.getByLabelText('Import CSV or TXT', { selector: 'input' }), file);
  await waitFor(() =>
    expect(screen.getByTestId('note').textContent).toBe(
      '3 symbols imported as broker. With 2 positions. Left out, no positions: TSLA -50 Left out, costs that are no numbers: BRK B 3',
    ),
  );
  expect(saved.at(-1)?.at(-1)?.holdings).toEqual(held('quantity', { AAPL: 1200, 'BRK.B': 3 }));
  expect(saved.at(-1)?.at(-1)?.sections[0]?.symbols).toEqual(['AAPL', 'TSLA', 'BRK.B']);
});
