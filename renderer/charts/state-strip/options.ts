// Renderer: what the state strip draws and how.
import type { StateBand } from '../../../shared/domain/timeline.ts';
import type { ChartColors } from '../colors.ts';
import type { LogicalAt } from '../geometry.ts';

export interface StateStripOptions {
  readonly bands: readonly StateBand[];
  readonly logicalAt: LogicalAt;
  readonly colors: ChartColors;
  /** Written inside a High Risk band that is wide enough. */
  readonly highRiskLabel: string;
}

/** Heights of the bands by state, px: height is one of the voices of a state. */
export const BAND_HEIGHTS = [4, 11, 20] as const;
