// Renderer: which snooze menu is open. Keys open it from elsewhere.
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';

/** The ledger id of its alert; 0: the menu of the chosen alerts; null: none is open. */
const store = createStore<{ readonly openMenu: number | null }>(() => ({ openMenu: null }));

export const useIsSnoozeOpen = (id: number): boolean => useStore(store, ({ openMenu }) => openMenu === id);
export const openSnoozeMenu = (id: number): void => store.setState({ openMenu: id });
export const closeSnoozeMenu = (): void => store.setState({ openMenu: null });
