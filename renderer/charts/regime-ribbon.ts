// Renderer: the regime ribbon, a primitive: regimes at the top of the chart, tones behind prices.

import type { IPrimitivePaneRenderer } from 'lightweight-charts';
import type { ChartColors, ColorName } from './colors.ts';
import { type LogicalAt, type RibbonBox, ribbonBoxes } from './geometry.ts';
import type { RegimeBand } from './model.ts';
import { hatch, type PatternName } from './patterns.ts';
import { createPrimitive, type DrawTarget, inPixels, type Primitive } from './primitive-base.ts';

interface RegimeRibbonOptions {
  readonly bands: readonly RegimeBand[];
  readonly logicalAt: LogicalAt;
  readonly colors: ChartColors;
  readonly nameOf: (regime: string) => string;
}

/** Height of the ribbon and the space below it, px. */
const RIBBON_HEIGHT = 15;
export const RIBBON_SPACE = 18;

/** Regimes never have the colour of a state: tone and pattern distinguish them. */
interface RegimeStyle {
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
const styleOf = (regime: string): RegimeStyle =>
  Object.hasOwn(REGIME_STYLES, regime) ? (REGIME_STYLES[regime] ?? PLAIN) : PLAIN;

export const createRegimeRibbon = (initial: RegimeRibbonOptions): Primitive<RegimeRibbonOptions> =>
  createPrimitive(initial, 'bottom', (now, toX, width) =>
    regimeRibbonRenderer((measure) => ribbonBoxes(now.bands, toX, width, now.nameOf, measure), now),
  );

const RIBBON_FONT = (font: string): string => `500 11px ${font}`;

/** @param boxes for the width of the pane; a function, because only a canvas can measure the names */
function regimeRibbonRenderer(
  boxesFor: (measure: (text: string) => number) => readonly RibbonBox[],
  { colors }: RegimeRibbonOptions,
): IPrimitivePaneRenderer {
  return {
    draw(target: DrawTarget) {
      inPixels(target, ({ context, mediaSize }) => {
        context.font = RIBBON_FONT(colors.font);
        context.textBaseline = 'alphabetic';
        for (const box of boxesFor((text) => context.measureText(text).width)) {
          const style = styleOf(box.regime);
          context.fillStyle = colors[style.tone];
          context.fillRect(box.x0, RIBBON_SPACE, box.x1 - box.x0, mediaSize.height - RIBBON_SPACE);
          drawRibbon(context, box);
        }
      });
    },
  };

  function drawRibbon(context: CanvasRenderingContext2D, { regime, x0, x1, label }: RibbonBox): void {
    const style = styleOf(regime);
    const width = Math.max(1, x1 - x0 - 1);
    context.fillStyle = colors[style.tone];
    context.fillRect(x0, 0, width, RIBBON_HEIGHT);
    if (style.pattern !== null) {
      context.fillStyle = hatch(context, style.pattern, colors[style.ink]);
      context.fillRect(x0, 0, width, RIBBON_HEIGHT);
    }
    if (label === '') return;
    context.fillStyle = colors.s1;
    context.fillRect(x0 + 3, 1.5, context.measureText(label).width + 6, 12);
    context.fillStyle = colors.t2;
    context.fillText(label, x0 + 6, 11.5);
  }
}
