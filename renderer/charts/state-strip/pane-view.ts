// Renderer: the state strip as the chart stands now: bands become boxes.
import type { IPanePrimitivePaneView } from 'lightweight-charts';
import { stripBoxes } from '../geometry.ts';
import { type Attachment, projection } from '../primitive-base.ts';
import type { StateStripOptions } from './options.ts';
import { stateStripRenderer } from './renderer.ts';

export function stateStripPaneView(attachment: Attachment, options: () => StateStripOptions): IPanePrimitivePaneView {
  return {
    zOrder: () => 'normal',
    renderer() {
      const chart = attachment.chart();
      if (chart === null) return null;
      const now = options();
      return stateStripRenderer(stripBoxes(now.bands, projection(chart, now.logicalAt), chart.timeScale().width()), now);
    },
  };
}
