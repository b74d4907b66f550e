// Renderer: paints the regime ribbon at the top of the price pane, and its tones behind the prices.
import type { IPrimitivePaneRenderer } from 'lightweight-charts';
import type { RibbonBox } from '../geometry.ts';
import { hatch } from '../patterns.ts';
import { type DrawTarget, inPixels } from '../primitive-base.ts';
import { type RegimeRibbonOptions, RIBBON_HEIGHT, RIBBON_SPACE, styleOf } from './options.ts';

export const RIBBON_FONT = (font: string): string => `500 11px ${font}`;

/** @param boxes for the width of the pane; a function, because only a canvas can measure the names */
export function regimeRibbonRenderer(
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
