// Test: `barograph ledger` prints the newest entries beside an open ledger.
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import { event, setUpLedger } from '../../../test/harness/ledger-bench.ts';
import { ledgerVerb } from './ledger.ts';

const bench = setUpLedger();
beforeEach(() => {
  mkdirSync(join(bench.folder, 'profiles'));
  symlinkSync(bench.folder, join(bench.folder, 'profiles', 'sandbox'));
  bench.take([event(1, { state: 1 }), event(2, { symbol: 'QQQ' }), event(3, { symbol: 'IWM' })]);
});

function printed(flags: { readonly last: string; readonly json?: boolean; readonly profile?: string }): string[] {
  const lines: string[] = [];
  const log = vi.spyOn(console, 'log').mockImplementation((line) => void lines.push(line));
  ledgerVerb({ dataDir: bench.folder, profile: 'sandbox', ...flags });
  log.mockRestore();
  return lines;
}

test('the newest entries are rows, oldest first, with number, symbol, change and id', () => {
  expect(printed({ last: '2' })).toEqual([
    expect.stringMatching(/^ +2 .* QQQ +Normal -> High Risk .* e2$/),
    expect.stringMatching(/^ +3 .* IWM +Normal -> High Risk .* e3$/),
  ]);
});

test('a JSON line holds everything that is stored', () => {
  expect(printed({ last: '1', json: true }).map((line) => JSON.parse(line))).toMatchObject([
    { ledger_id: 3, symbol: 'IWM', transition: { to_state: 2 } },
  ]);
});

test('a wrong number and a profile without a ledger are refused', () => {
  expect(() => printed({ last: '0' })).toThrow('--last is a number from 1 to 10000');
  expect(() => printed({ last: '1', profile: 'desk' })).toThrow('The profile desk has no ledger');
  expect(() => printed({ last: '1', profile: '../x' })).toThrow('--profile is the name of a profile');
});
