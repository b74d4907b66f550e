// Renderer: the transition markers, a primitive: when the state changed, and to what.
import { placeStateChanges } from '../geometry.ts';
import { createPrimitive, type Primitive } from '../primitive-base.ts';
import type { TransitionMarkersOptions } from './options.ts';
import { transitionMarkersRenderer } from './renderer.ts';

export const createTransitionMarkers = (initial: TransitionMarkersOptions): Primitive<TransitionMarkersOptions> =>
  createPrimitive(initial, 'normal', (now, toX, width) =>
    transitionMarkersRenderer(placeStateChanges(now.stateChanges, toX, width), now),
  );
