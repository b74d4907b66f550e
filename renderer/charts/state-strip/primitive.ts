// Renderer: the state strip, a primitive: the symbol's states along the time axis.
import { stripBoxes } from '../geometry.ts';
import { createPrimitive, type Primitive } from '../primitive-base.ts';
import type { StateStripOptions } from './options.ts';
import { stateStripRenderer } from './renderer.ts';

export const createStateStrip = (initial: StateStripOptions): Primitive<StateStripOptions> =>
  createPrimitive(initial, 'normal', (now, toX, width) => stateStripRenderer(stripBoxes(now.bands, toX, width), now));
