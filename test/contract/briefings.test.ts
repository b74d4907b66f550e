// Contract: GET /api/briefings: the archive at first start, its texts, and publishing exactly once.
// The texts agree with the answers of the service.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BriefingRecord } from '../../shared/wire/briefings.ts';
import { BRIEFING_TYPES, type EventEnvelope } from '../../shared/wire/events.ts';
import { folderInMemory } from '../harness/folders.ts';
import { createManualClock, type ManualClock } from '../harness/manual-clock.ts';
import { SANDBOX_START, type Sandbox, startSandbox } from '../harness/sandbox.ts';

const DAY = 86_400_000;
const DESKS = ['Equity desk', 'Macro desk', 'Research desk'];
/** A Tuesday, half a minute before a pre-market briefing. */
const BEFORE_EIGHT = Date.parse('2026-03-03T07:59:30.000Z');
const EIGHT = '2026-03-03T08:00:00.000Z';

const whole = (of: Sandbox, query = ''): Promise<BriefingRecord[]> => of.whole(`/api/briefings${query}`);
const textOf = async (of: Sandbox, { id }: { id: string }) => (await of.get(`/api/briefings/${id}`)).body;
const published = async (of: Sandbox) =>
  (await of.whole<EventEnvelope>('/events')).flatMap((event) => (event.event === 'briefing.published' ? [event] : []));
/** The cells of the first Markdown table whose head begins so. */
function tableIn(body: string, head: string): string[][] {
  const lines = body.split('\n');
  const begin = lines.findIndex((line) => line.startsWith(`| ${head}`));
  if (begin === -1) return [];
  const end = lines.findIndex((line, index) => index > begin && !line.startsWith('|'));
  return lines.slice(begin, end === -1 ? lines.length : end).map((line) => line.slice(2, -2).split(' | '));
}
const percent = (value: number): string => `${value.toFixed(1)} %`;

test('while a page of the archive is written, others are answered', { tags: ['long'] }, async () => {
  const sandbox = await startSandbox({ symbols: 3, time: { start: SANDBOX_START, speed: 0 } });
  const answered: string[] = [];
  const get = async (path: string) => {
    expect((await sandbox.get(path)).status).toBe(200);
    answered.push(path);
  };
  await Promise.all([get('/api/briefings?limit=100'), get('/signal?symbol=SPY')]);
  expect(answered).toEqual(['/signal?symbol=SPY', '/api/briefings?limit=100']);
  await sandbox.service.close();
});

/** Of every text of a simulated market, and of no other. */
const SIMULATED = /\n\*The market is simulated and open around the clock\. Nothing in this text is real\.\*\n$/;

describe('the archive at first start', { tags: ['long'] }, () => {
  let sandbox: Sandbox;
  test('every text says that the market is simulated and never closes', async () => {
    const rows = await whole(sandbox);
    for (const row of rows.slice(0, 12)) expect((await textOf(sandbox, row)).body).toMatch(SIMULATED);
  });
  let rows: BriefingRecord[];
  let texts: {
    body: string;
    title: string;
    date: string;
    type: string;
    content_type: string;
    reading_minutes: number;
  }[];
  beforeAll(async () => {
    sandbox = await startSandbox({ symbols: 8, scenario: 'burst', time: { start: SANDBOX_START, speed: 0 } });
    rows = await whole(sandbox);
    texts = await Promise.all(rows.map((row) => textOf(sandbox, row)));
  });
  afterAll(() => sandbox.service.close());

  test('has 90 days of all six types, newest first, signed by desks', () => {
    expect(new Set(rows.map(({ type }) => type))).toEqual(new Set(BRIEFING_TYPES));
    expect(rows.map(({ date }) => date)).toEqual(
      rows
        .map(({ date }) => date)
        .toSorted()
        .reverse(),
    );
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
    for (const { author } of rows) expect(DESKS).toContain(author);
    const ages = rows.map(({ date }) => (SANDBOX_START - Date.parse(date)) / DAY);
    expect(Math.min(...ages)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...ages)).toBeGreaterThan(85);
    expect(Math.max(...ages)).toBeLessThanOrEqual(90);
    const count = (type: string): number => rows.filter((row) => row.type === type).length;
    for (const type of ['pre-market', 'midday', 'after-hours']) expect(count(type), type).toBe(64);
    for (const type of ['weekly', 'deep']) expect(count(type), type).toBe(13);
  });

  test('reports High Risk of funds and indices only, six times a day at most', async () => {
    const briefings = rows.filter(({ type }) => type === 'transition');
    expect(briefings.length).toBeGreaterThan(10);
    const funds = new Set(
      (await sandbox.get('/snapshot?class=etf,index&limit=100')).body.data.map(
        ({ symbol }: { symbol: string }) => symbol,
      ),
    );
    for (const { symbols } of briefings) for (const symbol of symbols) expect(funds).toContain(symbol);
    const days = new Map<string, number>();
    for (const { date } of briefings) days.set(date.slice(0, 10), (days.get(date.slice(0, 10)) ?? 0) + 1);
    expect(Math.max(...days.values())).toBeLessThanOrEqual(6);
    const high = (await sandbox.get('/alert-transitions?state=high_risk&class=etf,index&limit=100')).body.data;
    const newest = briefings[0];
    expect(high.map((one: { occurred_at: string }) => one.occurred_at)).toContain(newest?.date);
  });

  test('has no two that are alike, and every text is whole', () => {
    expect(new Set(texts.map(({ body }) => body)).size).toBe(texts.length);
    for (const { body, title, reading_minutes, content_type } of texts) {
      expect(content_type).toBe('text/markdown; charset=utf-8');
      expect(reading_minutes).toBe(Math.max(1, Math.round(body.split(/\s+/).length / 220)));
      expect(`${title}\n${body}`).not.toMatch(/undefined|NaN|Infinity|\bnull\b(?! models)|\[object|<[a-z]/);
      expect(body.length).toBeGreaterThan(400);
      expect(body).toMatch(/^\| .* \|$/m);
      expect(title).not.toMatch(/\.$|: .*: /);
    }
  });

  test('gives the figures of /history, /factors and /regime at a close', { tags: ['long'] }, async () => {
    const checked = { boards: 0, factors: 0 };
    for (const text of texts.filter(({ type }) => type === 'after-hours').slice(8, 40)) {
      const close = `${text.date.slice(0, 10)}T00:00:00.000Z`;
      for (const cells of tableIn(text.body, 'Symbol | State | Price | Day | 5 sessions').slice(2)) {
        const [symbol, state, price, day] = cells;
        const { data } = (await sandbox.get(`/history?symbol=${symbol}&limit=100`)).body;
        const index = data.findIndex(({ timestamp }: { timestamp: string }) => timestamp === close);
        const row = data[index];
        expect(state?.toLowerCase().replace(' ', '_')).toBe(row.state_name);
        expect(Number(price?.replaceAll(',', ''))).toBeCloseTo(row.price, row.price >= 1000 ? -0.5 : 2);
        expect(cells.at(-2)).toBe(percent(row.confidence));
        const before = data[index - 1]?.price;
        if (before !== undefined)
          expect(Number(day?.replace('−', '-').replace(' %', ''))).toBeCloseTo(100 * (row.price / before - 1), 1);
        checked.boards += 1;
      }
      const symbol = /What drives ([A-Z]+)/.exec(text.body)?.[1];
      if (symbol === undefined) continue;
      const { data } = (await sandbox.get(`/factors?symbol=${symbol}&from=${close}&to=${close}`)).body;
      for (const [dimension, power] of tableIn(text.body, 'Dimension | Power').slice(2)) {
        const name = dimension?.replace(/^D-\d\d /, '').toLowerCase() ?? '';
        expect(Number(power)).toBeCloseTo(data[0].powers[name], 1.99);
        checked.factors += 1;
      }
    }
    expect(checked.boards).toBeGreaterThan(60);
    expect(checked.factors).toBeGreaterThan(15);
  });

  test('gives the hold-out record that /api/validation/metrics gives', { tags: ['long'] }, async () => {
    const { symbols } = (await sandbox.get('/api/validation/metrics')).body;
    const { body } = await textOf(sandbox, rows[0] as BriefingRecord);
    const [symbol, signals, precision, , recall] = tableIn(body, 'Symbol | Signals').at(2) ?? [];
    const { holdout } = symbols.find((row: { symbol: string }) => row.symbol === symbol);
    expect(precision).toBe(`${Math.round(100 * holdout.precision)} %`);
    expect(recall).toBe(`${Math.round(100 * holdout.recall)} %`);
    expect(signals).toBe(`${holdout.n_signals}`);
  });

  test.each([
    'type=daily',
    'type=weekly,x',
    `author=${'x'.repeat(81)}`,
    'from=2026-03-01T0:00',
    'from=2026-03-01&to=2026-02-01',
  ])('?%s is 400', async (query) => {
    const answer = await sandbox.get(`/api/briefings?${query}`);
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_request']);
  });
});

const small = (clock?: ManualClock, file?: string): Promise<Sandbox> =>
  startSandbox({
    symbols: 3,
    clock: clock ?? createManualClock(BEFORE_EIGHT),
    ...(file === undefined ? {} : { file }),
  });

test('a briefing is published when due, with an event, and matches the answers of the service at that instant', async () => {
  const clock = createManualClock(BEFORE_EIGHT);
  const sandbox = await small(clock);
  const before = await published(sandbox);
  await clock.advance(30_010);
  const after = await published(sandbox);
  expect(after).toHaveLength(before.length + 1);
  const event = after.at(-1) ?? expect.fail('no event');
  expect(event).toMatchObject({ timestamp: EIGHT, data: { type: 'pre-market', author: 'Macro desk', date: EIGHT } });
  const text = await textOf(sandbox, event.data);
  expect(text).toMatchObject({ ...event.data, content_type: 'text/markdown; charset=utf-8' });
  expect((await sandbox.get('/api/briefings?limit=1')).body.data[0].id).toBe(event.data.id);

  const signals = (await sandbox.get('/snapshot')).body.data;
  const tableRows = tableIn(text.body, 'Symbol | State | Price | Day | 5 sessions').slice(2);
  expect(tableRows.length).toBeGreaterThan(2);
  for (const [symbol, state, price, day, ...rest] of tableRows) {
    const signal = signals.find((one: { symbol: string }) => one.symbol === symbol);
    expect(state?.toLowerCase().replace(' ', '_')).toBe(signal.state_name);
    expect(price).toBe(signal.price.toFixed(2));
    expect(day?.replace('−', '-').replace('+', '')).toBe(`${signal.change_pct.toFixed(2)} %`);
    expect(rest.slice(-2)).toEqual([percent(signal.confidence), percent(signal.base_rate)]);
    const progress = rest.at(-3)?.replace(' %', '');
    if (signal.note.includes('of the way')) expect(signal.note).toContain(`${progress} % of the way`);
  }
  await sandbox.service.close();
});

test('High Risk of a fund is published at once, with the note of its transition', { tags: ['long'] }, async () => {
  const clock = createManualClock(BEFORE_EIGHT);
  const sandbox = await small(clock);
  await clock.advance(60_000);
  const known = new Set((await whole(sandbox, '?type=transition')).map(({ id }) => id));
  let event: { data: { note: string; confidence: number; symbol: string } } | undefined;
  let fresh: BriefingRecord[] = [];
  // The part of the day may have its briefing already; the next one has not.
  for (let part = 0; part < 3 && fresh.length === 0; part++) {
    for (const symbol of ['SPY', 'QQQ', 'IWM']) {
      await sandbox.trigger('signal.normal', symbol);
      const { body } = await sandbox.trigger('signal.high_risk', symbol);
      event = body.data.at(-1);
      fresh = (await whole(sandbox, '?type=transition')).filter(({ id }) => !known.has(id));
      if (fresh.length > 0) break;
    }
    if (fresh.length === 0) await clock.advance(4 * 3_600_000);
  }
  expect(fresh).toHaveLength(1);
  const text = await textOf(sandbox, fresh[0] as BriefingRecord);
  expect(text.symbols).toContain(event?.data.symbol);
  expect(text.body).toContain(event?.data.note);
  expect(text.body).toContain(percent(event?.data.confidence ?? 0));
  expect((await published(sandbox)).map(({ data }) => data.id)).toContain(text.id);
  await sandbox.service.close();
});

test('a requested briefing can be fetched, is about the symbol, and another one is another', async () => {
  const sandbox = await startSandbox({ symbols: 3, time: { start: SANDBOX_START, speed: 0 } });
  const [first, second] = [
    (await sandbox.trigger('briefing.published', 'QQQ')).body.data,
    (await sandbox.trigger('briefing.published', 'QQQ')).body.data,
  ];
  expect(first).toHaveLength(1);
  const [one, other] = [await textOf(sandbox, first[0].data), await textOf(sandbox, second[0].data)];
  expect(one).toMatchObject({
    id: first[0].data.id,
    type: 'deep',
    author: 'Research desk',
    title: first[0].data.title,
  });
  expect(one.symbols[0]).toBe('QQQ');
  expect(one.title).toMatch(/^Rehearsal: /);
  expect(other.id).not.toBe(one.id);
  expect((await sandbox.get('/api/briefings?limit=2')).body.data.map(({ id }: BriefingRecord) => id)).toEqual([
    other.id,
    one.id,
  ]);
  expect((await sandbox.trigger('briefing.published', 'BTC')).body.code).toBe('invalid_request');
  await sandbox.service.close();
});

describe('with a file', () => {
  test('nothing is published twice, nothing is forgotten, and what fell due meanwhile is made up for', {
    tags: ['long'],
  }, async () => {
    const folder = folderInMemory();
    const file = join(folder.path, 'service.db');
    try {
      const first = await small(createManualClock(BEFORE_EIGHT), file);
      const archive = await whole(first);
      await first.service.close();
      // It was down from 07:59:30 to 12:00:30: a pre-market and a midday briefing fell due.
      const second = await small(createManualClock(BEFORE_EIGHT + 4 * 3_600_000 + 60_000), file);
      await second.clock.advance(1_000);
      const events = await published(second);
      const due = events.filter(({ data, timestamp }) => data.type !== 'transition' && timestamp >= EIGHT);
      expect(due.map(({ timestamp, data }) => [timestamp, data.type, data.date])).toEqual([
        [EIGHT, 'pre-market', EIGHT],
        ['2026-03-03T12:00:00.000Z', 'midday', '2026-03-03T12:00:00.000Z'],
      ]);
      const rows = await whole(second);
      expect(rows.slice(-archive.length)).toEqual(archive);
      const texts = await Promise.all(rows.slice(0, 5).map((row) => textOf(second, row)));
      await second.service.close();

      const third = await small(createManualClock(BEFORE_EIGHT + 4 * 3_600_000 + 90_000), file);
      await third.clock.advance(1_000);
      expect(await published(third)).toEqual(events);
      expect(await whole(third)).toEqual(rows);
      expect(await Promise.all(rows.slice(0, 5).map((row) => textOf(third, row)))).toEqual(texts);
      await third.service.close();
    } finally {
      rmSync(file, { force: true });
      folder.remove();
    }
  });
});

test('a store that takes nothing answers the archive all the same, and keeps it when it can', {
  tags: ['long'],
}, async () => {
  const folder = folderInMemory();
  const file = join(folder.path, 'service.db');
  const execute = (sql: string): void => {
    const database = new SQLite(file);
    database.exec(sql);
    database.close();
  };
  const sandbox = await startSandbox({ symbols: 3, time: { start: SANDBOX_START, speed: 0 }, file });
  const read = async () => {
    const page = await sandbox.get('/api/briefings?limit=12&to=2026-02-10');
    expect(page.status).toBe(200);
    const next = await sandbox.get(
      `/api/briefings?limit=12&to=2026-02-10&after=${encodeURIComponent(page.body.next_cursor)}`,
    );
    return [page.body, next.body, await textOf(sandbox, page.body.data[0])];
  };
  try {
    // Some of the first page are in the store, the others are not.
    const { data } = (await sandbox.get('/api/briefings?limit=3&to=2026-02-09')).body;
    execute("CREATE TRIGGER full BEFORE INSERT ON briefings BEGIN SELECT RAISE(ABORT, 'the disk is full'); END");
    const answers = await read();
    expect(answers[0].data).toEqual(expect.arrayContaining(data));
    execute("DELETE FROM briefings WHERE date < 1000 * unixepoch('2026-02-11'); DROP TRIGGER full");
    expect(await read()).toEqual(answers);
    const database = new SQLite(file, { readonly: true });
    const ids = database.prepare('SELECT id FROM briefings').pluck().all();
    database.close();
    expect(ids).toEqual(expect.arrayContaining(answers[0].data.map(({ id }: BriefingRecord) => id)));
  } finally {
    await sandbox.service.close();
    rmSync(file, { force: true });
    folder.remove();
  }
});
