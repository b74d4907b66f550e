// Renderer: the gap hatch, a primitive: stretches of which nothing is known are drawn as such, above everything else. On a series it lies above the line,
// which on a pane it does not.
import { gapBoxes } from '../geometry.ts';
import { createPrimitive, type Primitive } from '../primitive-base.ts';
import type { GapHatchOptions } from './options.ts';
import { gapHatchRenderer } from './renderer.ts';

export const createGapHatch = (initial: GapHatchOptions): Primitive<GapHatchOptions> =>
  createPrimitive(initial, 'top', (now, toX, width) => gapHatchRenderer(gapBoxes(now.gaps, toX, width), now));
