// Renderer: the moment that this window shows. List, header, chart, factors, news and briefings follow it;
// alerts, connection and clock are always those of now.
import { useDeferredValue } from 'react';
import { createViewSlice } from './view-state.ts';

const slice = createViewSlice<{ readonly at: number | null }>('shown moment', { at: null });

/** World time, ms; null: now. */
export const useShownMoment = (): number | null => slice.use(({ at }) => at);
/** For what takes long to draw: it follows when the slider rests, or between its steps. */
export const useDrawnMoment = (): number | null => useDeferredValue(useShownMoment());
/** For what is the same at every past moment. */
export const useIsPast = (): boolean => slice.use(({ at }) => at !== null);
export const readShownMoment = (): number | null => slice.get().at;
/** @param at null: back to now */
export const showMoment = (at: number | null): void => slice.set({ at });
