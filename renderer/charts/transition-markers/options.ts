// Renderer: data and style of the transition markers.
import type { ChartColors } from '../colors.ts';
import type { LogicalAt } from '../geometry.ts';
import type { StateChange } from '../model.ts';

export interface TransitionMarkersOptions {
  readonly stateChanges: readonly StateChange[];
  readonly logicalAt: LogicalAt;
  readonly colors: ChartColors;
  /** Top of the hairlines, px from the top of the pane. */
  readonly top: number;
  /** Centre of the glyphs, px from the top of the pane; null: hairlines only. */
  readonly glyphsAt: number | null;
}
