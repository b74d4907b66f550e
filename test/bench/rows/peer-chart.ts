// Bench: the timeline against uPlot, over as many points, moved the same way.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { TOP } from '../../harness/processes.ts';
import { compare, interleave } from '../measure.ts';
import type { Row } from '../row.ts';
import { openTimeline, POINTS } from '../support/timeline.ts';

/** It is no package of ours: this row alone would need it. */
const SCRIPT = join(TOP, 'node_modules', 'uplot', 'dist', 'uPlot.iife.min.js');

export const peerChart: Row = {
  name: 'peer-chart',
  what: `${POINTS.toLocaleString('en-US')} points on the timeline with states, regimes, transitions and gaps, panned and zoomed; frames/s`,
  floor: 'uPlot with a bare line of the same points, moved the same way in the same browser',
  goal: null,
  async run(context) {
    if (!existsSync(SCRIPT)) {
      const notes = ['not measured: there is no uPlot (npm install --no-save uplot)'];
      return { ratio: null, spread: null, sides: [], notes };
    }
    const frames = await openTimeline(context, SCRIPT);
    const pair = await interleave({
      product: () => frames('product'),
      floor: () => frames('peer'),
      rounds: 5,
      budget: 30_000,
    });
    return compare(pair, { product: 'timeline', floor: 'uPlot', unit: 'frames/s' });
  },
};
