// Renderer: which snooze menu is open; shortcuts open it from other components.
import { createViewSlice } from '../../store/view-state.ts';

/** The ledger id of its alert; 0: the menu of the chosen alerts; null: none is open. */
const slice = createViewSlice<{ readonly openMenu: number | null }>('snooze menu', { openMenu: null });

export const useIsSnoozeOpen = (id: number): boolean => slice.use(({ openMenu }) => openMenu === id);
export const openSnoozeMenu = (id: number): void => slice.set({ openMenu: id });
export const closeSnoozeMenu = (): void => slice.set({ openMenu: null });
