// Renderer, profiles: which dialog is open; title bar, banner and Settings share these dialogs.
import type { Environment } from '../../../shared/wire/keys.ts';
import { createDialogSlice } from '../../store/view-state.ts';

/** The folders of a profile over own prices. */
export interface PriceFolders {
  readonly folder: string;
  readonly editorial: string | null;
  readonly events?: string | undefined;
}

export type DialogRequest =
  | { readonly kind: 'key'; readonly environment: Environment }
  | { readonly kind: 'prices'; readonly replayOf?: PriceFolders }
  | { readonly kind: 'crashMarket' }
  | { readonly kind: 'coins' }
  | { readonly kind: 'shares' }
  | { readonly kind: 'states' }
  | { readonly kind: 'remove'; readonly name: string };

export const {
  use: useDialogRequest,
  open: openDialog,
  close: closeDialog,
} = createDialogSlice<DialogRequest>('profile dialog');
