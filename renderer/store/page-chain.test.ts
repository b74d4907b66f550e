import { describe, expect, it } from 'vitest';
import { chainOf, type ListPage, MOST_PAGES } from './page-chain.ts';
import type { QueryResult } from './state.ts';

type Page = ListPage<number>;
const result = (value: Page | null, more: Partial<QueryResult<Page>> = {}): QueryResult<Page> => ({
  status: value === null ? 'loading' : 'ready',
  value,
  problem: null,
  progress: null,
  ...more,
});
const page = (rows: number, next: string | null): Page => ({
  rows: Array.from({ length: rows }, (_, index) => index),
  next,
});

describe('the pages of a list', () => {
  it('are asked for one after the other, as far as rows are wanted', () => {
    const results = new Map([
      [null, result(page(200, 'b'))],
      ['b', result(page(200, 'c'))],
    ]);
    expect(chainOf((begin) => results.get(begin), 100)).toMatchObject({
      begins: [null],
      next: 'more',
      status: 'ready',
    });
    expect(chainOf((begin) => results.get(begin), 201)).toMatchObject({
      begins: [null, 'b'],
      next: 'more',
      status: 'ready',
    });
    expect(chainOf((begin) => results.get(begin), 401)).toMatchObject({
      begins: [null, 'b', 'c'],
      next: 'none',
      status: 'loading',
    });
  });
  it('that are being read again are still shown', () => {
    const chain = chainOf(() => result(page(3, null), { status: 'loading' }), 100);
    expect([chain.pages.length, chain.status]).toEqual([1, 'loading']);
  });
  it('that failed say why', () => {
    expect(chainOf(() => result(null, { status: 'failed', problem: 'The disk is full.' }), 100)).toMatchObject({
      status: 'failed',
      problem: 'The disk is full.',
    });
  });
  it('end somewhere, also where they lead in a circle', () => {
    expect(chainOf((begin) => result(page(1, String(Number(begin) + 1))), 1000)).toMatchObject({
      next: 'beyond',
      status: 'ready',
    });
    expect(chainOf((begin) => result(page(1, String(Number(begin) + 1))), 1000).begins).toHaveLength(MOST_PAGES);
    expect(chainOf((begin) => result(page(1, begin === null ? 'a' : 'a')), 1000)).toMatchObject({
      begins: [null, 'a'],
      next: 'beyond',
    });
  });
});
