// Renderer: data and style of the note markers.
import type { ChartColors } from '../colors.ts';
import type { LogicalAt } from '../geometry.ts';
import type { ChartNote } from '../model.ts';

export interface NoteMarkersOptions {
  readonly notes: readonly ChartNote[];
  readonly logicalAt: LogicalAt;
  readonly colors: ChartColors;
  /** Top of the markers, px from the top of the pane. */
  readonly top: number;
}

/** Height of a marker, px: the pointer is on it within this distance of the top. */
export const MARKER_HEIGHT = 14;
