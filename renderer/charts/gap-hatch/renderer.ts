// Renderer: paints a gap (ground, hatch, dashed edges) over all else, so that no line crosses it.
import type { IPrimitivePaneRenderer } from 'lightweight-charts';
import type { GapBox } from '../geometry.ts';
import { hatch } from '../patterns.ts';
import { type DrawTarget, inPixels } from '../primitive-base.ts';
import type { GapHatchOptions } from './options.ts';

export function gapHatchRenderer(boxes: readonly GapBox[], { colors, top }: GapHatchOptions): IPrimitivePaneRenderer {
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
