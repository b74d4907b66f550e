// Renderer, pure: converts closes to a line in a small box.
import type { Timeline } from '../../../shared/channels/queries.ts';
import { DAY_MS } from '../../../shared/lib/time.ts';

export const WIDTH = 54;
export const HEIGHT = 16;
const DAYS = 60;

/** Points of the line, with the live price at the end; null for fewer than two. */
export function sparkPath(
  timeline: Timeline,
  live: number | null,
): { readonly path: string; readonly end: readonly [number, number] } | null {
  const last = timeline.points.at(-1);
  if (last === undefined) return null;
  const begin = Date.parse(last.at) - DAYS * DAY_MS;
  const prices = timeline.points.filter((point) => Date.parse(point.at) >= begin).flatMap((point) => point.price ?? []);
  if (prices.length < 2) return null;
  if (live !== null) prices[prices.length - 1] = live;
  const low = Math.min(...prices);
  const high = Math.max(...prices);
  const x = (index: number): number => 2 + (index * (WIDTH - 5)) / (prices.length - 1);
  const y = (price: number): number => (high === low ? HEIGHT / 2 : 2 + ((high - price) / (high - low)) * (HEIGHT - 4));
  const points = prices.map((price, index) => [x(index), y(price)] as const);
  const path = points.map(([px, py], index) => `${index === 0 ? 'M' : 'L'}${px.toFixed(1)} ${py.toFixed(1)}`).join('');
  return { path, end: points.at(-1) ?? [0, 0] };
}
