// Renderer: the regime ribbon as the chart stands now. It lies below the prices.
import type { IPanePrimitivePaneView } from 'lightweight-charts';
import { ribbonBoxes } from '../geometry.ts';
import { type Attachment, projection } from '../primitive-base.ts';
import type { RegimeRibbonOptions } from './options.ts';
import { regimeRibbonRenderer } from './renderer.ts';

export function regimeRibbonPaneView(attachment: Attachment, options: () => RegimeRibbonOptions): IPanePrimitivePaneView {
  return {
    zOrder: () => 'bottom',
    renderer() {
      const chart = attachment.chart();
      if (chart === null) return null;
      const now = options();
      const toX = projection(chart, now.logicalAt);
      return regimeRibbonRenderer((measure) => ribbonBoxes(now.bands, toX, chart.timeScale().width(), now.nameOf, measure), now);
    },
  };
}
