import { describe, expect, it } from 'vitest';
import { chainOf, type ListPage, MOST_PAGES } from './page-chain.ts';
import type { Slot } from './state.ts';

type Page = ListPage<number>;
const slot = (value: Page | null, more: Partial<Slot<Page>> = {}): Slot<Page> => ({
  status: value === null ? 'reading' : 'ready',
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
    const slots = new Map([
      [null, slot(page(200, 'b'))],
      ['b', slot(page(200, 'c'))],
    ]);
    expect(chainOf((begin) => slots.get(begin), 100)).toMatchObject({ begins: [null], next: 'more', status: 'ready' });
    expect(chainOf((begin) => slots.get(begin), 201)).toMatchObject({
      begins: [null, 'b'],
      next: 'more',
      status: 'ready',
    });
    expect(chainOf((begin) => slots.get(begin), 401)).toMatchObject({
      begins: [null, 'b', 'c'],
      next: 'none',
      status: 'reading',
    });
  });
  it('that are being read again are still shown', () => {
    const chain = chainOf(() => slot(page(3, null), { status: 'reading' }), 100);
    expect([chain.pages.length, chain.status]).toEqual([1, 'reading']);
  });
  it('that failed say why', () => {
    expect(chainOf(() => slot(null, { status: 'failed', problem: 'The disk is full.' }), 100)).toMatchObject({
      status: 'failed',
      problem: 'The disk is full.',
    });
  });
  it('end somewhere, also where they lead in a circle', () => {
    expect(chainOf((begin) => slot(page(1, String(Number(begin) + 1))), 1000)).toMatchObject({
      next: 'beyond',
      status: 'ready',
    });
    expect(chainOf((begin) => slot(page(1, String(Number(begin) + 1))), 1000).begins).toHaveLength(MOST_PAGES);
    expect(chainOf((begin) => slot(page(1, begin === null ? 'a' : 'a')), 1000)).toMatchObject({
      begins: [null, 'a'],
      next: 'beyond',
    });
  });
});
