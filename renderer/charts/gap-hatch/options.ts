// Renderer: data and style of the gap hatch.
import type { ChartColors } from '../colors.ts';
import type { LogicalAt } from '../geometry.ts';
import type { GapBand } from '../model.ts';

export interface GapHatchOptions {
  readonly gaps: readonly GapBand[];
  readonly logicalAt: LogicalAt;
  readonly colors: ChartColors;
  /** Top of the hatch, px from the top of the pane. */
  readonly top: number;
}
