// Renderer: the gap hatch, a primitive that covers ranges without data.

import type { IPrimitivePaneRenderer } from 'lightweight-charts';
import type { ChartColors } from './colors.ts';
import { type GapBox, gapBoxes, type LogicalAt } from './geometry.ts';
import type { GapBand } from './model.ts';
import { hatch } from './patterns.ts';
import { createPrimitive, type DrawTarget, inPixels, type Primitive } from './primitive-base.ts';

interface GapHatchOptions {
  readonly gaps: readonly GapBand[];
  readonly logicalAt: LogicalAt;
  readonly colors: ChartColors;
  /** Top of the hatch, px from the top of the pane. */
  readonly top: number;
}

/** Attach it to a series: only then is it drawn above the line. */
export const createGapHatch = (initial: GapHatchOptions): Primitive<GapHatchOptions> =>
  createPrimitive(initial, 'top', (now, toX, width) => gapHatchRenderer(gapBoxes(now.gaps, toX, width), now));

/** Paints a gap (ground, hatch, dashed edges) over all else, so that no line crosses it. */
function gapHatchRenderer(boxes: readonly GapBox[], { colors, top }: GapHatchOptions): IPrimitivePaneRenderer {
  return {
    draw(target: DrawTarget) {
      inPixels(target, ({ context, mediaSize }) => {
        for (const { x0, x1 } of boxes) {
          const height = mediaSize.height - top;
          context.fillStyle = colors.s1;
          context.fillRect(x0, top, x1 - x0, height);
          context.fillStyle = hatch(context, 'gap', colors.gap);
          context.fillRect(x0, top, x1 - x0, height);
          context.strokeStyle = colors.edge;
          context.lineWidth = 1;
          context.setLineDash([3, 2]);
          context.beginPath();
          for (const x of [x0, x1]) {
            context.moveTo(Math.round(x) + 0.5, top);
            context.lineTo(Math.round(x) + 0.5, mediaSize.height);
          }
          context.stroke();
          context.setLineDash([]);
        }
      });
    },
  };
}
