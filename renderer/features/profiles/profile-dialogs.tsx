// Renderer, profiles: the open dialog, over any page.

import { texts } from '../../../shared/text/texts.ts';
import { lazyDialog } from '../../ui/lazy.tsx';
import { closeDialog, useDialogRequest } from './dialog-request.ts';

const ProfileDialog = lazyDialog(
  texts.profiles.dialog,
  async () => (await import('./profile-dialog.tsx')).ProfileDialog,
);

export function ProfileDialogs() {
  const dialog = useDialogRequest();
  return dialog === null ? null : <ProfileDialog dialog={dialog} onClose={closeDialog} />;
}
