// Renderer: the note of the last action on alerts, in the status bar, while it can be undone.
import { useEffect } from 'react';
import { useServices } from '../services.ts';
import { createViewSlice } from './view-state.ts';

interface Note {
  readonly id: number;
  readonly message: string;
  readonly undo: (() => void) | null;
}

/** How long Undo is offered, ms (design notes). */
const UNDO_MS = 8000;

const slice = createViewSlice<{ readonly note: Note | null }>('alert note', { note: null });
let notes = 0;
/** Shows the note until the next one, or for as long as Undo is offered. */
export const noteAct = (text: string, undo: Note['undo'] = null): void => {
  notes += 1;
  slice.set({ note: { id: notes, message: text, undo } });
};

/** The last action, while Undo is offered. */
export function useActNote(): Note | null {
  const { clock } = useServices();
  const note = slice.use((state) => state.note);
  useEffect(() => (note === null ? undefined : clock.after(UNDO_MS, () => slice.set({ note: null }))), [note, clock]);
  return note;
}
