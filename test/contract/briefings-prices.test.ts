// Contract: the times of briefings and editorials of a self-hosted service on a folder of prices.
// They follow New York's hours and holidays; the one after hours waits for the close.
import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { assemble } from '../../service/assemble.ts';
import type { Service } from '../../service/service.ts';
import { type TemporaryFolder, temporaryFolder } from '../harness/folders.ts';
import { createManualClock, type ManualClock } from '../harness/manual-clock.ts';

const DAY = 86_400_000;
const HOUR = 3_600_000;
const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

let folder: TemporaryFolder;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

/** Weekday closes from 2019 on; they fall in the end, all at once. */
function writePrices(last: string): string {
  const prices = join(folder.path, 'prices');
  mkdirSync(prices, { recursive: true });
  for (const symbol of ['SPY', 'QQQ', 'XLE']) {
    const rows = ['symbol,date,open,high,low,close,volume'];
    for (let at = Date.parse('2017-01-02'); at <= Date.parse(last); at += DAY) {
      const day = new Date(at);
      if (day.getUTCDay() % 6 === 0) continue;
      const fall = at < Date.parse('2020-03-05') ? 1 : 0.86;
      const close = (fall * (10_000 + Math.round(100 * Math.sin((at / DAY) * (symbol === 'SPY' ? 1 : 0.7))))) / 100;
      rows.push(`${symbol},${day.toISOString().slice(0, 10)},${close},${close + 1},${close - 1},${close},1000`);
    }
    writeFileSync(join(prices, `${symbol}.csv`), `${rows.join('\n')}\n`);
  }
  return prices;
}

interface Run {
  readonly service: Service;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every form
  get(url: string): Promise<any>;
  /** type and date of what was published, oldest first. */
  published(): Promise<string[]>;
}

async function run(clock: ManualClock, prices: string, file = ':memory:', editorial?: string): Promise<Run> {
  const service = assemble(
    {
      world: { kind: 'prices', folder: prices },
      time: { start: null, speed: 1 },
      file,
      ...(editorial === undefined ? {} : { editorial }),
    },
    {
      clock,
      logger: silent,
      randomBytes,
      publicUrl: () => 'http://127.0.0.1:1',
      checkReplies: true,
      plans: { plan: 'institutional' },
    },
  );
  const key = 'svc_live_briefingsofprices01';
  service.admitKey(key);
  await service.start();
  const get: Run['get'] = async (url) => (await service.app.inject({ url, headers: { 'x-api-key': key } })).json();
  return {
    service,
    get,
    async published() {
      const events = [];
      for (let after = ''; ; ) {
        const { data, has_more, next_cursor } = await get(`/events?limit=100${after}`);
        events.push(...data);
        if (!has_more) break;
        after = `&after=${next_cursor}`;
      }
      return events.flatMap(({ event, data }) =>
        event === 'briefing.published' ? [`${data.type} ${data.date.slice(0, 16)}`] : [],
      );
    },
  };
}

test('the after-hours briefing waits for the close, over a restart too; a holiday has none; a crash has one', {
  tags: ['long'],
}, async () => {
  const prices = writePrices('2020-03-04');
  const file = join(folder.path, 'service.db');
  // Thursday 5 March, 16:20 in New York.
  const clock = createManualClock(Date.parse('2020-03-05T21:20:00Z'));
  const first = await run(clock, prices, file);
  const archive = (await first.get('/api/briefings?limit=100')).data;
  expect(archive.length).toBe(100);
  expect(archive[0]).toMatchObject({ type: 'midday', date: '2020-03-05T17:30:00.000Z' });
  expect(archive.map(({ date }: { date: string }) => date.slice(0, 10))).not.toContain('2020-02-17');
  await clock.advance(30 * 60_000);
  // The log of the first start has an event for each briefing of its days.
  const before = await first.published();
  const listed = archive.map(({ type, date }: { type: string; date: string }) => `${type} ${date.slice(0, 16)}`);
  const newest = Math.min(before.length, listed.length);
  expect(before.toReversed().slice(0, newest).sort()).toEqual(listed.slice(0, newest).sort());
  await first.service.close();

  const second = await run(clock, prices, file);
  await clock.advance(HOUR);
  expect(await second.published()).toEqual(before);
  writePrices('2020-03-05');
  await clock.advance(10_000);
  // The row came at 22:50; the transition bears the instant of the close.
  expect((await second.published()).slice(before.length)).toEqual([
    'transition 2020-03-05T21:00',
    'after-hours 2020-03-05T22:50',
  ]);
  const [briefing] = (await second.get('/api/briefings?type=transition&limit=1')).data;
  expect(briefing).toMatchObject({ symbols: ['SPY', 'QQQ', 'XLE'], title: expect.stringMatching(/SPY/) });
  const { body } = await second.get(`/api/briefings/${briefing.id}`);
  const { price } = (await second.get('/history?symbol=SPY&limit=100')).data.at(-1);
  expect(body).toMatch(new RegExp(`^\\| SPY \\| .* \\| ${price.toFixed(2)} \\| −`, 'm'));
  const [after] = (await second.get('/api/briefings?type=after-hours&limit=1')).data;
  expect((await second.get(`/api/briefings/${after.id}`)).body).toMatch(/Thursday 5 March.* with 3 in High Risk/);
  await second.service.close();
});

test('a close that never comes is not waited for beyond the night', { tags: ['long'] }, async () => {
  const clock = createManualClock(Date.parse('2020-02-27T21:00:00Z'));
  const service = await run(clock, writePrices('2020-02-26'));
  clock.jump(24 * HOUR);
  await clock.advance(5_000);
  writePrices('2020-02-28');
  await clock.advance(HOUR);
  expect((await service.published()).slice(-3)).toEqual([
    'pre-market 2020-02-28T13:30',
    'midday 2020-02-28T17:30',
    expect.stringMatching(/^after-hours 2020-02-28T21/),
  ]);
  await service.service.close();
});

test('editorials are an archive at first start; one that comes later is published, when its date has come, once', {
  tags: ['long'],
}, async () => {
  const prices = writePrices('2020-03-04');
  const file = join(folder.path, 'service.db');
  const editorial = join(folder.path, 'editorial');
  mkdirSync(editorial);
  const write = (name: string, date: string): void =>
    writeFileSync(
      join(editorial, `${name}.md`),
      `---\ntitle: ${name}\nauthor: House editor\ndate: ${date}\ntype: deep\n---\nText of ${name}.\n`,
    );
  write('old', '2019-12-01');
  write('coming', '2020-03-05T20:30:00Z');
  const clock = createManualClock(Date.parse('2020-03-05T20:00:00Z'));
  const first = await run(clock, prices, file, editorial);
  const titles = async (of: Run): Promise<string[]> =>
    (await of.get('/api/briefings?author=house%20editor')).data.map(({ title }: { title: string }) => title);
  expect(await titles(first)).toEqual(['old']);
  const { length } = await first.published();
  const since = async (of: Run): Promise<string[]> => (await of.published()).slice(length);
  write('late', '2020-03-01');
  await clock.advance(60_000);
  expect(await titles(first)).toEqual(['late', 'old']);
  expect(await since(first)).toEqual(['deep 2020-03-01T00:00']);
  await clock.advance(30 * 60_000);
  expect(await titles(first)).toEqual(['coming', 'late', 'old']);
  expect(await since(first)).toEqual(['deep 2020-03-01T00:00', 'deep 2020-03-05T20:30']);
  expect((await first.get('/api/briefings/ed-late')).body).toBe('Text of late.\n');
  await first.service.close();
  const again = await run(clock, prices, file, editorial);
  await clock.advance(60_000);
  expect(await since(again)).toEqual(['deep 2020-03-01T00:00', 'deep 2020-03-05T20:30']);
  expect(await titles(again)).toEqual(['coming', 'late', 'old']);
  await again.service.close();
});
