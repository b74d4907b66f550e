// Renderer: the transitions as the chart stands now.
import type { IPanePrimitivePaneView } from 'lightweight-charts';
import { placeTurns } from '../geometry.ts';
import { type Attachment, projection } from '../primitive-base.ts';
import type { TransitionMarksOptions } from './options.ts';
import { transitionMarksRenderer } from './renderer.ts';

export function transitionMarksPaneView(attachment: Attachment, options: () => TransitionMarksOptions): IPanePrimitivePaneView {
  return {
    zOrder: () => 'normal',
    renderer() {
      const chart = attachment.chart();
      if (chart === null) return null;
      const now = options();
      return transitionMarksRenderer(placeTurns(now.turns, projection(chart, now.logicalAt), chart.timeScale().width()), now);
    },
  };
}
