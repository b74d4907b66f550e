// Test: the dialog of own prices: files that are dropped, rows as they are read, and answers to what they leave open.
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { PriceFormat, PriceReport } from '../../../shared/channels/profiles.ts';
import { priceReport, profiles } from '../../../test/fixtures/feature-fixtures.ts';
import { type CoreHandlers, renderInWindow } from '../../../test/harness/window.tsx';
import { AddPrices } from './add-prices.tsx';

const format = (more: Partial<PriceFormat> = {}): PriceFormat => ({
  file: 'SPY.csv',
  files: 1,
  header: 'date,close',
  found: 'commas between the cells, dates YYYY-MM-DD',
  rows: [['SPY', '2024-01-02', '472', '473', '470', '472.65', '1000'], ['"soon" is no date; write it as 2020-02-24']],
  questions: [],
  ...more,
});
const report = (formats: PriceFormat[], refused: string | null = null): PriceReport =>
  priceReport({
    folder: '/data/prices/a',
    refused,
    refused_at: refused === null ? null : 'folder',
    to: '2026-02-27',
    earliest_end: '2026-02-27',
    median_end: '2026-02-27',
    formats,
  });
const dateQuestion: PriceFormat['questions'][number] = {
  kind: 'dateFormat',
  what: '1/2/2024 may be 2024-01-02 or 2024-02-01',
  choices: [
    { value: 'MM/DD/YYYY', means: '2024-01-02' },
    { value: 'DD/MM/YYYY', means: '2024-02-01' },
  ],
};

async function open(handlers: CoreHandlers) {
  const rig = await renderInWindow(<AddPrices replayOf={null} onClose={() => undefined} />, {
    'profiles.read': () => profiles(),
    ...handlers,
  });
  const inputs = (name: string): unknown[] => rig.calls.filter((call) => call.name === name).map(({ input }) => input);
  return { ...rig, inputs };
}
async function check({ user }: Awaited<ReturnType<typeof open>>): Promise<void> {
  await user.type(screen.getByRole('textbox', { name: 'Price folder' }), '/p');
  await user.click(screen.getByRole('button', { name: 'Check folder' }));
}

test('files that are dropped are kept in parts and checked; others are named', async () => {
  const rig = await open({
    'profiles.keep_price_file': () => ({ folder: '/data/prices/a' }),
    'profiles.check_prices': () => report([format()]),
  });
  const files = [
    new File(['x'.repeat(1_600_000)], 'SPY.csv'),
    new File([''], 'QQQ.txt.gz'),
    new File(['hello'], 'notes.docx'),
  ];
  const zone = screen.getByText(/^Or drop files/).parentElement as HTMLElement;
  fireEvent.drop(zone, { dataTransfer: { files, items: [] } });
  expect(
    await screen.findByText('Not copied, because only .csv, .txt, .tsv, .gz, .zip and .xlsx are read: notes.docx.'),
  );
  const parts = rig.inputs('profiles.keep_price_file') as {
    name: string;
    data: string;
    isFirst: boolean;
    set: string;
  }[];
  expect(parts.map(({ name, data, isFirst }) => [name, atob(data).length, isFirst])).toEqual([
    ['SPY.csv', 1_572_864, true],
    ['SPY.csv', 27_136, false],
    ['QQQ.txt.gz', 0, true],
  ]);
  expect(new Set(parts.map(({ set }) => set)).size).toBe(1);
  await waitFor(() =>
    expect(rig.inputs('profiles.check_prices')).toEqual([{ folder: '/data/prices/a', editorial: null }]),
  );
  const rows = within(await screen.findByRole('table', { name: 'First rows of SPY.csv' })).getAllByRole('row');
  expect(rows.slice(1).map(({ textContent }) => textContent)).toEqual(['SPY2024-01-02472473470472.651000']);
});

test('files of one name in two dropped folders are both kept', async () => {
  const rig = await open({
    'profiles.keep_price_file': () => ({ folder: '/data/prices/a' }),
    'profiles.check_prices': () => report([]),
  });
  const files = ['BRK.B.csv.gz', 'brk.b.csv.gz', 'AAPL.csv', 'AAPL.csv', 'AAPL.csv'].map(
    (name) => new File([''], name),
  );
  const zone = screen.getByText(/^Or drop files/).parentElement as HTMLElement;
  fireEvent.drop(zone, { dataTransfer: { files, items: [] } });
  await waitFor(() => expect(rig.inputs('profiles.check_prices')).toHaveLength(1));
  expect(rig.inputs('profiles.keep_price_file').map((part) => (part as { name: string }).name)).toEqual([
    'BRK.B.csv.gz',
    'brk.b (1).csv.gz',
    'AAPL.csv',
    'AAPL (1).csv',
    'AAPL (2).csv',
  ]);
});

test('a file that another program locks, and one that a folder only seems to have, are named with the reason', async () => {
  const rig = await open({});
  const locked = Object.assign(new File(['x'], 'SPY.xlsx'), {
    slice: () => ({ arrayBuffer: () => Promise.reject(new Error('It is open.')) }),
  });
  const zone = screen.getByText(/^Or drop files/).parentElement as HTMLElement;
  fireEvent.drop(zone, { dataTransfer: { files: [locked], items: [] } });
  expect(await screen.findByText(/^SPY\.xlsx cannot be read: It is open\. Close it in other programs/)).toBeDefined();
  const file = (_: unknown, refuse: (error: Error) => void) => refuse(new Error('It is gone.'));
  const entries = [[{ name: 'QQQ.csv', isFile: true, file }], []];
  const createReader = () => ({ readEntries: (take: (some: unknown) => void) => take(entries.shift()) });
  const items = [{ webkitGetAsEntry: () => ({ isDirectory: true, createReader }) }];
  fireEvent.drop(zone, { dataTransfer: { files: [], items } });
  expect(await screen.findByText(/^QQQ\.csv cannot be read: It is gone\./)).toBeDefined();
  expect(rig.inputs('profiles.check_prices')).toEqual([]);
});

test('a folder inside a dropped folder, such as events, is named as not copied', async () => {
  await open({
    'profiles.keep_price_file': () => ({ folder: '/data/prices/a' }),
    'profiles.check_prices': () => report([]),
  });
  const entries = [
    [{ isFile: true, file: (take: (file: File) => void) => take(new File(['x'], 'SPY.csv')) }, { name: 'events' }],
    [],
  ];
  const createReader = () => ({ readEntries: (take: (some: unknown) => void) => take(entries.shift()) });
  const items = [{ webkitGetAsEntry: () => ({ isDirectory: true, createReader }) }];
  const zone = screen.getByText(/^Or drop files/).parentElement as HTMLElement;
  fireEvent.drop(zone, { dataTransfer: { files: [], items } });
  expect(await screen.findByText(/^Not copied, .*: events\/\.$/));
});

test('a folder that only asks: the answer is a choice, is kept, and then the profile may be added', async () => {
  let asked = 0;
  const rig = await open({
    'profiles.check_prices': () =>
      asked++ === 0
        ? report([format({ files: 500, rows: [], questions: [dateQuestion] })], 'there are no prices in /p')
        : report([format()]),
  });
  await check(rig);
  expect((await screen.findByText('SPY.csv and 499 more')).tagName).toBe('B');
  expect(screen.queryByRole('textbox', { name: 'Name of the profile' })).toBeNull();
  const use = screen.getByRole('button', { name: 'Use these answers' });
  expect(use.getAttribute('aria-disabled')).toBe('true');
  await rig.user.click(use);
  await rig.user.click(screen.getByRole('button', { name: '2024-02-01 (DD/MM/YYYY)' }));
  await rig.user.click(use);
  expect(await screen.findByRole('textbox', { name: 'Name of the profile' })).toBeDefined();
  expect(rig.inputs('profiles.check_prices').at(-1)).toEqual({
    folder: '/data/prices/a',
    editorial: null,
    answers: [{ of: 'date,close', setting: 'dateFormat', value: 'DD/MM/YYYY' }],
  });
});

test('columns are chosen by name, a symbol and a zone are typed, and a refusal is shown', async () => {
  let asked = 0;
  const questions: PriceFormat['questions'] = [
    {
      kind: 'columns',
      what: 'column close is missing',
      choices: ['tag', 'wert', '*'].map((value) => ({ value, means: '' })),
    },
    { kind: 'symbol', what: 'no symbol', choices: [] },
    { kind: 'zone', what: 'the time 09:30 is of no zone', choices: [{ value: 'UTC', means: '' }] },
  ];
  const rig = await open({
    'profiles.check_prices': () =>
      report(
        [format({ header: 'tag,wert', rows: [], questions: asked++ === 0 ? questions : [] })],
        asked === 1 ? 'no prices' : 'the disk is full',
      ),
  });
  await check(rig);
  await rig.user.selectOptions(await screen.findByRole('combobox', { name: 'Date' }), 'tag');
  await rig.user.selectOptions(screen.getByRole('combobox', { name: 'Close' }), 'wert');
  await rig.user.selectOptions(screen.getByRole('combobox', { name: /^Time, if apart/ }), 'tag');
  // Each other column may be a symbol, and no price.
  expect(within(screen.getByRole('combobox', { name: 'Close' })).queryByRole('option', { name: '*' })).toBeNull();
  expect(within(screen.getByRole('combobox', { name: 'Symbol' })).getByRole('option', { name: '*' })).toBeDefined();
  await rig.user.type(screen.getByRole('combobox', { name: /^Symbol no symbol/ }), 'SPY');
  await rig.user.type(screen.getByRole('combobox', { name: /^Time zone/ }), 'UTC');
  await rig.user.click(screen.getByRole('button', { name: 'Use these answers' }));
  expect((await screen.findByRole('alert')).textContent).toBe('the disk is full');
  expect(rig.inputs('profiles.check_prices').at(-1)).toMatchObject({
    answers: [
      { of: 'tag,wert', setting: 'columns.date', value: 'tag' },
      { of: 'tag,wert', setting: 'columns.close', value: 'wert' },
      { of: 'tag,wert', setting: 'columns.time', value: 'tag' },
      { of: 'SPY.csv', setting: 'symbol', value: 'SPY' },
      { of: 'tag,wert', setting: 'zone', value: 'UTC' },
    ],
  });
});

test('a folder of which a file waits for an answer says so in its findings, and not that there is no problem', async () => {
  const waits = format({ file: 'ABC.csv', header: 'Date,Close', rows: [], questions: [dateQuestion] });
  const rig = await open({ 'profiles.check_prices': () => report([waits, format()]) });
  await check(rig);
  expect(await screen.findByText('1 file is not read before you answer what it leaves open.'));
  expect(screen.queryByText('No problems found.')).toBeNull();
});
