// Test: briefings and news of other services: names, spellings, unreadable records.
import { describe, expect, test } from 'vitest';
import { LONGEST_BODY, readBriefing, readBriefingText, readNews } from './read-articles.ts';

const DATE = '2026-03-02T14:30:00.000Z';

describe('briefings', () => {
  test('other names for the same fields', () => {
    expect(
      readBriefing({
        slug: 'x-1',
        headline: ' A\ntitle ',
        kind: 'Pre_Market',
        by: { name: 'Desk' },
        published_at: 1772461800,
        tickers: 'spy, qqq',
        excerpt: 'S',
      }),
    ).toEqual({
      id: 'x-1',
      type: 'pre-market',
      title: 'A title',
      author: 'Desk',
      date: DATE,
      summary: 'S',
      symbols: ['SPY', 'QQQ'],
      reading_minutes: 1,
    });
  });
  test('an unknown type keeps its name; invalid symbols are dropped', () => {
    expect(
      readBriefing({
        id: 7,
        title: 't',
        date: DATE,
        type: 'podcast',
        symbols: ['SPY', { symbol: 'ES=F' }, 'no symbol', 5],
      }),
    ).toMatchObject({
      id: '7',
      type: 'podcast',
      author: 'Unknown',
      symbols: ['SPY', 'ES=F'],
    });
  });
  test.each([
    [null],
    [[]],
    [{ title: 't', date: DATE }],
    [{ id: 'x', title: 't' }],
    [{ id: 'x', title: 't', date: 'soon' }],
    [{ id: 'x', title: 't', date: '9999-12-31' }],
    [{ id: 'x'.repeat(129), title: 't', date: DATE }],
  ])('%j is no briefing', (row) => {
    expect(readBriefing(row)).toBeNull();
  });
  test.each([
    [{ body: 'Preface.\n\n## The *day* in rates \n\nText.', summary: 's' }, 'The day in rates'],
    [{ html: '<p>a</p><h1 class="x">The <b>day</b></h1>', summary: 's' }, 'The day'],
    [{ body: 'No heading.', summary: 'The day, in short.', type: 'macro_note' }, 'The day, in short.'],
    [{ type: 'macro_note' }, 'macro_note'],
    [{}, 'x'],
  ])('without a title %j is called by what it has', (given, title) => {
    expect(readBriefing({ id: 'x', date: DATE, ...given })?.title).toBe(title);
  });
  test('the answer to one briefing need not repeat its id, title and date; a different briefing is refused', () => {
    expect(readBriefingText({ content: 'A' }, 'x')).toMatchObject({ id: 'x', body: 'A' });
    expect(readBriefingText({ id: 7, content: 'A' }, '7')).toMatchObject({ id: '7', body: 'A' });
    expect(readBriefingText({ id: 'y', content: 'A' }, 'x')).toBeNull();
  });
  test('a text may be one level deeper, HTML, or plain; one beyond the limit is refused', () => {
    const head = { id: 'x', title: 't', date: DATE };
    expect(readBriefingText({ briefing: { ...head, content: '<h1>A</h1>' } }, 'x')).toMatchObject({
      body: '<h1>A</h1>',
      contentType: 'text/html; charset=utf-8',
    });
    expect(readBriefingText({ ...head, html: 'A', content_type: 'text/html' }, 'x')?.contentType).toBe(
      'text/html; charset=utf-8',
    );
    expect(readBriefingText({ ...head, body: 'A', content_type: 'text/plain' }, 'x')?.contentType).toBe(
      'text/plain; charset=utf-8',
    );
    expect(readBriefingText({ ...head, body: '# A <b>' }, 'x')?.contentType).toBe('text/markdown; charset=utf-8');
    expect(readBriefingText({ ...head, body: 'x'.repeat(LONGEST_BODY + 1) }, 'x')).toBeNull();
    expect(readBriefingText({ ...head, body: ['x'] }, 'x')).toBeNull();
    expect(readBriefingText(head, 'x')).toBeNull();
  });
});

describe('news', () => {
  test('without an id, an item gets the same id every time; without an address it has none', () => {
    const row = { headline: 'H', published_at: DATE };
    const [first, again, other] = [row, { ...row }, { ...row, headline: 'I' }].map(readNews);
    expect(first).toMatchObject({ headline: 'H', url: null });
    expect(again?.id).toBe(first?.id);
    expect(other?.id).not.toBe(first?.id);
  });
  test.each(['published_at', 'date', 'timestamp', 'time', 'at', 'created_at'])(
    'the time of an item may be named %s',
    (name) => {
      expect(readNews({ headline: 'H', [name]: DATE })?.published_at).toBe(DATE);
      expect(readBriefing({ id: 'x', title: 't', [name]: DATE })?.date).toBe(DATE);
    },
  );
  test.each([{}, { published_at: '' }, { published_at: 'yesterday' }, { time: null }])(
    'without a time, %j, it has none',
    (time) => {
      const [first, again] = [0, 1].map(() => readNews({ headline: 'H', ...time }));
      expect([first?.headline, first?.published_at]).toEqual(['H', null]);
      expect(again?.id).toBe(first?.id);
    },
  );
  test.each([{}, { sentiment: null }, { sentiment: {} }, { sentiment: 'mixed' }])(
    'without a sentiment, %j, it has none',
    (given) => {
      expect(readNews({ headline: 'H', published_at: DATE, ...given })).toMatchObject({
        headline: 'H',
        sentiment: null,
      });
    },
  );
  test('other names; sentiment as a number', () => {
    expect(
      readNews({ news_id: 3, title: 'H', publisher: 'P', link: 'https://x.example/', date: DATE, sentiment: -0.7 }),
    ).toEqual({
      id: '3',
      headline: 'H',
      summary: '',
      source: 'P',
      url: 'https://x.example/',
      published_at: DATE,
      symbols: [],
      sentiment: { score: -0.7, label: 'negative' },
    });
  });
  test.each([
    [{ id: '1', headline: 'h', url: 'javascript:alert(1)', published_at: DATE }],
    [{ id: '1', url: 'https://x.example/', published_at: DATE }],
    [7],
  ])('%j is no news', (row) => {
    expect(readNews(row)).toBeNull();
  });
});
