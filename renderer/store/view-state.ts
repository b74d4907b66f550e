// Renderer: view state of the window: route, sections, filters, selections, drafts, open dialogs.
// The state ends with the window.
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';

/** Slices by name; each feature defines its own. */
const store = createStore<Readonly<Record<string, unknown>>>(() => ({}));

const initials: Record<string, unknown> = {};

/** Resets every slice to its initial state, for tests that share a window. */
export const resetViewState = (): void => store.setState({ ...initials });

export interface ViewSlice<State> {
  /** Hook: a component renders again when the selected part is another object. */
  use<Part>(select: (state: State) => Part): Part;
  get(): State;
  set(change: Partial<State> | ((state: State) => Partial<State>)): void;
}

/**
 * A part of the view state. It outlives a visit to another page.
 * @param name unique in the window
 */
export function createViewSlice<State extends object>(name: string, initial: State): ViewSlice<State> {
  if (name in store.getState()) throw new Error(`Two slices of the view state are named "${name}".`);
  initials[name] = initial;
  store.setState({ [name]: initial });
  const get = (): State => store.getState()[name] as State;
  return {
    use: (select) => useStore(store, (all) => select(all[name] as State)),
    get,
    set: (change) =>
      store.setState({ [name]: { ...get(), ...(typeof change === 'function' ? change(get()) : change) } }),
  };
}

/** The request for a dialog that any component may open; null: it is closed. @param name as of a slice */
export function createDialogSlice<Request>(name: string) {
  const slice = createViewSlice<{ readonly request: Request | null }>(name, { request: null });
  return {
    use: (): Request | null => slice.use(({ request }) => request),
    open: (request: Request): void => slice.set({ request }),
    close: (): void => slice.set({ request: null }),
  };
}
