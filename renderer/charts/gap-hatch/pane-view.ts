// Renderer: the gaps as the chart stands now. They lie above everything else.
import type { IPanePrimitivePaneView } from 'lightweight-charts';
import { gapBoxes } from '../geometry.ts';
import { type Attachment, projection } from '../primitive-base.ts';
import type { GapHatchOptions } from './options.ts';
import { gapHatchRenderer } from './renderer.ts';

export function gapHatchPaneView(attachment: Attachment, options: () => GapHatchOptions): IPanePrimitivePaneView {
  return {
    zOrder: () => 'top',
    renderer() {
      const chart = attachment.chart();
      if (chart === null) return null;
      const now = options();
      return gapHatchRenderer(gapBoxes(now.gaps, projection(chart, now.logicalAt), chart.timeScale().width()), now);
    },
  };
}
