import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ValidationSchema } from '../../shared/wire/validation.ts';
import { sp500 } from '../../test/fixtures/sp500.ts';
import { type TemporaryFolder, temporaryFolder } from '../../test/harness/folders.ts';
import { validateApart } from './apart.ts';
import { type FolderReckoning, reckonFolder, type ValidationRecord } from './reckon.ts';

const bars = sp500().slice(0, 1500);
let home: TemporaryFolder;
beforeEach(() => {
  home = temporaryFolder();
});
afterEach(() => home.remove());

function folderOf(): string {
  const folder = home.path;
  const rows = bars.map((bar) => `SPX,${bar.date},${bar.open},${bar.high},${bar.low},${bar.close},${bar.volume}`);
  writeFileSync(
    join(folder, 'spx.csv'),
    `symbol,date,open,high,low,close,volume\n${rows.join('\n')}\nSPX,2010-02-30,1,1,1,1,1\n`,
  );
  return folder;
}

function run({ steps }: FolderReckoning): { record: ValidationRecord; shares: number[] } {
  const shares: number[] = [];
  for (;;) {
    const step = steps.next();
    if (step.done === true) return { record: step.value, shares };
    shares.push(step.value);
  }
}

test('a folder has one record: as of its newest close, with progress, the same again, and the same as the endpoint’s process or thread gives', async () => {
  const folder = folderOf();
  const reckoning = reckonFolder(folder);
  expect(reckoning.problems).toEqual([expect.stringContaining('"2010-02-30" is no date')]);
  const { record, shares } = run(reckoning);
  expect(ValidationSchema.parse(record)).toEqual(record);
  expect(record.computed_at.slice(0, 10)).toBe(bars.at(-1)?.date);
  expect(record.symbols.map((row) => row.symbol)).toEqual(['SPX']);
  expect(shares).toEqual([...shares].sort((a, b) => a - b));
  expect(run(reckonFolder(folder)).record).toEqual(record);
  const moment = Date.parse(record.computed_at);
  for (const place of ['process', 'thread'] as const)
    expect(await validateApart({ kind: 'prices', folder }, moment, new AbortController().signal, place)).toEqual(
      record,
    );
});

test('a folder without prices is refused with the reason', () => {
  expect(() => reckonFolder(home.path)).toThrow('it has no .csv file');
});

test.each(['process', 'thread'] as const)(
  'a %s says what is wrong with its prices, and ends when nobody wants the record',
  async (place) => {
    const prices = { kind: 'prices', folder: home.path } as const;
    const ending = new AbortController();
    await expect(validateApart(prices, 0, ending.signal, place)).rejects.toThrow('it has no .csv file');
    const unwanted = validateApart({ kind: 'prices', folder: folderOf() }, Date.now(), ending.signal, place);
    ending.abort();
    await expect(unwanted).rejects.toThrow(`the ${place} that reckons ended before it had a record`);
  },
);
