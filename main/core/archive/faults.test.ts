// Test: the archive with a faulty service, a full disk, damaged files: no loss, clear messages.
import { readdirSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { NewsQuerySchema } from '../../../shared/channels/archive.ts';
import { type ArchiveBench, createArchiveBench } from '../../../test/harness/archive-bench.ts';
import { briefingsUpTo, newsUpTo, refusal } from '../../../test/harness/briefing-server.ts';
import { saying } from '../../../test/harness/saying.ts';
import type { WireRequest } from '../../../test/harness/wire-service.ts';
import { openLedger } from '../ledger/ledger.ts';
import { openStore } from './store.ts';

let bench: ArchiveBench;
beforeEach(() => {
  bench = createArchiveBench();
  bench.briefings.briefings = briefingsUpTo(bench.clock.now() - 60_000, 12);
  bench.briefings.news = newsUpTo(bench.clock.now() - 60_000, 5);
});
afterEach(() => bench.end());

const isText = ({ path }: WireRequest): boolean => path.startsWith('/api/briefings/');
const isList = ({ path }: WireRequest): boolean => path === '/api/briefings';
const texts = (): string[] => bench.requests.filter(isText).map(({ path }) => path.slice('/api/briefings/'.length));
const whole = async (): Promise<number> => {
  const { rows } = await bench.archive.handlers['briefings.list']({ ...ALL, limit: 200 });
  return rows.filter((row) => row.text === 'here').length;
};
const ALL = {
  box: 'all',
  unread: false,
  types: null,
  authors: null,
  symbol: null,
  text: '',
  from: null,
  to: null,
  after: null,
  limit: 50,
} as const;

const damaged = (): never => {
  throw new Database.SqliteError('database disk image is malformed', 'SQLITE_CORRUPT');
};

test('a request from before the stop is answered after it, without an error', async () => {
  const { promise, resolve } = Promise.withResolvers<never>();
  const answer = bench.archive.memory.one('factors.read', 'SPY', () => promise);
  await bench.archive.stop();
  resolve({ symbol: 'SPY' } as never);
  expect(await answer).toEqual({ symbol: 'SPY' });
  expect(bench.logged).toEqual([]);
});

describe('a service without an archive, or that refuses', () => {
  test('the other path is tried, and remembered across restarts', async () => {
    bench.briefings.path = '/briefings';
    await bench.fill();
    expect(bench.view()).toMatchObject({ complete: true, problem: null, briefings: { all: 12 } });
    await bench.again();
    const before = bench.requests.length;
    await bench.fill();
    await bench.clock.advance(2_000);
    expect(bench.requests.slice(before).map(({ path }) => path)).not.toContain('/api/briefings');
  });
  test('neither path answers: this is reported, and the list is requested until the service has it', async () => {
    bench.briefings.path = null;
    await bench.fill(3_600_000);
    expect(bench.view()).toMatchObject({
      complete: false,
      problem: saying('This service keeps no archive of briefings.'),
      news_problem: null,
      news: 5,
    });
    // Two requests per attempt; 15 s, 30 s, 60 s ... up to half an hour in between.
    expect(bench.requests.filter(isList).length).toBeLessThan(16);
    bench.briefings.path = '/api/briefings';
    await bench.clock.advance(1_800_000);
    expect(bench.view()).toMatchObject({ complete: true, problem: null });
  });
  test.each([401, 403, 402])('%i is shown in the service’s own message; stored items can be read', async (status) => {
    await bench.fill();
    bench.briefings.fault = () => refusal(status, 'not_in_plan');
    bench.archive.on.recorded({ added: [{ ledgerId: 1, event: { event: 'briefing.published' } }] } as never);
    await bench.clock.advance(1_000);
    expect(bench.view()).toMatchObject({ problem: saying('refused: not_in_plan'), briefings: { all: 12 } });
    expect((await bench.archive.handlers['briefings.read']({ id: 'b12' })).body).toContain('text');
  });
  test('429: not before the requested time', async () => {
    let refused = 0;
    bench.briefings.fault = (request) =>
      isText(request) && refused++ === 0 ? refusal(429, 'rate_limited', { 'retry-after': '300' }) : null;
    bench.archive.on.caughtUp({ gaps: [] });
    await bench.clock.advance(290_000);
    expect(texts()).toHaveLength(1);
    // A new event does not shorten the wait either.
    bench.archive.on.streamBroken(undefined);
    bench.archive.on.caughtUp({ gaps: [] });
    await bench.clock.advance(5_000);
    expect(texts()).toHaveLength(1);
    await bench.clock.advance(10_000);
    expect(bench.view()).toMatchObject({ complete: true, problem: null });
  });
  test('a stream that breaks every few seconds does not fetch a list each time', async () => {
    await bench.fill();
    const before = bench.requests.length;
    for (let time = 0; time < 5; time += 1) {
      bench.archive.on.streamBroken(undefined);
      bench.archive.on.caughtUp({ gaps: [] });
      await bench.clock.advance(5_000);
    }
    expect(bench.requests.length).toBe(before);
    await bench.clock.advance(60_000);
    bench.archive.on.streamBroken(undefined);
    bench.archive.on.caughtUp({ gaps: [] });
    await bench.clock.advance(1_000);
    expect(
      bench.requests
        .slice(before)
        .map(({ path }) => path)
        .filter((path) => path !== '/proof')
        .sort(),
    ).toEqual(['/api/briefings', '/market-news']);
  });
  test('no request while none is allowed', async () => {
    bench.mayAsk = false;
    await bench.fill(600_000);
    expect(bench.requests).toEqual([]);
    await expect(bench.archive.handlers['briefings.read']({ id: 'b1' })).rejects.toThrow('no such briefing');
  });
});

describe('broken lists', () => {
  test('news that are refused are a problem of the news alone', async () => {
    bench.briefings.fault = ({ path }) => (path === '/market-news' ? refusal(403, 'plan_required') : null);
    await bench.fill(5_000);
    expect(bench.view()).toMatchObject({ problem: null, news_problem: saying(/plan_required/), news: 0 });
  });
  test('a list whose cursors repeat ends, and is reported', async () => {
    bench.briefings.fault = (request) =>
      isList(request)
        ? Response.json({ data: bench.briefings.briefings.slice(0, 3), has_more: true, next_cursor: 'c' })
        : null;
    await bench.fill(5_000);
    expect(bench.view()).toMatchObject({
      problem: saying(/repeats/),
      complete: false,
      briefings: { all: 3 },
    });
    expect(bench.requests.filter(isList)).toHaveLength(2);
  });
  test('invalid rows are counted and skipped', async () => {
    bench.briefings.briefings.splice(4, 0, { id: '', date: 'never' }, { id: 'x'.repeat(500), date: '' });
    await bench.fill();
    expect(bench.view()).toMatchObject({ complete: true, problem: null, briefings: { all: 12 } });
    expect(bench.logged).toContainEqual({
      message: expect.stringContaining('could not be read'),
      fields: { what: 'briefings', count: 2 },
    });
  });
  test('an interrupted list is read again to its end, although its beginning is known by then', async () => {
    bench.briefings.briefings = briefingsUpTo(bench.clock.now() - 60_000, 250);
    let pages = 0;
    bench.briefings.fault = (request) => (isList(request) && ++pages === 2 ? 'unreachable' : null);
    await bench.fill(120_000);
    expect(bench.view()).toMatchObject({ complete: true, briefings: { all: 250 } });
  });
});

describe('broken texts', () => {
  const huge = (): Response => new Response(`{"body":"${'x'.repeat(10 * 1024 * 1024)}`);
  const cases: Readonly<Record<string, () => Response | 'unreachable'>> = {
    'ten megabytes': huge,
    'cut off': () => new Response('{"id":"b7","title":"t","da'),
    'a web page': () => new Response('<html>log in</html>', { headers: { 'content-type': 'text/html' } }),
    'a number': () => Response.json(7),
    'without text': () => Response.json({ id: 'b7', title: 't', date: '2026-03-01T00:00:00.000Z' }),
    'of another': () => Response.json(bench.briefings.briefings[0]),
    'a fault of the service': () => refusal(500, 'internal'),
  };
  test.each(Object.keys(cases))(
    '%s: the others arrive, it is reported, and requested three times at most',
    async (name) => {
      bench.briefings.fault = (request) => (request.path === '/api/briefings/b7' ? (cases[name]?.() ?? null) : null);
      await bench.fill(300_000);
      expect(await whole()).toBe(11);
      expect(bench.view()).toMatchObject({
        complete: false,
        filling: null,
        problem: saying('The service gives no readable text of 1 briefing.'),
      });
      expect(texts().filter((id) => id === 'b7').length).toBeLessThanOrEqual(3);
      bench.briefings.fault = null;
      expect((await bench.archive.handlers['briefings.read']({ id: 'b7' })).body).toContain('text');
      expect(await whole()).toBe(12);
    },
  );
  test('a deleted text is given up silently', async () => {
    bench.briefings.fault = (request) => (request.path === '/api/briefings/b7' ? refusal(404, 'not_found') : null);
    await bench.fill();
    expect(bench.view()).toMatchObject({ complete: true, problem: null, briefings: { all: 12, textless: 1 } });
    const { rows } = await bench.archive.handlers['briefings.list'](ALL);
    expect(rows.filter(({ text }) => text !== 'here').map(({ id, text }) => [id, text])).toEqual([['b7', 'none']]);
    await expect(bench.archive.handlers['briefings.read']({ id: 'b7' })).rejects.toThrow('has no text of it any more');
  });
});

describe('the network fails', () => {
  test('in the middle: stored items remain, missing ones are reported, and fetched later', async () => {
    let left = 5;
    bench.briefings.fault = (request) => (isText(request) && left-- <= 0 ? 'unreachable' : null);
    await bench.fill(5_000);
    expect(await whole()).toBe(5);
    expect(bench.view()).toMatchObject({ complete: false, problem: saying(/does not answer/) });
    await expect(bench.archive.handlers['briefings.read']({ id: 'b1' })).rejects.toThrow('cannot be fetched');
    await bench.again();
    bench.briefings.fault = null;
    const before = texts().length;
    await bench.fill();
    expect(texts().slice(before).sort()).toEqual(['b1', 'b2', 'b3', 'b4', 'b5', 'b6', 'b7'].sort());
  });
});

describe('this computer', () => {
  test('a full disk: it is reported, no stored item is lost, and it continues when there is room', async () => {
    let room = 60;
    const tight: typeof openStore = (folder) => {
      const store = openStore(folder);
      store.db.pragma(`max_page_count = ${room}`);
      return store;
    };
    await bench.again({ openStore: tight });
    for (const briefing of bench.briefings.briefings)
      Object.assign(briefing, { body: `${briefing.id} ${'word '.repeat(4_000)}` });
    await bench.fill(60_000);
    const stored = await whole();
    expect(stored).toBeLessThan(12);
    expect(bench.view()).toMatchObject({
      complete: false,
      problem: saying(/full.*Free disk space/),
    });
    expect(await bench.ids()).toHaveLength(12);
    room = 100_000;
    await bench.again({ openStore: tight });
    await bench.fill();
    expect(bench.view()).toMatchObject({ complete: true, problem: null });
  });

  /** Keeps the header, so that opening the file succeeds. */
  const spoil = (): void => {
    const path = join(bench.folder, 'archive.sqlite');
    const db = new Database(path);
    db.pragma('wal_checkpoint(TRUNCATE)');
    db.close();
    const { size } = statSync(path);
    truncateSync(path, 8_192);
    writeFileSync(path, Buffer.alloc(size - 8_192, 0x5a), { flag: 'a' });
  };
  test.each([
    ['at the next start', () => bench.again(), true],
    ['while it runs', async () => undefined, false],
  ])(
    'a damaged archive is found by the check, quarantined and filled again, with the flags of the backup (%s)',
    async (_, meanwhile, sound) => {
      await bench.fill();
      await bench.archive.handlers['briefings.flag']({ ids: ['b3'], starred: true, unread: false });
      await bench.clock.advance(95_000);
      await meanwhile();
      spoil();
      await bench.archive.handlers['archive.check']({}).then(undefined, () => undefined);
      await bench.fill();
      expect(bench.view()).toMatchObject({ complete: true, news: 5, briefings: { all: 12, starred: 1 } });
      expect(await bench.ids({ box: 'starred' })).toEqual(['b3']);
      expect(
        readdirSync(bench.folder).filter((name) => name.includes('damaged') && name.endsWith('.sqlite')),
      ).toHaveLength(1);
      expect(bench.view().problem).toEqual(saying(/your flags are taken from it and from the last backup/));
      expect(bench.view().checked).toMatchObject({ sound });
    },
  );

  test('a damaged ledger does not affect the archive', async () => {
    Object.assign(bench.briefings.briefings[0] ?? {}, { symbols: ['SPY'] });
    await bench.fill();
    const ledger = openLedger(':memory:', '');
    const entries = { ...ledger.entries, after: damaged, byLedgerIds: damaged, signalsBetween: damaged };
    await bench.again({ ledger: { ...ledger, entries } });
    await bench.fill(5_000);
    await expect(bench.archive.handlers['archive.search']({ text: 'b12', kinds: null, limit: 5 })).rejects.toThrow(
      /malformed/,
    );
    await expect(bench.archive.handlers['briefings.read']({ id: 'b12' })).rejects.toThrow(/malformed/);
    expect(bench.view()).toMatchObject({ complete: true, problem: null, briefings: { all: 12 } });
    expect(readdirSync(bench.folder).filter((name) => name.includes('damaged'))).toEqual([]);
    ledger.close();
  });
  test('reported damage that no check of the files confirms replaces no file', async () => {
    await bench.again({
      openStore(folder) {
        const store = openStore(folder);
        const news = { ...store.news, sources: () => damaged() };
        return { ...store, news };
      },
    });
    await bench.fill();
    expect(() => bench.archive.handlers['news.list'](NewsQuerySchema.parse({}))).toThrow(/malformed/);
    expect(bench.view()).toMatchObject({ complete: true, problem: null });
    expect(readdirSync(bench.folder).filter((name) => name.includes('damaged'))).toEqual([]);
  });

  test('an archive of a newer program is not changed, and reported', async () => {
    const store = openStore(bench.folder);
    store.db.pragma('user_version = 999');
    store.close();
    await bench.fill(5_000);
    expect(bench.view().problem).toEqual(saying(/written by a newer version/));
    expect(readdirSync(bench.folder)).toContain('archive.sqlite');
  });
});

describe('upkeep', () => {
  const DAY = 86_400_000;
  test('a check soon after the start, a backup every day; expired items go', async () => {
    bench.settings = { ...bench.settings, archive: { retention: { briefings: 30, news: 1 } } };
    await bench.fill();
    await bench.clock.advance(35_000);
    expect(bench.view().checked).toMatchObject({ sound: true });
    expect(bench.view().backup).toBeNull();
    await bench.clock.advance(60_000);
    expect(bench.view().backup?.file).toContain(join('backups', 'flags-2026-03-02.sqlite'));
    expect(bench.view()).toMatchObject({ news: 5 });
    bench.mayAsk = false;
    await bench.clock.advance(2 * DAY);
    expect(bench.view()).toMatchObject({ news: 0, briefings: { all: 12 } });
    expect(readdirSync(join(bench.folder, 'backups')).sort()).toEqual(
      ['02', '03', '04'].map((day) => `flags-2026-03-${day}.sqlite`),
    );
    await bench.clock.advance(40 * DAY);
    expect(bench.view()).toMatchObject({ briefings: { all: 0 } });
  });
  const copies = (): string[] => readdirSync(join(bench.folder, 'backups')).sort();
  const ledgerOnDisk = (): void => openLedger(bench.folder, '').close();
  test('a service that is never reached: the daily backups are made all the same, and nothing expires', async () => {
    ledgerOnDisk();
    await bench.clock.advance(95_000);
    expect(copies()).toEqual(['flags-2026-03-02.sqlite', 'ledger-2026-03-02.sqlite']);
    expect(bench.view().backup?.file).toContain('ledger-2026-03-02.sqlite');
    await bench.clock.advance(DAY);
    expect(copies()).toContain('ledger-2026-03-03.sqlite');
    expect(bench.requests).toEqual([]);
  });
  test('without world time nothing expires: this computer’s clock does not count', async () => {
    bench.settings = { ...bench.settings, archive: { retention: { briefings: 30, news: 1 } } };
    await bench.fill();
    bench.mayAsk = false;
    bench.world.forget();
    await bench.clock.advance(40 * DAY);
    expect(bench.view()).toMatchObject({ news: 5, briefings: { all: 12 } });
  });
  test('items that expired without world time are deleted at the next connection, also if it is never known', async () => {
    bench.settings = { ...bench.settings, archive: { retention: { briefings: 30, news: 1 } } };
    await bench.fill();
    bench.mayAsk = false;
    bench.world.forget();
    await bench.clock.advance(40 * DAY);
    await bench.again();
    bench.archive.on.caughtUp({ gaps: [] });
    await bench.clock.advance(60_000);
    expect(bench.world.isKnown()).toBe(false);
    expect(bench.view()).toMatchObject({ news: 0, briefings: { all: 0 } });
  });
  test('a ledger that cannot be copied: no backup of the day is shown', async () => {
    writeFileSync(join(bench.folder, 'ledger.sqlite'), 'no database');
    await bench.clock.advance(95_000);
    expect(copies()).toEqual(['flags-2026-03-02.sqlite']);
    expect(bench.view()).toMatchObject({ backup: null, problem: saying(/ledger could not be copied/) });
  });
  test('an archive that cannot be opened: the ledger is backed up all the same, once a day', async () => {
    ledgerOnDisk();
    const store = openStore(bench.folder);
    store.db.pragma('user_version = 999');
    store.close();
    await bench.again();
    await bench.clock.advance(95_000);
    const first = join(bench.folder, 'backups', 'ledger-2026-03-02.sqlite');
    const { ino } = statSync(first);
    await bench.clock.advance(3 * 3_600_000);
    expect(statSync(first).ino).toBe(ino);
    await bench.clock.advance(DAY);
    expect(copies()).toContain('ledger-2026-03-03.sqlite');
    expect(bench.view().problem).toEqual(saying(/written by a newer version/));
  });
  test('items beyond the retention are not fetched at all', async () => {
    bench.briefings.briefings.push(
      ...briefingsUpTo(bench.clock.now() - 40 * DAY, 3).map((one) => ({ ...one, id: `old-${one.id}` })),
    );
    bench.settings = { ...bench.settings, archive: { retention: { briefings: 30, news: null } } };
    await bench.fill();
    expect(bench.view()).toMatchObject({ complete: true, briefings: { all: 12 } });
    expect(texts().some((id) => id.startsWith('old'))).toBe(false);
  });
  test('a shorter retention applies at once and is stored', async () => {
    await bench.fill();
    bench.mayAsk = false;
    await bench.clock.advance(35 * DAY);
    await bench.archive.handlers['archive.retention']({ retention: { briefings: 30, news: 1 } });
    expect(bench.view()).toMatchObject({ retention: { briefings: 30, news: 1 }, briefings: { all: 0 }, news: 0 });
    expect(bench.settings.archive?.retention).toEqual({ briefings: 30, news: 1 });
  });
});
