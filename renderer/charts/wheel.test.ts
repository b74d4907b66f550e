// Test: finding the ancestor of a chart that scrolls.
import { describe, expect, it } from 'vitest';
import { scrollsAround } from './price-chart-view.tsx';

interface Box {
  readonly name: string;
  readonly scrollHeight: number;
  readonly clientHeight: number;
  readonly parentElement: Box | null;
}
const box = (name: string, parentElement: Box | null, scrollHeight = 100): Box => ({
  name,
  scrollHeight,
  clientHeight: 100,
  parentElement,
});
const clipsNothing = (): boolean => false;

describe('a page that scrolls around the chart', () => {
  it('is found at any distance', () => {
    expect(scrollsAround(box('chart', box('panel', box('page', null, 300))), clipsNothing)).toBe(true);
  });
  it('is not found where everything is in view', () => {
    expect(scrollsAround(box('chart', box('panel', box('page', null))), clipsNothing)).toBe(false);
  });
  it('is not found where the overflow is clipped', () => {
    const chart = box('chart', box('panel', null, 300));
    expect(scrollsAround(chart, ({ name }) => name === 'panel')).toBe(false);
  });
  it('is not the chart itself', () => {
    expect(scrollsAround(box('chart', null, 300), clipsNothing)).toBe(false);
  });
});
