// Renderer: the state strip, a primitive: the symbol's states along the time axis.

import type { IPrimitivePaneRenderer } from 'lightweight-charts';
import type { StateBand } from '../../shared/domain/timeline.ts';
import type { ChartColors } from './colors.ts';
import { type LogicalAt, type StripBox, stripBoxes } from './geometry.ts';
import { hatch } from './patterns.ts';
import { createPrimitive, type DrawTarget, inPixels, type Primitive } from './primitive-base.ts';

interface StateStripOptions {
  readonly bands: readonly StateBand[];
  readonly logicalAt: LogicalAt;
  readonly colors: ChartColors;
  /** Written inside a High Risk band that is wide enough. */
  readonly highRiskLabel: string;
}

/** Heights of the bands by state, px: height distinguishes a state without its colour. */
const BAND_HEIGHTS = [4, 11, 20] as const;

export const createStateStrip = (initial: StateStripOptions): Primitive<StateStripOptions> =>
  createPrimitive(initial, 'normal', (now, toX, width) => stateStripRenderer(stripBoxes(now.bands, toX, width), now));

function stateStripRenderer(
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
