// Renderer: paints the state strip: Normal as outline, Elevated hatched, High Risk solid.
import type { IPrimitivePaneRenderer } from 'lightweight-charts';
import type { StripBox } from '../geometry.ts';
import { hatch } from '../patterns.ts';
import { type DrawTarget, inPixels } from '../primitive-base.ts';
import { BAND_HEIGHTS, type StateStripOptions } from './options.ts';

export function stateStripRenderer(
  boxes: readonly StripBox[],
  { colors, highRiskLabel }: StateStripOptions,
): IPrimitivePaneRenderer {
  return {
    draw(target: DrawTarget) {
      inPixels(target, ({ context, mediaSize }) => {
        for (const box of boxes) drawBox(context, box, mediaSize.height);
      });
    },
  };

  function drawBox(context: CanvasRenderingContext2D, { state, x0, x1 }: StripBox, foot: number): void {
    const height = BAND_HEIGHTS[state];
    const top = foot - height;
    const width = x1 - x0 - 1;
    if (state === 2) {
      context.fillStyle = colors.high;
      context.fillRect(x0, top, Math.max(width, 1.5), height);
      context.font = `600 11px ${colors.font}`;
      if (context.measureText(highRiskLabel).width + 14 > width) return;
      context.fillStyle = colors.onHigh;
      context.textBaseline = 'alphabetic';
      context.fillText(highRiskLabel, x0 + 7, foot - 6);
      return;
    }
    const color = state === 1 ? colors.elevated : colors.normal;
    if (state === 1) {
      context.fillStyle = hatch(context, 'elevated', color);
      context.fillRect(x0, top, width, height);
    }
    context.strokeStyle = color;
    context.lineWidth = 1;
    context.strokeRect(x0 + 0.5, top + 0.5, Math.max(width - 1, 0.5), height - 1);
  }
}
