// Renderer: the transition markers, a primitive: when the state changed, and to what.

import type { IPrimitivePaneRenderer } from 'lightweight-charts';
import type { State } from '../../shared/domain/states.ts';
import type { ChartColors } from './colors.ts';
import { type LogicalAt, type PlacedStateChange, placeStateChanges } from './geometry.ts';
import type { StateChange } from './model.ts';
import { createPrimitive, type DrawTarget, inPixels, type Primitive } from './primitive-base.ts';

interface TransitionMarkersOptions {
  readonly stateChanges: readonly StateChange[];
  readonly logicalAt: LogicalAt;
  readonly colors: ChartColors;
  /** Top of the hairlines, px from the top of the pane. */
  readonly top: number;
  /** Centre of the glyphs, px from the top of the pane; null: hairlines only. */
  readonly glyphsAt: number | null;
}

export const createTransitionMarkers = (initial: TransitionMarkersOptions): Primitive<TransitionMarkersOptions> =>
  createPrimitive(initial, 'normal', (now, toX, width) =>
    transitionMarkersRenderer(placeStateChanges(now.stateChanges, toX, width), now),
  );

/** Side of a glyph, px. */
const SIZE = 13;

function transitionMarkersRenderer(
  placed: readonly PlacedStateChange[],
  { colors, top, glyphsAt }: TransitionMarkersOptions,
): IPrimitivePaneRenderer {
  return {
    draw(target: DrawTarget) {
      inPixels(target, ({ context, mediaSize }) => {
        context.lineWidth = 1;
        for (const { x, stateChange } of placed) {
          context.globalAlpha = stateChange.to === 2 ? 0.8 : 0.42;
          context.strokeStyle = hairline(stateChange.to, colors);
          context.beginPath();
          context.moveTo(Math.round(x) + 0.5, top);
          context.lineTo(Math.round(x) + 0.5, mediaSize.height);
          context.stroke();
        }
        context.globalAlpha = 1;
        if (glyphsAt !== null)
          for (const { x, stateChange } of placed)
            drawGlyph(context, stateChange.to, Math.round(x) + 0.5, glyphsAt, colors);
      });
    },
  };
}

const hairline = (state: State, colors: ChartColors): string =>
  state === 2 ? colors.highText : state === 1 ? colors.elevated : colors.normal;

function drawGlyph(context: CanvasRenderingContext2D, state: State, x: number, y: number, colors: ChartColors): void {
  context.fillStyle = colors.s1;
  context.beginPath();
  context.arc(x, y, 8, 0, Math.PI * 2);
  context.fill();
  context.save();
  context.translate(x - SIZE / 2, y - SIZE / 2);
  context.scale(SIZE / 16, SIZE / 16);
  context.lineJoin = 'round';
  context.lineWidth = 1.6;
  if (state === 0) {
    context.strokeStyle = colors.normal;
    context.beginPath();
    context.arc(8, 8, 5.6, 0, Math.PI * 2);
    context.stroke();
  } else if (state === 1) {
    context.strokeStyle = colors.elevated;
    context.stroke(TRIANGLE);
    context.fillStyle = colors.elevated;
    context.fill(TRIANGLE_FOOT);
  } else {
    context.fillStyle = colors.high;
    context.fill(OCTAGON);
    context.lineWidth = 1;
    context.strokeStyle = colors.highText;
    context.stroke(OCTAGON);
  }
  context.restore();
}

const TRIANGLE = new Path2D('M8 2.1 14.6 13.9H1.4Z');
const TRIANGLE_FOOT = new Path2D('M5.05 8.6h5.9l2.6 4.7H2.45Z');
const OCTAGON = new Path2D('M5.1 1h5.8L15 5.1v5.8L10.9 15H5.1L1 10.9V5.1Z');
