// Service, engine: shifts alerts and shuffles prices, to measure scores by chance.
import type { Bar } from '../types.ts';
import { H, type Window } from './frame.ts';
import type { Alerts } from './score.ts';

/**
 * Rotates the alerts of a window by at least a horizon in either direction; null: the window is too short.
 */
export function shiftAlerts(alerts: Alerts, { from, to }: Window, random: () => number): Alerts | null {
  const length = to - from + 1;
  if (length <= 2 * H) return null;
  const offset = H + Math.floor(random() * (length - 2 * H));
  const shifted = alerts.slice();
  for (let i = 0; i < length; i++) shifted[from + ((i + offset) % length)] = alerts[from + i] as number;
  return shifted;
}

/** The bars in random order. Each keeps its return, shape and volume; dates stay in place. */
export function shuffleBars(bars: readonly Bar[], random: () => number): Bar[] {
  const order = bars.map((_, index) => index).slice(1);
  for (let i = order.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [order[i], order[j]] = [order[j] as number, order[i] as number];
  }
  const shuffled = bars.slice(0, 1);
  for (const [index, from] of order.entries()) {
    const bar = bars[from] as Bar;
    const scale = (shuffled[index] as Bar).close / (bars[from - 1] as Bar).close;
    shuffled.push({
      date: (bars[index + 1] as Bar).date,
      open: bar.open * scale,
      high: bar.high * scale,
      low: bar.low * scale,
      close: bar.close * scale,
      volume: bar.volume,
    });
  }
  return shuffled;
}
