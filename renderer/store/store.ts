// Renderer: the store and the hooks by which components read it; only ingest.ts writes.
import { createContext, useContext } from 'react';
import { useStore } from 'zustand';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { type AppState, type CoreSnapshot, EMPTY_STATE } from './state.ts';

export type AppStore = StoreApi<AppState>;

export const createAppStore = (): AppStore => createStore<AppState>(() => EMPTY_STATE);

export const StoreContext = createContext<AppStore | null>(null);

/** Selects a part of the state; the component renders again when that part is another object. */
export function useApp<Part>(select: (state: AppState) => Part): Part {
  return useStore(useAppStore(), select);
}

export function useAppStore(): AppStore {
  const store = useContext(StoreContext);
  if (store === null) throw new Error('StoreContext is missing above this component.');
  return store;
}

/** As useApp, for components that render only once a snapshot has arrived. */
export function useSnapshot<Part>(select: (snapshot: CoreSnapshot) => Part): Part {
  return useApp((state) => {
    if (state.snapshot === null) throw new Error('This component needs a snapshot.');
    return select(state.snapshot);
  });
}
