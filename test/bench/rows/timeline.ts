// Bench: a long timeline, scrolled and zoomed by a script.
import { compare, interleave } from '../measure.ts';
import type { Row } from '../row.ts';
import { openTimeline, POINTS } from '../support/timeline.ts';

export const timeline: Row = {
  name: 'timeline',
  what: `${POINTS.toLocaleString('en-US')} points on the timeline with states, regimes, transitions and gaps, panned and zoomed from a day to all of it; frames/s`,
  floor: 'bare lightweight-charts with the same series, moved the same way in the same browser',
  goal: { atLeast: 0.95 },
  async run(context) {
    const frames = await openTimeline(context);
    const pair = await interleave({
      product: () => frames('product'),
      floor: () => frames('bare'),
      rounds: 7,
      budget: 30_000,
    });
    return compare(pair, { product: 'timeline', floor: 'bare chart', unit: 'frames/s' });
  },
};
