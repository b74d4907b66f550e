// Contract: GET /api/validation/metrics and /closes, computed by the real thread.
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HOUR_MS } from '../../shared/lib/time.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { createManualClock } from '../harness/manual-clock.ts';
import { type Answer, SANDBOX_START, type Sandbox, startSandbox } from '../harness/sandbox.ts';

const PATH = '/api/validation/metrics';
const TIMEOUT = 120_000;

const folder = temporaryFolder();
const start = (clock = createManualClock(SANDBOX_START)): Promise<Sandbox> =>
  startSandbox({ symbols: 2, file: join(folder.path, 'service.db'), clock });

let sandbox: Sandbox;
let answer: Answer;
beforeAll(async () => {
  sandbox = await start();
  answer = await sandbox.get(PATH);
}, TIMEOUT);
afterAll(async () => {
  await sandbox.service.close();
  folder.remove();
});

describe('the record', () => {
  test('has a record of its own for alerts within the day, of the same symbols and days', () => {
    const { live, symbols, provenance } = answer.body;
    expect(live.symbols.map((row: { symbol: string }) => row.symbol)).toEqual(
      symbols.map((row: { symbol: string }) => row.symbol),
    );
    expect(live.windows).toEqual(provenance.windows);
    expect(live.notes).toMatch(/^2 symbols with prices within the day/);
    for (const name of ['full', 'holdout']) {
      const { tp, fp, late, unresolved, n_signals, within_day, held_to_close, median_minutes } = live.pooled[name];
      expect(tp + fp + late + unresolved).toBe(n_signals);
      expect(
        live.symbols.reduce((sum: number, row: Record<string, { tp: number }>) => sum + (row[name]?.tp ?? 0), 0),
      ).toBe(tp);
      expect([within_day > 0, within_day <= n_signals, held_to_close <= within_day, median_minutes >= 5]).not.toContain(
        false,
      );
      // The same events, announced by more alerts.
      expect(live.pooled[name].events).toBe(provenance.pooled[name].events);
      expect(n_signals).toBeGreaterThan(provenance.pooled[name].n_signals);
    }
  });
});

describe('the scored closes', () => {
  interface Row {
    readonly symbol: string;
    readonly dates: string[];
    readonly closes: number[];
    readonly high_risk: { readonly from: string; readonly to: string }[];
  }
  const rows = async (query: string): Promise<Row[]> => (await sandbox.get(`/api/validation/closes${query}`)).body.data;

  test('the scored closes are those of the symbols of the record, up to its last day, with their periods in High Risk', async () => {
    const { windows } = answer.body.provenance;
    const found = await rows('');
    expect(found.map(({ symbol, dates }) => ({ symbol, to: dates.at(-1) }))).toEqual(
      windows
        .map(({ symbol, to }: { symbol: string; to: string }) => ({ symbol, to }))
        .sort((a: Pick<Row, 'symbol'>, b: Pick<Row, 'symbol'>) => (a.symbol < b.symbol ? -1 : 1)),
    );
    for (const { dates, closes, high_risk } of found) {
      expect(dates).toEqual([...new Set(dates)].sort());
      // Eight years of bars, without those of the warm-up.
      expect(Number(dates.at(-1)?.slice(0, 4)) - Number(dates[0]?.slice(0, 4))).toBe(7);
      expect(closes).toHaveLength(dates.length);
      expect(high_risk.length).toBeGreaterThan(0);
      for (const { from, to } of high_risk)
        expect([dates.includes(from), dates.includes(to), from <= to]).toEqual([true, true, true]);
      const ends = high_risk.flatMap(({ from, to }) => [from, to]);
      expect(ends).toEqual(ends.toSorted());
    }
  });

  test('come in pages, or for the symbols that are asked for', async () => {
    const [first, second] = await rows('');
    expect(await rows(`?symbols=${second?.symbol},ZZZZ`)).toEqual([second]);
    const page = (await sandbox.get('/api/validation/closes?limit=1')).body;
    expect([page.data, page.has_more]).toEqual([[first], true]);
    expect(await rows(`?limit=1&after=${page.next_cursor}`)).toEqual([second]);
  });
});

describe('caching', () => {
  test('the answer may be kept for 15 minutes and is named by an entity tag', () => {
    expect(answer.headers).toMatchObject({
      'cache-control': 'private, max-age=900',
      etag: expect.stringMatching(/^"[\w-]{22}"$/),
    });
  });

  test('a record that is asked for again is the same, with the same tag', async () => {
    const again = await sandbox.get(PATH);
    expect([again.text, again.headers.etag]).toEqual([answer.text, answer.headers.etag]);
  });

  test.each([
    ['the tag', (tag: string) => tag],
    ['the weak tag', (tag: string) => `W/${tag}`],
    ['a list with the tag', (tag: string) => `"other", ${tag}`],
    ['anything', () => '*'],
  ])('a client that has it by %s is answered 304 without a body', async (_, of) => {
    const { etag = '' } = answer.headers;
    const known = await sandbox.get(PATH, { 'if-none-match': of(etag) });
    expect([known.status, known.text, known.headers.etag]).toEqual([304, '', etag]);
    expect(known.headers['cache-control']).toBe('private, max-age=900');
  });

  test('a client with another ETag is answered in full', async () => {
    expect((await sandbox.get(PATH, { 'if-none-match': '"other"' })).status).toBe(200);
  });

  test('after a restart an hour later the record is the same, with its closes', async () => {
    const closes = await sandbox.get('/api/validation/closes');
    await sandbox.service.close();
    sandbox = await start(createManualClock(SANDBOX_START + HOUR_MS));
    const kept = await sandbox.get(PATH);
    expect([kept.text, kept.headers.etag]).toEqual([answer.text, answer.headers.etag]);
    expect((await sandbox.get('/api/validation/closes')).text).toBe(closes.text);
  });

  test('errors are not kept, and are spelled in capitals', async () => {
    const refused = await sandbox.get(PATH, { 'x-api-key': '', 'if-none-match': answer.headers.etag ?? '' });
    expect([refused.status, refused.body.code, refused.headers['cache-control']]).toEqual([
      401,
      'UNAUTHORIZED',
      'no-store',
    ]);
  });
});

test('a service that closes ends its thread', { tags: ['long'], timeout: TIMEOUT }, async () => {
  const other = await startSandbox({ symbols: 2, seed: 8 });
  const pending = other.get(PATH);
  await new Promise((resolve) => setImmediate(resolve));
  await other.service.close();
  expect((await pending).status).toBeGreaterThanOrEqual(500);
});
