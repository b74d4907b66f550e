// Renderer: the regime ribbon, a primitive: regimes at the top of the chart, tones behind prices.
import { ribbonBoxes } from '../geometry.ts';
import { createPrimitive, type Primitive } from '../primitive-base.ts';
import type { RegimeRibbonOptions } from './options.ts';
import { regimeRibbonRenderer } from './renderer.ts';

export const createRegimeRibbon = (initial: RegimeRibbonOptions): Primitive<RegimeRibbonOptions> =>
  createPrimitive(initial, 'bottom', (now, toX, width) =>
    regimeRibbonRenderer((measure) => ribbonBoxes(now.bands, toX, width, now.nameOf, measure), now),
  );
