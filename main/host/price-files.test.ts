// Test: price files that a window was given become a price folder in the data folder.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { profileChannels } from '../../shared/channels/profiles.ts';
import { notRun } from '../../test/harness/not-run.ts';
import { keepPriceFile } from './price-files.ts';

const NOW = Date.parse('2026-03-02T12:00:00Z');
let data = '';
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'price-files-'));
});
afterEach(() => rmSync(data, { recursive: true }));
const keep = (set: string, name: string, text: string, isFirst = true, used: string[] = []): string =>
  keepPriceFile(data, { set, name, data: Buffer.from(text).toString('base64'), isFirst }, used, NOW);

test('parts become one file, and a file that comes again replaces the one before', () => {
  const folder = keep('a', 'SPY.csv', 'Date,');
  keep('a', 'SPY.csv', 'Close\n', false);
  expect(folder).toBe(join(data, 'prices', 'a'));
  expect(readFileSync(join(folder, 'SPY.csv'), 'utf8')).toBe('Date,Close\n');
  keep('a', 'SPY.csv', 'again');
  expect(readFileSync(join(folder, 'SPY.csv'), 'utf8')).toBe('again');
});

test('no name leads out of the folder', () => {
  const folder = keep('a', '../../settings.csv', 'x');
  expect(readdirSync(folder)).toEqual(['_._.._settings.csv']);
  const { input } = profileChannels['profiles.keep_price_file'];
  const part = { set: 'a', name: 'SPY.csv', data: '', isFirst: true };
  expect(input.safeParse(part).success).toBe(true);
  for (const wrong of [{ set: '..' }, { set: 'a/b' }, { name: 'mapping.json' }, { name: 'SPY.csv\n' }, { data: '%' }])
    expect(input.safeParse({ ...part, ...wrong }).success).toBe(false);
});

const why = process.platform === 'win32' ? 'not on Windows' : null;
test.skipIf(why)(`files are for their user alone${notRun(why)}`, () => {
  const folder = keep('a', 'SPY.csv', 'x');
  expect([folder, join(folder, 'SPY.csv')].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o600]);
});

test('a new set removes those of an hour ago that no profile uses', () => {
  const sets = ['old', 'used', 'new'].map((set) => join(data, 'prices', set));
  for (const set of sets) mkdirSync(set, { recursive: true });
  const [old = '', used = '', young = ''] = sets;
  const at = (ms: number): Date => new Date(NOW - ms);
  for (const [set, ms] of [
    [old, 2 * 3_600_000],
    [used, 2 * 3_600_000],
    [young, 60_000],
  ] as const)
    utimesSync(set, at(ms), at(ms));
  keep('next', 'SPY.csv', 'x', true, [used]);
  expect(readdirSync(join(data, 'prices')).sort()).toEqual(['new', 'next', 'used']);
});
