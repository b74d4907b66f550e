// Test: `barograph validate` prints JSON or a table.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { texts } from '../../../shared/text/texts.ts';
import { ValidationSchema } from '../../../shared/wire/validation.ts';
import { sp500 } from '../../../test/fixtures/sp500.ts';
import { readRecord } from '../../core/handlers/validation.ts';
import { UsageError } from '../../host/command-line.ts';
import { recordPage } from './record-page.ts';
import { validateVerb } from './validate.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'barograph-validate-'));
  const rows = sp500()
    .slice(0, 1200)
    .map((bar) => `SPX,${bar.date},${bar.open},${bar.high},${bar.low},${bar.close},${bar.volume}`);
  writeFileSync(join(folder, 'spx.csv'), `symbol,date,open,high,low,close,volume\n${rows.join('\n')}\n`);
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

/** Runs the verb and returns its output. */
async function print(flags: { json?: boolean; leaveOut?: string[]; model?: string; html?: string }) {
  const printed = { out: '', err: '' };
  const into = (name: 'out' | 'err') => (text: unknown) => {
    printed[name] += String(text);
    return true;
  };
  vi.spyOn(process.stdout, 'write').mockImplementation(into('out'));
  vi.spyOn(process.stderr, 'write').mockImplementation(into('err'));
  await validateVerb({ prices: folder, ...flags });
  return printed;
}

test('as JSON it is the record of the service, and nothing else is printed', async () => {
  const { out, err } = await print({ json: true });
  const record = JSON.parse(out);
  expect(ValidationSchema.parse(record)).toEqual(record);
  expect(record.symbols).toHaveLength(1);
  // Slow machines say how far they are.
  expect(err.replaceAll(/^Scoring the signals: .*\n/gm, '')).toBe('');
});

test('as a table it has both windows, every baseline beside the model, and chance', async () => {
  const { out } = await print({});
  for (const phrase of [
    'hold-out window',
    'full window',
    'this model',
    'dd_tuned',
    'always_on',
    'on shuffled days',
    'at other times',
    'High Risk bars: said 0.',
    'within the day: no symbol',
  ]) {
    expect(out).toContain(phrase);
  }
});

test('the calibration of High Risk has its interval, of the whole and of each bin', async () => {
  const { out } = await print({});
  expect(out).toMatch(
    /calibration error 0\.\d{3} \[0\.\d{3}, 0\.\d{3}\], \d+ bars\n {2}said 0\.\d{3} {2}was 0\.\d{3} \[/,
  );
});

test('as a page it is one file without scripts, whose text is escaped, with a plot of each curve and symbol', async () => {
  const file = join(folder, 'record.html');
  const { out } = await print({ json: true, html: file });
  const page = readFileSync(file, 'utf8');
  const record = readRecord(JSON.parse(out), 0) ?? expect.fail('no record');
  expect(page).toContain(`<th scope="row">SPX</th>`);
  const curves = ['high_risk', 'reliability'] as const;
  const drawn = curves.flatMap((days) => [record.details[days].holdout, record.details[days].full]).filter(Boolean);
  expect(page.match(/<figure>/g)).toHaveLength(drawn.length);
  expect(page).not.toMatch(/<script|https?:|NaN|undefined|src=/);
  const hostile = '<img src=x onerror="alert(1)">';
  const named = recordPage({ ...record, model_version: hostile, notes: hostile }, new Map());
  expect(named).not.toContain('<img');
  expect(named.split('&lt;img src=x onerror=&quot;alert(1)&quot;&gt;')).toHaveLength(3);
});

test('the page has the sections of the window: worth it, calls, what to expect, reliability, the model', async () => {
  const file = join(folder, 'record.html');
  const { out } = await print({ json: true, html: file });
  const page = readFileSync(file, 'utf8');
  const { validation, worth } = texts;
  const heads = [...page.matchAll(/<h2>(.*?)<\/h2>/g)].map(([, head]) => head);
  expect(heads).toEqual([
    worth.title,
    'At closes',
    validation.bySymbol(1),
    validation.outcomes.heading,
    validation.calibration,
    validation.against,
    validation.provenance,
    validation.silent,
  ]);
  expect(page).toMatch(/<th scope="row">SPX<\/th><td>\d+<\/td><td>\d+\u00a0%<\/td><td>[+−]\d+\.\d \(/);
  const { details } = readRecord(JSON.parse(out), 0) ?? expect.fail('no record');
  const years = details.outcomes?.holdout.signals_a_year?.toFixed(1);
  expect(page).toContain(`<th scope="row">${validation.outcomes.signals}</th><td>${years}</td>`);
});

test('a symbol without prices cannot be left out', async () => {
  await expect(print({ leaveOut: ['SPX,QQQ'] })).rejects.toThrow('no signal of QQQ, which is to be left out');
});

test('a page that cannot be written is refused before the prices are scored', async () => {
  for (const html of [folder, join(folder, 'absent', 'record.html')])
    await expect(print({ html })).rejects.toThrow(UsageError);
});

test('a file that is no model is refused with the place and the cure', async () => {
  const model = join(folder, 'spx.csv');
  await expect(print({ model })).rejects.toThrow(/is not JSON.*npm run fit/);
  await expect(print({ model })).rejects.toBeInstanceOf(UsageError);
});

test('prices within the day add the record of their alerts', { tags: ['long'] }, async () => {
  const rows = sp500()
    .slice(0, 1200)
    .flatMap(({ date, open, high, low }) =>
      ['10:00', '12:00'].map((time) => `SPX,${date}T${time},${open},${high},${low},${low},1`),
    );
  writeFileSync(join(folder, 'spx-1h.csv'), `symbol,time_et,open,high,low,close,volume\n${rows.join('\n')}\n`);
  const file = join(folder, 'record.html');
  const { out } = await print({ html: file });
  const page = readFileSync(file, 'utf8');
  expect(page).toContain('<h2>Within the day</h2>');
  expect(page).toContain(`<dt>${texts.validation.strictPrecision}</dt>`);
  expect(out).toContain('within the day: SPX');
  expect(out).toMatch(/precision 0\.\d{3} \(chance 0\.\d{3}\), recall/);
});
