// Contract: GET /market-news: the sandbox's news match its prices.
// A self-hosted service without feeds has no news.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { assemble } from '../../service/assemble.ts';
import type { NewsRecord } from '../../shared/wire/news.ts';
import { writePriceFolder } from '../fixtures/price-folder.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { createManualClock } from '../harness/manual-clock.ts';
import { SANDBOX_START, type Sandbox, startSandbox } from '../harness/sandbox.ts';

const DAY = 86_400_000;

const whole = (of: Sandbox): Promise<NewsRecord[]> => of.whole('/market-news');

describe('the wire of the sandbox', () => {
  let sandbox: Sandbox;
  let rows: NewsRecord[];
  beforeAll(async () => {
    sandbox = await startSandbox({ symbols: 12, time: { start: SANDBOX_START, speed: 0 } });
    rows = await whole(sandbox);
  });
  afterAll(() => sandbox.service.close());

  test('reaches back 90 days, newest first, nothing twice, nothing of the future', () => {
    const times = rows.map(({ published_at }) => published_at);
    expect(times).toEqual(times.toSorted().reverse());
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
    expect(Date.parse(times[0] ?? '')).toBeLessThanOrEqual(SANDBOX_START);
    const oldest = (SANDBOX_START - Date.parse(times.at(-1) ?? '')) / DAY;
    expect(oldest).toBeGreaterThan(88);
    expect(oldest).toBeLessThanOrEqual(90);
    expect(rows.length).toBeGreaterThan(300);
  });

  test('names covered symbols, and has a sentiment score', async () => {
    const covered = new Set(
      (await sandbox.get('/snapshot?limit=100')).body.data.map(({ symbol }: { symbol: string }) => symbol),
    );
    for (const { symbols, sentiment, headline, summary, url } of rows) {
      expect(symbols.length).toBeGreaterThan(0);
      for (const symbol of symbols) expect(covered).toContain(symbol);
      expect(sentiment.label).toBe(
        sentiment.score <= -0.05 ? 'negative' : sentiment.score >= 0.05 ? 'positive' : 'neutral',
      );
      expect(`${headline} ${summary}`).not.toMatch(/undefined|NaN|null|Infinity/);
      expect(new URL(url).hostname).toMatch(/\.example$/);
    }
    const average = (pattern: RegExp): number => {
      const scores = rows.filter(({ headline }) => pattern.test(headline)).map(({ sentiment }) => sentiment.score);
      expect(scores.length).toBeGreaterThan(10);
      return scores.reduce((sum, score) => sum + score, 0) / scores.length;
    };
    expect(average(/drops|slides|falls|weakness/)).toBeLessThan(-0.08);
    expect(average(/gains|rebounds|climbs/)).toBeGreaterThan(0.08);
  });

  test('gives the prices that the service gives at that instant', { tags: ['long'] }, async () => {
    const priceNews = rows.filter(
      ({ symbols, summary }) => symbols.length === 1 && / UTC to | UTC and at /.test(summary),
    );
    for (const { published_at, symbols, summary } of priceNews.slice(0, 1)) {
      const then = await startSandbox({ symbols: 12, time: { start: Date.parse(published_at), speed: 0 } });
      const { price } = (await then.get(`/signal?symbol=${symbols[0]}`)).body;
      expect(summary).toContain(price >= 1000 ? price.toFixed(0).replace(/\B(?=(\d{3})+$)/g, ',') : price.toFixed(2));
      expect((await then.get('/market-news?limit=1')).body.data[0].published_at).toBe(published_at);
      await then.service.close();
    }
  });
});

test('without feeds a self-hosted service answers an empty list', { tags: ['long'] }, async () => {
  const folder = temporaryFolder();
  const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
  const service = assemble(
    {
      world: { kind: 'prices', folder: writePriceFolder(folder.path) },
      time: { start: Date.parse('2010-01-04'), speed: 0 },
      file: ':memory:',
    },
    {
      clock: createManualClock(),
      logger: silent,
      randomBytes,
      publicUrl: () => 'http://127.0.0.1:1',
      checkReplies: true,
    },
  );
  const key = service.admitKey(null) ?? '';
  await service.start();
  const answer = await service.app.inject({ url: '/market-news', headers: { 'x-api-key': key } });
  expect([answer.statusCode, answer.json()]).toEqual([200, { data: [], has_more: false, next_cursor: null }]);
  await service.close();
  folder.remove();
});
