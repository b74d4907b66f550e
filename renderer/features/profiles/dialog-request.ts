// Renderer, profiles: which of the dialogs is open. The title bar, the banner and Settings all lead to the same ones.
import type { Environment } from '../../../shared/wire/keys.ts';
import { createViewSlice } from '../../store/view-state.ts';

export type DialogRequest =
  | { readonly kind: 'key'; readonly environment: Environment }
  | { readonly kind: 'prices' }
  | { readonly kind: 'remove'; readonly name: string };

const slice = createViewSlice<{ readonly dialog: DialogRequest | null; readonly returnTo: HTMLElement | null }>(
  'profile dialog',
  {
    dialog: null,
    returnTo: null,
  },
);

export const useDialogRequest = (): DialogRequest | null => slice.use(({ dialog }) => dialog);
/** What had the focus takes it back. */
export const returnTo = {
  get current() {
    return slice.get().returnTo;
  },
};
export const openDialog = (dialog: DialogRequest, from: HTMLElement | null): void =>
  slice.set({ dialog, returnTo: from });
export const closeDialog = (): void => slice.set({ dialog: null });
