// Renderer: what the transition markers draw and how.
import type { ChartColors } from '../colors.ts';
import type { LogicalAt } from '../geometry.ts';
import type { StateChange } from '../model.ts';

export interface TransitionMarkersOptions {
  readonly stateChanges: readonly StateChange[];
  readonly logicalAt: LogicalAt;
  readonly colors: ChartColors;
  /** Where the hairlines begin, px from the pane's head. */
  readonly top: number;
  /** Middle of the glyphs, px from the pane's head; null: hairlines only. */
  readonly glyphsAt: number | null;
}
