// Renderer, profiles: which of the dialogs is open. The title bar, the banner and Settings all lead to the same ones.
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { Environment } from '../../../shared/wire/keys.ts';

export type Errand =
  | { readonly kind: 'key'; readonly environment: Environment }
  | { readonly kind: 'prices' }
  | { readonly kind: 'remove'; readonly name: string };

const store = createStore<{ readonly errand: Errand | null; readonly returnTo: HTMLElement | null }>(() => ({
  errand: null,
  returnTo: null,
}));

export const useErrand = (): Errand | null => useStore(store, ({ errand }) => errand);
/** What had the focus takes it back. */
export const returnTo = {
  get current() {
    return store.getState().returnTo;
  },
};
export const sendFor = (errand: Errand, from: HTMLElement | null): void => store.setState({ errand, returnTo: from });
export const endErrand = (): void => store.setState({ errand: null });
