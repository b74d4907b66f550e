// Renderer: the gap hatch, a primitive that covers ranges without data.
// Attach it to a series: only then is it drawn above the line.
import { gapBoxes } from '../geometry.ts';
import { createPrimitive, type Primitive } from '../primitive-base.ts';
import type { GapHatchOptions } from './options.ts';
import { gapHatchRenderer } from './renderer.ts';

export const createGapHatch = (initial: GapHatchOptions): Primitive<GapHatchOptions> =>
  createPrimitive(initial, 'top', (now, toX, width) => gapHatchRenderer(gapBoxes(now.gaps, toX, width), now));
