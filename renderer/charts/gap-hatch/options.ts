// Renderer: what the gap hatch draws and how.
import type { ChartColors } from '../colors.ts';
import type { LogicalAt } from '../geometry.ts';
import type { GapBand } from '../model.ts';

export interface GapHatchOptions {
  readonly gaps: readonly GapBand[];
  readonly logicalAt: LogicalAt;
  readonly colors: ChartColors;
  /** Where the hatch begins, px from the pane's head. */
  readonly top: number;
}
