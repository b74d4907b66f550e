// Test: what the check of a price folder says of the lists of what is due.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { reportFolders } from './price-report.ts';
import { inOneTurn } from './steps.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'price-report-'));
  writeFileSync(join(folder, 'AAPL.csv'), 'Date,Close\n2024-01-02,185.64\n2024-01-03,184.25\n');
});
afterEach(() => rmSync(folder, { recursive: true }));
const report = (only?: string) => inOneTurn(reportFolders({ folder, editorial: null }, [], only));

test('a folder named events beside the prices is used, and the check says so with what it cannot use', () => {
  expect(report()).toMatchObject({ refused: null, due: null });
  const events = join(folder, 'events');
  mkdirSync(events);
  expect(report().due).toBeNull();
  writeFileSync(join(events, 'earnings.csv'), 'symbol,date\nAAPL,2026-02-24\nAAPL,soon\n');
  const { due, problems } = report();
  expect(due).toEqual({ folder: events, files: 1, events: 1 });
  expect(problems).toMatchObject([{ file: 'earnings.csv', line: 3 }]);
  expect(report('AAPL.csv')).toMatchObject({ due: null, problems: [] });
});

test('a default folder of events that is a file is refused, as a start of the service would be', () => {
  writeFileSync(join(folder, 'events'), '');
  expect(report()).toMatchObject({ refused: expect.stringContaining('is no folder'), refused_at: 'events' });
});
