// Renderer, profiles: which dialog is open; title bar, banner and Settings share these dialogs.
import type { Environment } from '../../../shared/wire/keys.ts';
import { createViewSlice } from '../../store/view-state.ts';

/** The folders of a profile over own prices. */
export interface PriceFolders {
  readonly folder: string;
  readonly editorial: string | null;
}

export type DialogRequest =
  | { readonly kind: 'key'; readonly environment: Environment }
  | { readonly kind: 'prices'; readonly replayOf?: PriceFolders }
  | { readonly kind: 'crashMarket' }
  | { readonly kind: 'coins' }
  | { readonly kind: 'shares' }
  | { readonly kind: 'states' }
  | { readonly kind: 'remove'; readonly name: string };

const slice = createViewSlice<{ readonly dialog: DialogRequest | null; readonly returnTo: HTMLElement | null }>(
  'profile dialog',
  {
    dialog: null,
    returnTo: null,
  },
);

export const useDialogRequest = (): DialogRequest | null => slice.use(({ dialog }) => dialog);
/** The control that gets the focus back. */
export const returnTo = {
  get current() {
    return slice.get().returnTo;
  },
};
export const openDialog = (dialog: DialogRequest, from: HTMLElement | null): void =>
  slice.set({ dialog, returnTo: from });
export const closeDialog = (): void => slice.set({ dialog: null });
