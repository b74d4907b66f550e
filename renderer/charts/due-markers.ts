// Renderer: the markers of what is due, a primitive: letters at the foot of the prices, also of days to come.
import type { IPrimitivePaneRenderer } from 'lightweight-charts';
import type { ChartColors } from './colors.ts';
import { type LogicalAt, type PlacedNotes, placeNotes } from './geometry.ts';
import type { ChartDue } from './model.ts';
import { createPrimitive, type DrawTarget, inPixels, type Primitive } from './primitive-base.ts';

interface DueMarkersOptions {
  readonly due: readonly ChartDue[];
  readonly logicalAt: LogicalAt;
  readonly colors: ChartColors;
}

/** Width and height of a marker, px: it is at the foot of its pane. */
export const DUE_SIZE = 13;

export const createDueMarkers = (initial: DueMarkersOptions): Primitive<DueMarkersOptions> =>
  createPrimitive(initial, 'top', (now, toX, width) => dueMarkersRenderer(placeNotes(now.due, toX, width), now));

/** Several of a place have the letter of the first, and a plus. */
function dueMarkersRenderer(
  placed: readonly PlacedNotes<ChartDue>[],
  { colors }: DueMarkersOptions,
): IPrimitivePaneRenderer {
  return {
    draw(target: DrawTarget) {
      inPixels(target, ({ context, mediaSize }) => {
        context.font = `600 9px ${colors.font}`;
        context.textAlign = 'center';
        context.textBaseline = 'middle';
        const top = mediaSize.height - DUE_SIZE - 1;
        for (const { x, notes } of placed) {
          const left = Math.min(Math.round(x) - DUE_SIZE / 2, mediaSize.width - DUE_SIZE);
          context.fillStyle = colors.s1;
          context.strokeStyle = colors.ink;
          context.lineWidth = 1;
          context.fillRect(left, top, DUE_SIZE, DUE_SIZE);
          context.strokeRect(left + 0.5, top + 0.5, DUE_SIZE - 1, DUE_SIZE - 1);
          context.fillStyle = colors.ink;
          const letter = notes[0]?.letter ?? '';
          context.fillText(notes.length > 1 ? `${letter}+` : letter, left + DUE_SIZE / 2, top + DUE_SIZE / 2 + 0.5);
        }
      });
    },
  };
}
