// Renderer, profiles: which of the dialogs is open. The title bar, the banner and Settings all lead to the same ones.
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { Environment } from '../../../shared/wire/keys.ts';

export type DialogRequest =
  | { readonly kind: 'key'; readonly environment: Environment }
  | { readonly kind: 'prices' }
  | { readonly kind: 'remove'; readonly name: string };

const store = createStore<{ readonly dialog: DialogRequest | null; readonly returnTo: HTMLElement | null }>(() => ({
  dialog: null,
  returnTo: null,
}));

export const useDialogRequest = (): DialogRequest | null => useStore(store, ({ dialog }) => dialog);
/** What had the focus takes it back. */
export const returnTo = {
  get current() {
    return store.getState().returnTo;
  },
};
export const openDialog = (dialog: DialogRequest, from: HTMLElement | null): void =>
  store.setState({ dialog, returnTo: from });
export const closeDialog = (): void => store.setState({ dialog: null });
