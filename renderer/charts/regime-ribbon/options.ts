// Renderer: data and style of the regime ribbon.
// Regimes never have the colour of a state: tone and pattern distinguish them.
import type { ChartColors, ColorName } from '../colors.ts';
import type { LogicalAt } from '../geometry.ts';
import type { RegimeBand } from '../model.ts';
import type { PatternName } from '../patterns.ts';

export interface RegimeRibbonOptions {
  readonly bands: readonly RegimeBand[];
  readonly logicalAt: LogicalAt;
  readonly colors: ChartColors;
  readonly nameOf: (regime: string) => string;
}

/** Height of the ribbon and the space below it, px. */
export const RIBBON_HEIGHT = 15;
export const RIBBON_SPACE = 18;

export interface RegimeStyle {
  readonly tone: ColorName;
  /** null: plain. */
  readonly pattern: PatternName | null;
  readonly ink: ColorName;
}

const PLAIN: RegimeStyle = { tone: 'regime1', pattern: null, ink: 't3' };
const REGIME_STYLES: Readonly<Record<string, RegimeStyle>> = {
  calm_uptrend: PLAIN,
  volatile_uptrend: { tone: 'regime2', pattern: 'dots', ink: 't3' },
  calm_downtrend: { tone: 'regime2', pattern: 'falling', ink: 't3' },
  volatile_downtrend: { tone: 'regime3', pattern: 'falling_dots', ink: 't3' },
  stress: { tone: 'regime3', pattern: 'cross', ink: 't2' },
};

/** An unknown regime is drawn plain, with its name. */
export const styleOf = (regime: string): RegimeStyle =>
  Object.hasOwn(REGIME_STYLES, regime) ? (REGIME_STYLES[regime] ?? PLAIN) : PLAIN;
