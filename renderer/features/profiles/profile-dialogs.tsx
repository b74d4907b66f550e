// Renderer, profiles: the dialog that was sent for, over whatever page is shown.
import { profileWords as words } from '../../text/profiles.ts';
import { laterDialog } from '../../ui/later.tsx';
import { endErrand, useErrand } from './errand.ts';

const ErrandDialog = laterDialog(words.dialog, async () => (await import('./errand-dialog.tsx')).ErrandDialog);

export function ProfileDialogs() {
  const errand = useErrand();
  return errand === null ? null : <ErrandDialog errand={errand} onClose={endErrand} />;
}
