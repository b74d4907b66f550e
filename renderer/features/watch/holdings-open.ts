// Renderer: whether the dialog of holdings is open; the menu of the list and the palette open it.
import { createViewSlice } from '../../store/view-state.ts';

const slice = createViewSlice<{ readonly isOpen: boolean }>('holdings', { isOpen: false });

export const useAreHoldingsOpen = (): boolean => slice.use(({ isOpen }) => isOpen);
export const openHoldings = (): void => slice.set({ isOpen: true });
export const closeHoldings = (): void => slice.set({ isOpen: false });
