// Renderer: the moment that this window shows. List, header, chart, factors, news and briefings follow it;
// alerts, connection and clock are always those of now.
import { createViewSlice } from './view-state.ts';

const slice = createViewSlice<{ readonly at: number | null }>('shown moment', { at: null });

/** World time, ms; null: now. */
export const useShownMoment = (): number | null => slice.use(({ at }) => at);
export const readShownMoment = (): number | null => slice.get().at;
/** @param at null: back to now */
export const showMoment = (at: number | null): void => slice.set({ at });
