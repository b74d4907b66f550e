// Renderer: the regime ribbon, a primitive: the market's regime along the head of the chart, its tone behind the prices.
import { ribbonBoxes } from '../geometry.ts';
import { createPrimitive, type Primitive } from '../primitive-base.ts';
import type { RegimeRibbonOptions } from './options.ts';
import { regimeRibbonRenderer } from './renderer.ts';

export const createRegimeRibbon = (initial: RegimeRibbonOptions): Primitive<RegimeRibbonOptions> =>
  createPrimitive(initial, 'bottom', (now, toX, width) =>
    regimeRibbonRenderer((measure) => ribbonBoxes(now.bands, toX, width, now.nameOf, measure), now),
  );
