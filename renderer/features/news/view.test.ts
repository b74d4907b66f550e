// Test: the query and the number of filters of the news.
import { describe, expect, it } from 'vitest';
import { NewsQuerySchema } from '../../../shared/channels/archive.ts';
import { type Filters, filtersOn, queryOf } from './view.ts';

const NONE: Filters = { text: '', sentiment: null, source: '', symbol: '', from: '', to: '' };

describe('the filters of the news', () => {
  it('make a valid query, with days of the zone', () => {
    const query = queryOf(
      { ...NONE, text: ' slides ', symbol: 'SPY', sentiment: 'negative', from: '2026-11-19', to: '2026-11-19' },
      'market',
      null,
    );
    expect(NewsQuerySchema.parse(query)).toMatchObject({
      text: 'slides',
      symbol: 'SPY',
      sentiment: 'negative',
      source: null,
      from: '2026-11-19T05:00:00.000Z',
      to: '2026-11-20T04:59:59.999Z',
    });
  });
  it('leave out what is later than the shown moment', () => {
    const shown = Date.parse('2026-11-19T15:00:00.000Z');
    const until = (to: string) => queryOf({ ...NONE, to }, 'market', shown).to;
    expect(['', '2026-11-19', '2026-11-18'].map(until)).toEqual([
      '2026-11-19T15:00:00.000Z',
      '2026-11-19T15:00:00.000Z',
      '2026-11-19T04:59:59.999Z',
    ]);
  });
  it('are counted; white space is none', () => {
    expect([
      filtersOn(NONE),
      filtersOn({ ...NONE, text: '  ' }),
      filtersOn({ ...NONE, text: 'a', source: 'Wire', to: '2026-11-19' }),
    ]).toEqual([0, 0, 3]);
  });
});
