// Test: lists and searches of the archive: filters, paging, terms, excerpts, hostile input.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BriefingQuerySchema, NewsQuerySchema } from '../../../shared/channels/archive.ts';
import { DAY_MS } from '../../../shared/lib/time.ts';
import { TransitionSchema } from '../../../shared/wire/records.ts';
import { briefingOf } from '../../../test/harness/briefing-server.ts';
import { folderInMemory } from '../../../test/harness/folders.ts';
import { readBriefing, readBriefingText, readNews } from '../compat/read-articles.ts';
import { alertToIndex } from './alert-index.ts';
import { listBriefings, listNews } from './lists.ts';
import { matchOf, segmentsOf } from './match.ts';
import { plainText } from './plain-text.ts';
import { createSearch, type SearchRequest } from './search.ts';
import { type ArchiveStore, openStore } from './store.ts';

const NOW = Date.parse('2026-03-02T14:30:00.000Z');
const folder = folderInMemory();
let store: ArchiveStore;

const WRITTEN = [
  {
    id: 'vol',
    title: 'Volatility rises',
    body: 'The **term structure** of the [VIX](https://x.example/curve) inverted.',
    type: 'pre-market',
    author: 'Vol desk',
    symbols: ['SPY', 'VIX'],
  },
  {
    id: 'cafe',
    title: 'Café débâcle',
    body: 'Coffee futures in São Paulo. Nothing about stocks.',
    type: 'deep',
    author: 'Commodities',
    symbols: [],
  },
  {
    id: 'mention',
    title: 'Rates hold',
    body: 'Bonds. Far below, one word on volatility, which fell.',
    type: 'midday',
    author: 'Rates desk',
    symbols: ['TLT'],
  },
  {
    id: 'quote',
    title: 'C++ and "quotes" AND more',
    body: 'x NEAR y. 5.3 % down. S&P 500.',
    type: 'weekly',
    author: 'Odd desk',
    symbols: ['SPY'],
  },
];
const TRANSITION = TransitionSchema.parse({
  event_id: 'e1',
  symbol: 'SPY',
  asset_class: 'etf',
  from_state: 0,
  to_state: 2,
  state_name: 'high_risk',
  regime: 'volatile_downtrend',
  confidence: 30,
  note: 'Volatility doubled',
  occurred_at: new Date(NOW).toISOString(),
  model_version: 'm',
});

beforeAll(() => {
  store = openStore(folder.path);
  for (const [index, given] of WRITTEN.entries()) {
    const briefing = briefingOf({ ...given, date: new Date(NOW - index * 86_400_000).toISOString(), summary: '' });
    const head = readBriefing(briefing);
    const text = readBriefingText(briefing, given.id);
    if (head === null || text === null) throw new Error(`${given.id} is no briefing`);
    store.briefings.put(head);
    store.briefings.putText(text);
  }
  store.flags.change(['vol', 'cafe'], { unread: false });
  store.flags.change(['cafe'], { starred: true });
  for (const [id, headline, source, score] of [
    ['n1', 'Volatility climbs', 'Wire', -0.5],
    ['n2', 'Banks gain', 'Post', 0.5],
  ] as const) {
    const news = readNews({
      id,
      headline,
      source,
      url: 'https://n.example/',
      published_at: new Date(NOW).toISOString(),
      symbols: ['SPY'],
      sentiment: score,
    });
    if (news === null) throw new Error('no news');
    store.news.put(news, NOW);
  }
  const indexed = alertToIndex({ ledger_id: 7, transition: TRANSITION, occurredAt: NOW }, '');
  store.alerts.put(indexed === null ? [] : [indexed], { ledgerId: 7, eventId: 'e1' });
  store.alerts.note(7, 'Sold half after the volatility spike');
});
afterAll(() => {
  store.close();
  folder.remove();
});

const search = (ask: SearchRequest) => createSearch(store.db)(ask);
const ids = (query: object): string[] =>
  listBriefings(store.db, BriefingQuerySchema.parse(query)).rows.map(({ id }) => id);

describe('briefings', () => {
  test.each([
    [{}, ['vol', 'cafe', 'mention', 'quote']],
    [{ box: 'unread' }, ['mention', 'quote']],
    [{ box: 'starred' }, ['cafe']],
    [{ box: 'later' }, []],
    [{ types: ['midday', 'weekly'] }, ['mention', 'quote']],
    [{ authors: ['Vol desk'] }, ['vol']],
    [{ symbol: 'spy' }, ['vol', 'quote']],
    [{ from: '2026-03-01T14:30:00.000Z', to: '2026-03-01T14:30:00.000Z' }, ['cafe']],
    [{ to: '2026-02-28T23:59:59.999Z' }, ['mention', 'quote']],
    [{ text: 'volatility' }, ['vol', 'mention']],
    [{ text: 'VOLAT' }, ['vol', 'mention']],
    [{ text: 'volatility fell' }, ['mention']],
    [{ text: 'vol rates' }, []],
    [{ text: 'cafe debacle' }, ['cafe']],
    [{ text: 'São' }, ['cafe']],
    [{ text: 'sao paulo' }, ['cafe']],
    [{ text: 'curve' }, []],
    [{ text: 'rates desk' }, ['mention']],
    [{ text: 'S&P 500' }, ['quote']],
    [{ text: '5.3' }, ['quote']],
    [{ text: 'volatility', box: 'unread' }, ['mention']],
    [{ text: 'volatility', symbol: 'SPY', types: ['pre-market'] }, ['vol']],
    [{ text: '🙂' }, []],
    [{ text: '***' }, []],
  ])('%j', (query, found) => {
    expect(ids(query)).toEqual(found);
    const { total } = listBriefings(store.db, BriefingQuerySchema.parse(query));
    expect(total).toBe(found.length);
  });

  test('pages continue where the last one ended, with and without terms', () => {
    for (const text of ['', 'desk']) {
      const all = ids({ text });
      const seen: string[] = [];
      for (let after: string | null = null; ; ) {
        const page = listBriefings(store.db, BriefingQuerySchema.parse({ text, limit: 1, after }));
        expect(page.total).toBe(all.length);
        seen.push(...page.rows.map(({ id }) => id));
        after = page.next;
        if (after === null) break;
      }
      expect(seen).toEqual(all);
    }
  });

  test('an invalid cursor is refused', () => {
    expect(() => ids({ after: '1; DROP TABLE' })).toThrow('Ask its first page again');
  });

  test('excerpts show the hits in the text', () => {
    const [row] = listBriefings(store.db, BriefingQuerySchema.parse({ text: 'structure' })).rows;
    expect(row?.excerpt?.filter(({ hit }) => hit)).toEqual([{ text: 'structure', hit: true }]);
    expect(row?.excerpt?.map(({ text }) => text).join('')).toContain('The term structure of the VIX inverted.');
  });
});

test('news: terms, sentiment, source', () => {
  const found = (query: object) => listNews(store.db, NewsQuerySchema.parse(query), store.news.sources());
  expect(found({ text: 'vola' }).rows.map(({ id }) => id)).toEqual(['n1']);
  expect(found({ sentiment: 'positive' }).rows.map(({ id }) => id)).toEqual(['n2']);
  expect(found({ source: 'Wire', symbol: 'SPY' })).toMatchObject({ total: 1, sources: ['Post', 'Wire'] });
});

test('news without a time come last, by receipt; ranges of time exclude them, and retention counts from receipt', () => {
  const other = folderInMemory();
  const own = openStore(other.path);
  const put = (id: string, published_at: string | null, receivedAt: number): void => {
    const news = readNews({ id, headline: `Rates ${id}`, published_at });
    if (news === null) throw new Error('no news');
    own.news.put(news, receivedAt);
  };
  const found = (query: object = {}) =>
    listNews(own.db, NewsQuerySchema.parse(query), []).rows.map(({ id, published_at }) => [id, published_at]);
  const OLD = '1970-01-01T00:00:00.000Z';
  put('late', null, NOW);
  put('old', OLD, NOW);
  put('early', null, NOW - DAY_MS);
  expect(found()).toEqual([
    ['old', OLD],
    ['late', null],
    ['early', null],
  ]);
  expect(found({ from: OLD })).toEqual([['old', OLD]]);
  expect(found({ to: new Date(NOW).toISOString() })).toEqual([['old', OLD]]);
  const page = listNews(own.db, NewsQuerySchema.parse({ limit: 2 }), []);
  expect(found({ after: page.next })).toEqual([['early', null]]);
  const hits = createSearch(own.db)({ text: 'rates', kinds: ['news'], limit: 5 });
  expect(new Set(hits.map(({ id, at }) => `${id} ${at}`))).toEqual(new Set([`old ${OLD}`, 'late null', 'early null']));
  expect(own.news.prune(NOW - 1)).toBe(2);
  expect(found()).toEqual([['late', null]]);
  own.close();
  other.remove();
});

test('news without a sentiment match no filter by sentiment', () => {
  const other = folderInMemory();
  const own = openStore(other.path);
  const news = readNews({ id: 'plain', headline: 'Rates hold', published_at: new Date(NOW).toISOString() });
  if (news === null) throw new Error('no news');
  own.news.put(news, NOW);
  const found = (query: object) => listNews(own.db, NewsQuerySchema.parse(query), []).rows;
  expect(found({}).map(({ sentiment }) => sentiment)).toEqual([null]);
  for (const sentiment of ['negative', 'neutral', 'positive']) expect(found({ sentiment })).toEqual([]);
  own.close();
  other.remove();
});

describe('one search over everything', () => {
  test('every kind; the title weighs more than a word in the text', () => {
    const hits = search({ text: 'volatility', kinds: null, limit: 20 });
    expect(new Set(hits.map(({ kind, id }) => `${kind} ${id}`))).toEqual(
      new Set(['briefing vol', 'briefing mention', 'alert 7', 'note 7', 'news n1']),
    );
    const briefings = hits.filter(({ kind }) => kind === 'briefing').map(({ id }) => id);
    expect(briefings).toEqual(['vol', 'mention']);
    for (const { excerpt } of hits)
      expect(excerpt.some(({ text, hit }) => hit && text.toLowerCase() === 'volatility')).toBe(true);
  });
  test('an alert is found by the words of its state', () => {
    expect(search({ text: 'SPY high risk', kinds: ['alert'], limit: 5 })).toMatchObject([
      { kind: 'alert', id: '7', title: 'SPY High Risk', symbol: 'SPY', at: '2026-03-02T14:30:00.000Z' },
    ]);
  });
  test('a changed note is found by its new words alone', () => {
    store.alerts.note(7, 'Bought it back');
    expect(search({ text: 'sold', kinds: ['note'], limit: 5 })).toEqual([]);
    expect(search({ text: 'bought', kinds: ['note'], limit: 5 })).toHaveLength(1);
  });
  test('many headlines with a word hide no alert; the newest alerts are found, with their regime', () => {
    const other = folderInMemory();
    const own = openStore(other.path);
    for (let number = 0; number < 30; number += 1) {
      const news = readNews({
        id: `n${number}`,
        headline: `Stress ${number}`,
        source: 'Wire',
        url: 'https://n.example/',
        published_at: new Date(NOW + number).toISOString(),
        symbols: ['SPY'],
        sentiment: 0,
      });
      if (news !== null) own.news.put(news, NOW);
    }
    const alerts = Array.from({ length: 12 }, (_, number) => {
      const occurredAt = NOW + number * 60_000;
      const transition = {
        ...TRANSITION,
        event_id: `e${number}`,
        regime: 'stress',
        occurred_at: new Date(occurredAt).toISOString(),
      };
      return alertToIndex({ ledger_id: number + 1, transition, occurredAt }, '');
    });
    own.alerts.put(
      alerts.flatMap((one) => one ?? []),
      { ledgerId: 12, eventId: 'e11' },
    );
    const hits = createSearch(own.db)({ text: 'stress', kinds: null, limit: 20 });
    expect(hits).toHaveLength(20);
    const found = hits.filter(({ kind }) => kind === 'alert');
    expect(found.map(({ id }) => id)).toEqual(['12', '11', '10', '9']);
    expect(found[0]?.excerpt.map(({ text }) => text).join('')).toBe('Volatility doubled · Stress');
    expect(createSearch(own.db)({ text: 'doubled', kinds: null, limit: 3 }).map(({ id }) => id)).toEqual([
      '12',
      '11',
      '10',
    ]);
    own.close();
    other.remove();
  });
  test('any input is searched for, and never parsed as a query', () => {
    const odd = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('a AND', 'NOT', '"', 'x*', 'NEAR(a b)', '^a', 'title:x', '{a}:b', '(', '-x', 'a\0b', "';--"),
    );
    fc.assert(
      fc.property(fc.array(odd, { maxLength: 6 }), (words) => {
        const text = words.join(' ').slice(0, 200);
        expect(() => search({ text, kinds: null, limit: 5 })).not.toThrow();
      }),
      { numRuns: 300, seed: 42 },
    );
    expect(matchOf('  ')).toBeNull();
    expect(matchOf('one "two" three')).toBe('"one" """two""" "three"*');
  });
});

test('excerpts of hostile texts are text', () => {
  expect(segmentsOf('a \u0001b\u0002 c')).toEqual([
    { text: 'a ', hit: false },
    { text: 'b', hit: true },
    { text: ' c', hit: false },
  ]);
  expect(
    segmentsOf('\u0001\u0002\u0002x')
      .map(({ text }) => text)
      .join(''),
  ).toBe('x');
  expect(plainText('<p>Now &amp; then</p><script>alert(1)</script>', 'text/html; charset=utf-8')).toBe('Now & then');
  expect(plainText('# A *b* [c](http://d)\n\n| e | f |\n|---|---|\n> g\n- h `i`', 'text/markdown; charset=utf-8')).toBe(
    'A b c e f g h i',
  );
});
