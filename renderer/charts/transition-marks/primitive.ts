// Renderer: the transition marks, a primitive: when the state changed, and to what.
import { placeTurns } from '../geometry.ts';
import { createPrimitive, type Primitive } from '../primitive-base.ts';
import type { TransitionMarksOptions } from './options.ts';
import { transitionMarksRenderer } from './renderer.ts';

export const createTransitionMarks = (initial: TransitionMarksOptions): Primitive<TransitionMarksOptions> =>
  createPrimitive(initial, 'normal', (now, toX, width) =>
    transitionMarksRenderer(placeTurns(now.turns, toX, width), now),
  );
