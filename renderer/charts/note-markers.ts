// Renderer: the note markers, a primitive: the positions of the user's notes.

import type { IPrimitivePaneRenderer } from 'lightweight-charts';
import type { ChartColors } from './colors.ts';
import { type LogicalAt, type PlacedNotes, placeNotes } from './geometry.ts';
import type { ChartNote } from './model.ts';
import { createPrimitive, type DrawTarget, inPixels, type Primitive } from './primitive-base.ts';

interface NoteMarkersOptions {
  readonly notes: readonly ChartNote[];
  readonly logicalAt: LogicalAt;
  readonly colors: ChartColors;
  /** Top of the markers, px from the top of the pane. */
  readonly top: number;
}

/** Height of a marker, px: the pointer is on it within this distance of the top. */
export const MARKER_HEIGHT = 14;

export const createNoteMarkers = (initial: NoteMarkersOptions): Primitive<NoteMarkersOptions> =>
  createPrimitive(initial, 'top', (now, toX, width) => noteMarkersRenderer(placeNotes(now.notes, toX, width), now));

/** Size of the sheet and of its folded corner, px. */
const WIDTH = 12;
const FOLD = 4;

/** The sheet of several notes has their number. */
function noteMarkersRenderer(
  placed: readonly PlacedNotes[],
  { colors, top }: NoteMarkersOptions,
): IPrimitivePaneRenderer {
  return {
    draw(target: DrawTarget) {
      inPixels(target, ({ context, mediaSize }) => {
        context.font = `600 9px ${colors.font}`;
        context.textAlign = 'center';
        context.textBaseline = 'middle';
        context.lineWidth = 1;
        for (const { x, notes } of placed) {
          const middle = Math.round(x) + 0.5;
          context.strokeStyle = colors.accent;
          context.globalAlpha = 0.35;
          line(context, [middle, top + MARKER_HEIGHT], [middle, mediaSize.height]);
          context.globalAlpha = 1;
          drawSheet(context, middle - WIDTH / 2, top, colors.s1);
          context.fillStyle = colors.accent;
          if (notes.length > 1) context.fillText(String(notes.length), middle, top + MARKER_HEIGHT / 2 + 1);
          else for (const y of [6.5, 9.5]) line(context, [middle - 3, top + y], [middle + 3, top + y]);
        }
      });
    },
  };
}

type Point = readonly [number, number];
function line(context: CanvasRenderingContext2D, from: Point, to: Point): void {
  context.beginPath();
  context.moveTo(...from);
  context.lineTo(...to);
  context.stroke();
}

function drawSheet(context: CanvasRenderingContext2D, x: number, y: number, fill: string): void {
  const [right, bottom] = [x + WIDTH, y + MARKER_HEIGHT - 0.5];
  context.beginPath();
  context.moveTo(x, y + 0.5);
  context.lineTo(right - FOLD, y + 0.5);
  context.lineTo(right, y + FOLD + 0.5);
  context.lineTo(right, bottom);
  context.lineTo(x, bottom);
  context.closePath();
  context.fillStyle = fill;
  context.fill();
  context.stroke();
}
