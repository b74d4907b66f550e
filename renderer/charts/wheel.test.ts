// Test: the ancestor of a chart that scrolls is found.
import { expect, it } from 'vitest';
import { scrollsAround } from './wheel.ts';

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

it('a page that scrolls is found however far above the chart it is', () => {
  expect(scrollsAround(box('chart', box('panel', box('page', null, 300))), clipsNothing)).toBe(true);
});

it('no scrolling page is found where everything is in view', () => {
  expect(scrollsAround(box('chart', box('panel', box('page', null))), clipsNothing)).toBe(false);
});

it('a box that clips its overflow is no scrolling page', () => {
  const chart = box('chart', box('panel', null, 300));
  expect(scrollsAround(chart, ({ name }) => name === 'panel')).toBe(false);
});

it('the chart itself is not taken for the page that scrolls', () => {
  expect(scrollsAround(box('chart', null, 300), clipsNothing)).toBe(false);
});
