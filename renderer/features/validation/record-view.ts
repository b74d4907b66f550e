// Renderer, validation: which section of the page Record is shown, and which symbol in "Worth it".
import { createViewSlice } from '../../store/view-state.ts';

export const SECTIONS = ['worth', 'calls', 'reliability', 'model'] as const;
export type Section = (typeof SECTIONS)[number];

/** `symbol`: null is the list. */
export const recordView = createViewSlice<{ readonly section: Section; readonly symbol: string | null }>('record', {
  section: 'worth',
  symbol: null,
});
