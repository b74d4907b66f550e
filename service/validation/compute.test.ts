// Service, validation, test: computes the record in steps and in workers.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Progress } from '../../shared/lib/progress.ts';
import { ValidationSchema } from '../../shared/wire/validation.ts';
import { sp500 } from '../../test/fixtures/sp500.ts';
import { type TemporaryFolder, temporaryFolder } from '../../test/harness/folders.ts';
import { RISK_MODEL } from '../engine/risk/parameters.ts';
import { WARM } from '../engine/scoring/frame.ts';
import { inOneTurn } from '../steps.ts';
import { computeFolder, type ValidationRecord } from './compute.ts';
import { validateInWorker } from './worker.ts';

const bars = sp500().slice(0, 1500);
let home: TemporaryFolder;
beforeEach(() => {
  home = temporaryFolder();
});
afterEach(() => home.remove());

/** Two prices within each day: the middle of the bar, and its low. */
function addIntraday(folder: string): void {
  const rows = bars.flatMap(({ date, open, high, low }) => [
    `SPX,${date}T10:00,${open},${high},${low},${(high + low) / 2},1`,
    `SPX,${date}T12:00,${open},${high},${low},${low},1`,
  ]);
  writeFileSync(join(folder, 'spx-1h.csv'), `symbol,time_et,open,high,low,close,volume\n${rows.join('\n')}\n`);
}

function folderOf(): string {
  const folder = home.path;
  const rows = bars.map((bar) => `SPX,${bar.date},${bar.open},${bar.high},${bar.low},${bar.close},${bar.volume}`);
  writeFileSync(
    join(folder, 'spx.csv'),
    `symbol,date,open,high,low,close,volume\n${rows.join('\n')}\nSPX,2010-02-30,1,1,1,1,1\n`,
  );
  return folder;
}

function run(folder: string): { record: ValidationRecord; problems: string[]; shares: number[] } {
  const shares: number[] = [];
  const problems: string[] = [];
  const work = computeFolder(folder, {}, (found) => problems.push(...found));
  const { record } = inOneTurn(work, ({ what, done }) => what === 'scoring' && shares.push(done));
  return { record, problems, shares };
}

test('a folder has one record: as of its newest close, with progress, reproducible, and the same from a process or thread', {
  tags: ['long'],
}, async () => {
  const folder = folderOf();
  const { record, problems, shares } = run(folder);
  expect(problems).toEqual([expect.stringContaining('"2010-02-30" is no date')]);
  expect(ValidationSchema.parse(record)).toEqual(record);
  expect(record.computed_at.slice(0, 10)).toBe(bars.at(-1)?.date);
  expect(record.symbols.map((row) => row.symbol)).toEqual(['SPX']);
  expect(shares.length).toBeGreaterThan(5);
  expect(shares).toEqual([...shares].sort((a, b) => a - b));
  expect(run(folder).record).toEqual(record);
  const instant = Date.parse(record.computed_at);
  for (const kind of ['process', 'thread'] as const) {
    const prices = { kind: 'prices', folder } as const;
    const reported: Progress[] = [];
    const onProgress = (progress: Progress) => void reported.push(progress);
    const result = await validateInWorker(prices, instant, RISK_MODEL, new AbortController().signal, onProgress, kind);
    expect(result.record).toEqual(record);
    expect(reported.map(({ done }) => done)).toEqual(shares);
    expect(reported[0]).toMatchObject({ what: 'scoring', total: 1 });
    const [kept] = result.closes;
    expect([kept?.symbol, kept?.closes.length]).toEqual(['SPX', bars.length - WARM]);
    expect(kept?.closes.at(-1)).toBe(bars.at(-1)?.close);
  }
});

test('prices within the day give a record of the alerts within the day, and leave that at closes as it is', {
  tags: ['long'],
}, () => {
  const folder = folderOf();
  const { record: closes } = run(folder);
  expect(closes.live).toBeNull();
  addIntraday(folder);
  const { record } = run(folder);
  expect({ ...record, live: null }).toEqual(closes);
  const { pooled, windows } = record.live ?? {};
  expect(windows).toEqual(closes.provenance.windows);
  expect(pooled?.full.events).toBe(closes.provenance.pooled.full.events);
  expect(pooled?.full.within_day).toBeGreaterThan(0);
  expect(run(folder).record).toEqual(record);
});

test('a folder without prices is refused with the reason', () => {
  expect(() => run(home.path)).toThrow('it has no .csv file');
});

test.each(['process', 'thread'] as const)(
  'a %s reports problems of its prices, and ends when the record is no longer wanted',
  async (kind) => {
    const prices = { kind: 'prices', folder: home.path } as const;
    const ending = new AbortController();
    const none = (): void => undefined;
    await expect(validateInWorker(prices, 0, RISK_MODEL, ending.signal, none, kind)).rejects.toThrow(
      'it has no .csv file',
    );
    const unwanted = validateInWorker(
      { kind: 'prices', folder: folderOf() },
      Date.now(),
      RISK_MODEL,
      ending.signal,
      none,
      kind,
    );
    ending.abort();
    await expect(unwanted).rejects.toThrow(`the worker ${kind} ended without a record`);
  },
);
