// Renderer: data and style of the state strip.
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

/** Heights of the bands by state, px: height distinguishes a state without its colour. */
export const BAND_HEIGHTS = [4, 11, 20] as const;
