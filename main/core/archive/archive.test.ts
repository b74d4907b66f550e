// Test: the archive with a core and a service: filled, listed, read, flagged, searched.
import { appendFileSync, readdirSync, rmSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type BriefingDetail,
  BriefingQuerySchema,
  type Hit,
  NewsQuerySchema,
} from '../../../shared/channels/archive.ts';
import { encodeEvent } from '../../../shared/wire/sse.ts';
import {
  type BriefingServer,
  briefingsUpTo,
  createBriefingServer,
  newsUpTo,
} from '../../../test/harness/briefing-server.ts';
import { setUpCoreBench } from '../../../test/harness/core-bench.ts';
import type { CoreRig } from '../../../test/harness/core-rig.ts';
import { startNearReader } from '../../../test/harness/near-reader.ts';
import { LIVE_KEY } from '../../../test/harness/wire-service.ts';

const bench = setUpCoreBench();
let briefingService: BriefingServer;
beforeEach(() => {
  briefingService = createBriefingServer();
  briefingService.briefings = briefingsUpTo(bench.clock.now() - 60_000, 250);
  briefingService.news = newsUpTo(bench.clock.now() - 60_000, 150);
  bench.service.fault = (request) => briefingService.answer(request);
});
afterEach(() => {
  bench.service.fault = null;
});

const up = async (options: Parameters<typeof bench.up>[0] = {}): Promise<CoreRig> =>
  bench.up({ ports: { host: { archive: startNearReader } }, ...options });
const view = (rig: CoreRig) => rig.core.handlers['archive.read']({});
const filled = async (rig: CoreRig): Promise<void> => {
  await bench.clock.until(() => (view(rig) as { complete: boolean }).complete);
  await bench.clock.advance(1_000);
};
const list = (rig: CoreRig, ask: object = {}) => rig.core.handlers['briefings.list'](BriefingQuerySchema.parse(ask));
const news = (rig: CoreRig, ask: object = {}) => rig.core.handlers['news.list'](NewsQuerySchema.parse(ask));

const markAllRead = (rig: CoreRig, query: object = {}) =>
  rig.core.handlers['briefings.markAllRead'](
    BriefingQuerySchema.omit({ after: true, limit: true, unread: true }).parse(query),
  );

test('with a filter only the briefings of the list are marked read, on all of its pages', async () => {
  const rig = await up();
  await filled(rig);
  const first = (await list(rig, { box: 'unread', limit: 1 })).rows[0];
  const from = new Date(Date.parse(first?.date ?? '') - 20_000_000).toISOString();
  const shown = await list(rig, { unread: true, from, limit: 200 });
  expect(shown.total).toBeGreaterThan(0);
  expect(shown.total).toBeLessThan(168);
  const { ids } = await markAllRead(rig, { from });
  expect(ids).toEqual(shown.rows.map(({ id }) => id));
  expect(view(rig)).toMatchObject({ briefings: { unread: 168 - ids.length } });
  expect(await markAllRead(rig, { types: ['morning'] })).toEqual({ ids: [] });
  expect(await markAllRead(rig, { box: 'starred' })).toEqual({ ids: [] });
});

test('without a filter all are marked read at once; the ids in the answer undo it', async () => {
  const rig = await up();
  await filled(rig);
  const before = await list(rig, { box: 'unread', limit: 3 });
  await rig.core.handlers['briefings.flag']({ ids: [before.rows[0]?.id ?? ''], starred: true });
  const { ids } = await markAllRead(rig);
  expect([ids.length, ids.slice(0, 3)]).toEqual([168, before.rows.map(({ id }) => id)]);
  expect(view(rig)).toMatchObject({ briefings: { all: 250, unread: 0, starred: 1 } });
  expect(await markAllRead(rig)).toEqual({ ids: [] });
  await rig.core.handlers['briefings.flag']({ ids, unread: true });
  expect(view(rig)).toMatchObject({ briefings: { unread: 168, starred: 1 } });
});

describe('filling', () => {
  test('the list page by page, every text, the news; items older than a week count as read', async () => {
    const rig = await up();
    await filled(rig);
    expect(view(rig)).toMatchObject({
      briefings: { all: 250, unread: 168, starred: 0, later: 0, types: [{ name: 'midday', all: 250, unread: 168 }] },
      news: 150,
      filling: null,
      complete: true,
      problem: null,
    });
    const requests = bench.service.requests.filter(({ path }) => path.startsWith('/api/briefings/'));
    expect(requests).toHaveLength(250);
    expect(new Set(requests.map(({ path }) => path)).size).toBe(250);
    const page = await list(rig, { limit: 3 });
    expect(page).toMatchObject({ total: 250, next: expect.any(String) });
    expect(page.rows.map(({ id, text, unread }) => [id, text, unread])).toEqual([
      ['b250', 'here', true],
      ['b249', 'here', true],
      ['b248', 'here', true],
    ]);
    expect((await list(rig, { limit: 3, after: page.next })).rows.map(({ id }) => id)).toEqual([
      'b247',
      'b246',
      'b245',
    ]);
    expect((await news(rig)).rows[0]).toMatchObject({ id: 'n150', headline: 'Headline 150', excerpt: null });
  });

  test.each([
    ['in the app come at once', null, 250, 250],
    ['that counts requests come slowly', 'http://127.0.0.1:18787', 5, 15],
  ])('the texts of real prices from a service %s', async (_, baseUrl, least, most) => {
    bench.service.environment = 'production';
    bench.service.accepts = () => true;
    await up({ profile: { environment: 'production', baseUrl }, key: LIVE_KEY });
    await bench.clock.until(() => bench.service.requests.some(({ path }) => path === '/api/briefings'));
    await bench.clock.advance(20_000);
    const texts = bench.service.requests.filter(({ path }) => path.startsWith('/api/briefings/')).length;
    expect(texts).toBeGreaterThanOrEqual(least);
    expect(texts).toBeLessThanOrEqual(most);
  });

  test('a new publication is fetched at once; a page of known items ends the fetch', async () => {
    const rig = await up();
    await filled(rig);
    const before = bench.service.requests.length;
    const date = new Date(bench.clock.now()).toISOString();
    briefingService.publish({ id: 'new', date, title: 'Fresh' });
    const event = {
      event_id: 'evt_b',
      seq: 1,
      event: 'briefing.published',
      timestamp: date,
      data: { id: 'new', type: 'midday', title: 'Fresh', author: 'x', date },
    } as const;
    bench.service.log.push(event);
    bench.service.write(encodeEvent(event));
    await bench.clock.advance(1_000);
    expect((await list(rig, { limit: 1 })).rows[0]).toMatchObject({ id: 'new', text: 'here', unread: true });
    const requests = bench.service.requests.slice(before).filter(({ path }) => path.startsWith('/api/briefings'));
    expect(requests.map(({ path }) => path)).toEqual(['/api/briefings', '/api/briefings/new']);
    expect((await rig.core.handlers['briefings.read']({ id: 'new' })).body).toContain('The **text** of new.');
  });

  test('after a restart nothing is fetched twice', async () => {
    const first = await up();
    await filled(first);
    await bench.down(first);
    const before = bench.service.requests.length;
    const rig = await up();
    await bench.clock.advance(5_000);
    expect(
      bench.service.requests
        .slice(before)
        .filter(({ path }) => path.startsWith('/api/briefings'))
        .map(({ url }) => url.search),
    ).toEqual(['?limit=100']);
    expect(view(rig)).toMatchObject({ complete: true, briefings: { all: 250 } });
  });
});

describe('related items', () => {
  test('a briefing has the states of its symbols at that time, transitions around it and related briefings', async () => {
    const at = (minutes: number): string => new Date(bench.clock.now() - minutes * 60_000).toISOString();
    const rig = await up();
    await filled(rig);
    bench.service.emit('SPY', 1, { at: at(300), from: 0 });
    bench.service.emit('SPY', 2, { at: at(100), from: 1 });
    bench.service.emit('QQQ', 2, { at: at(30), from: 1 });
    bench.service.emit('IWM', 2, { at: at(30) });
    briefingService.publish({ id: 'linked', date: at(60), symbols: ['SPY', 'QQQ', 'ZZZ', 'XLK'] });
    await bench.clock.advance(400_000);
    const briefing: BriefingDetail = await rig.core.handlers['briefings.read']({ id: 'linked' });
    expect(briefing.states_then).toEqual([
      { symbol: 'SPY', state: 2 },
      { symbol: 'QQQ', state: 1 },
      { symbol: 'ZZZ', state: null },
      { symbol: 'XLK', state: 0 },
    ]);
    expect(briefing.linked.transitions.map(({ symbol, to_state }) => [symbol, to_state])).toEqual([
      ['QQQ', 2],
      ['SPY', 2],
      ['SPY', 1],
    ]);
    expect(briefing.linked.briefings).toHaveLength(6);
    expect(briefing.linked.briefings[0]).toMatchObject({ id: 'b249' });
  });

  test('a note on an alert is found although the service was not reached since the start; a removed one is not', async () => {
    const search = async (rig: CoreRig, text: string): Promise<string[]> => {
      const { hits } = await rig.core.handlers['archive.search']({ text, kinds: null, limit: 20 });
      return hits.map(({ kind, id }) => `${kind} ${id}`);
    };
    const first = await up();
    bench.service.emit('SPY', 2);
    await bench.clock.advance(2_000);
    await first.core.handlers['alerts.note']({ ledger_id: 1, note: 'sold half' });
    expect(await search(first, 'sold')).toEqual(['note 1']);
    await bench.down(first);
    bench.service.fault = () => 'unreachable';
    const rig = bench.rig({ ports: { host: { archive: startNearReader } } });
    await rig.core.start();
    await rig.core.handlers['alerts.note']({ ledger_id: 1, note: 'bought puts' });
    expect(await search(rig, 'puts')).toEqual(['note 1']);
    expect(await search(rig, 'sold')).toEqual([]);
  });

  test('an archive that replaces a damaged one indexes the alerts by itself', async () => {
    const rig = await up();
    const path = join(bench.folder, 'archive.sqlite');
    const indexed = (): unknown => {
      const db = new Database(path, { readonly: true });
      const count = db.prepare('SELECT count(*) FROM alerts').pluck().get();
      db.close();
      return count;
    };
    bench.service.emit('SPY', 2);
    await bench.clock.advance(2_000);
    expect(indexed()).toBe(1);
    const db = new Database(path);
    db.pragma('wal_checkpoint(TRUNCATE)');
    db.close();
    const { size } = statSync(path);
    truncateSync(path, 8_192);
    appendFileSync(path, Buffer.alloc(size - 8_192, 0x5a));
    await rig.core.handlers['archive.check']({});
    await bench.clock.advance(2_000);
    expect(readdirSync(bench.folder).some((name) => name.startsWith('archive.damaged'))).toBe(true);
    expect(indexed()).toBe(1);
  });

  test('notes on symbols are found as they are now, also after a restart', async () => {
    const rig = await up();
    const at = '2026-02-27T15:00:00.000Z';
    const search = (of: CoreRig, text: string) => of.core.handlers['archive.search']({ text, kinds: null, limit: 20 });
    const save = (id: number | null, text: string) => rig.core.handlers['notes.save']({ id, symbol: 'SPY', at, text });
    const { id } = await save(null, 'Sold half before the Fed');
    await save(null, 'Bought puts');
    expect((await search(rig, 'spy fed')).hits).toEqual([
      {
        kind: 'symbol_note',
        id: String(id),
        title: 'SPY',
        symbol: 'SPY',
        at,
        excerpt: [
          { text: 'Sold half before the ', hit: false },
          { text: 'Fed', hit: true },
        ],
      },
    ]);
    await save(id, 'Sold all');
    expect((await search(rig, 'fed')).hits).toEqual([]);
    expect((await search(rig, 'sold')).hits).toHaveLength(1);
    await rig.core.handlers['notes.remove']({ id });
    expect((await search(rig, 'sold')).hits).toEqual([]);
    await bench.down(rig);
    expect((await search(await up(), 'puts')).hits).toMatchObject([{ kind: 'symbol_note', symbol: 'SPY' }]);
  });

  test('one search finds briefings, alerts and notes, also after a new ledger began', async () => {
    const search = async (rig: CoreRig, text: string): Promise<string[]> => {
      const { hits } = await rig.core.handlers['archive.search']({ text, kinds: null, limit: 20 });
      return hits.map(({ kind, id }: Hit) => `${kind} ${id}`);
    };
    const rig = await up();
    await filled(rig);
    bench.service.emit('SPY', 2);
    await bench.clock.advance(200);
    expect(await search(rig, 'SPY high')).toEqual(['alert 1']);
    await rig.core.handlers['alerts.note']({ ledger_id: 1, note: 'Hedged with puts' });
    expect(await search(rig, 'puts')).toEqual(['note 1']);
    expect(await search(rig, 'b250')).toEqual(['briefing b250']);
    await bench.down(rig);
    for (const ending of ['', '-wal', '-shm']) rmSync(join(bench.folder, `ledger.sqlite${ending}`), { force: true });
    bench.service.replaceLog();
    bench.service.emit('QQQ', 2);
    const again = await up();
    await bench.clock.advance(2_000);
    expect(await search(again, 'SPY')).toEqual([]);
    expect(await search(again, 'puts')).toEqual([]);
    expect(await search(again, 'QQQ')).toEqual(expect.arrayContaining(['alert 1']));
  });
});
