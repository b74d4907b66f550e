// Renderer: the note markers, a primitive: the positions of the user's notes.
import { placeNotes } from '../geometry.ts';
import { createPrimitive, type Primitive } from '../primitive-base.ts';
import type { NoteMarkersOptions } from './options.ts';
import { noteMarkersRenderer } from './renderer.ts';

export const createNoteMarkers = (initial: NoteMarkersOptions): Primitive<NoteMarkersOptions> =>
  createPrimitive(initial, 'top', (now, toX, width) => noteMarkersRenderer(placeNotes(now.notes, toX, width), now));
