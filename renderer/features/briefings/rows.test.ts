// Test: query, filters and retained rows of the briefings.
import { afterEach, describe, expect, it } from 'vitest';
import { type BriefingDetail, BriefingQuerySchema, type BriefingRow } from '../../../shared/channels/archive.ts';
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
    const query = queryOf(view.read(), 'market');
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
    expect(queryOf(view.read(), 'utc')).toEqual({
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
