// Test: query, filters and retained rows of the briefings.
import { afterEach, describe, expect, it } from 'vitest';
import { type BriefingDetail, BriefingQuerySchema, type BriefingRow } from '../../../shared/channels/archive.ts';
import { findIn, MAX_MATCHES } from './find-bar.tsx';
import { pageTurn } from './reading-pane.tsx';
import { chipsOf, nextUnread, queryOf, withRetained } from './rows.ts';
import { view } from './view.ts';

const row = (id: string, more: Partial<BriefingRow> = {}): BriefingRow => ({
  id,
  type: 'midday',
  title: id,
  author: 'Equity desk',
  date: `2026-11-19T12:0${id}:00.000Z`,
  summary: '',
  symbols: [],
  reading_minutes: 2,
  unread: true,
  starred: false,
  later: false,
  text: 'here',
  excerpt: null,
  ...more,
});
const none = () => null;
const ids = (rows: readonly BriefingRow[]): string => rows.map(({ id }) => id).join('');
afterEach(view.reset);

describe('the query', () => {
  it('is valid for the channel, with days of the zone', () => {
    view.toggleType('deep');
    view.setSymbol('SPY');
    view.setDays('2026-11-18', '2026-11-19');
    view.setText(' velocity ');
    const query = queryOf(view.read(), 'market', null);
    expect(BriefingQuerySchema.parse(query)).toMatchObject({
      box: 'unread',
      types: ['deep'],
      authors: null,
      symbol: 'SPY',
      text: 'velocity',
      from: '2026-11-18T05:00:00.000Z',
      to: '2026-11-20T04:59:59.999Z',
    });
  });
  it('is everything of the box at first', () => {
    expect(queryOf(view.read(), 'utc', null)).toEqual({
      box: 'unread',
      text: '',
      types: null,
      authors: null,
      symbol: null,
      from: null,
      to: null,
    });
  });
});

describe('filters', () => {
  it('are chips, each removable', () => {
    view.toggleType('deep');
    view.toggleType('midday');
    view.toggleAuthor('Macro desk');
    view.setDays('2026-11-18', '');
    expect(chipsOf(view.read())).toEqual([
      { label: 'Deep', without: { types: ['midday'] } },
      { label: 'Midday', without: { types: ['deep'] } },
      { label: 'Macro desk', without: { authors: [] } },
      { label: 'From Wed 18 Nov 2026', without: { from: '' } },
    ]);
    view.clearFilters();
    expect(chipsOf(view.read())).toEqual([]);
  });
  it('of types of another service have its names', () => {
    view.toggleType('earnings call');
    view.toggleType('');
    expect(chipsOf(view.read()).map(({ label }) => label)).toEqual(['Earnings call', 'Other']);
    view.clearFilters();
  });
});

describe('rows', () => {
  it('that were opened keep their positions when they become read', () => {
    view.open('4', row('4'));
    const merged = withRetained([row('5'), row('3')], view.read().retained, 'unread', none);
    expect(ids(merged)).toBe('543');
    expect(merged[1]?.unread).toBe(false);
    expect(withRetained([row('5'), row('4'), row('3')], view.read().retained, 'unread', none)[1]?.unread).toBe(true);
  });
  it('that were retained show changes since they were opened', () => {
    const opened = row('4', { text: 'awaited' });
    view.open('4', opened);
    const { retained } = view.read();
    expect(withRetained([row('5')], retained, 'unread', none)[1]).toMatchObject({ text: 'awaited', starred: false });
    const { text: _, excerpt: __, ...head } = opened;
    const briefing: BriefingDetail = {
      ...head,
      body: 'Text.',
      content_type: 'text/plain; charset=utf-8',
      unread: false,
      starred: true,
      later: true,
      states_then: [],
      linked: { transitions: [], briefings: [] },
    };
    const merged = withRetained([row('5')], retained, 'unread', (id) => (id === '4' ? briefing : null));
    expect(merged[1]).toMatchObject({ id: '4', text: 'here', unread: false, starred: true, later: true });
  });
  it('that were retained are dropped for another query', () => {
    view.open('4', row('4'));
    view.showBox('all');
    expect(view.read().retained).toEqual([]);
  });
});

describe('the next unread', () => {
  const rows = [row('5', { unread: false }), row('4'), row('3', { unread: false }), row('2')];
  it('is the one below, then the one at the top', () => {
    expect(nextUnread(rows, '4')?.id).toBe('2');
    expect(nextUnread(rows, '2')?.id).toBe('4');
    expect(nextUnread(rows, null)?.id).toBe('4');
    expect(nextUnread(rows, 'elsewhere')?.id).toBe('4');
  });
  it('is none when only the open one is left', () => {
    expect(nextUnread([row('4')], '4')).toBe(null);
    expect(nextUnread([], null)).toBe(null);
  });
});

const at = (segment: number, offset: number) => ({ segment, offset });

describe('find in a text', () => {
  it('finds every match, without case', () => {
    expect(findIn(['Speed and SPEED.'], 'speed')).toEqual([
      { from: at(0, 0), to: at(0, 5) },
      { from: at(0, 10), to: at(0, 15) },
    ]);
  });
  it('finds a match that begins in one segment and ends in another', () => {
    expect(findIn(['the ', 'tape', ' runs'], 'the tape')).toEqual([{ from: at(0, 0), to: at(1, 4) }]);
    expect(findIn(['the ', 'tape', ' runs'], 'tape')).toEqual([{ from: at(1, 0), to: at(1, 4) }]);
    expect(findIn(['the', '', 'tape'], 'tape')).toEqual([{ from: at(2, 0), to: at(2, 4) }]);
  });
  it('treats all white space alike, and special characters as text', () => {
    expect(findIn(['1.2\u00a0% a+b'], '1.2 %')).toHaveLength(1);
    expect(findIn(['1x2 %'], '1.2 %')).toHaveLength(0);
    expect(findIn(['a+b (c) [d] \\ / - {e}'], '(c) [d] \\ / - {e}')).toHaveLength(1);
  });
  it('finds nothing for an empty query, and at most MAX_MATCHES', () => {
    expect(findIn(['a'], '  ')).toEqual([]);
    expect(findIn(['a'.repeat(5000)], 'a')).toHaveLength(MAX_MATCHES);
  });
});

const END = { scrollTop: 400, clientHeight: 600, scrollHeight: 1_000 };
const TOP = { ...END, scrollTop: 0 };
/** A text or placeholder that fits the view: it is at its end from the start. */
const SHORT = { scrollTop: 0, clientHeight: 600, scrollHeight: 600 };

describe('space', () => {
  it('turns the page, and at the end of the text goes to the next unread', () => {
    expect(pageTurn('shown', TOP, 1)).toBe('turn');
    expect(pageTurn('shown', END, 1)).toBe('next');
    expect(pageTurn('shown', SHORT, 1)).toBe('next');
    expect(pageTurn('shown', END, -1)).toBe('turn');
    expect(pageTurn('none', null, 1)).toBe('next');
  });
  it('waits for a text that is being loaded or rendered', () => {
    expect(pageTurn('awaited', null, 1)).toBe('wait');
    expect(pageTurn('awaited', SHORT, 1)).toBe('wait');
    expect(pageTurn('awaited', END, -1)).toBe('wait');
    expect(pageTurn('shown', null, 1)).toBe('wait');
  });
  it('does not pass a text that failed to load', () => expect(pageTurn('missing', null, 1)).toBe('missing'));
});

describe('the newest briefing', () => {
  it('the newest briefing is shown where none is open, and is no preview once somebody opens it', () => {
    view.preview('a');
    expect(view.read()).toMatchObject({ open: 'a', isPreview: true, retained: [] });
    view.open('a', row('a'));
    view.preview('b');
    expect(view.read()).toMatchObject({ open: 'a', isPreview: false });
  });
});
