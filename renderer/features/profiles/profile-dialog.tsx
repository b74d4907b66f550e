// Renderer, profiles: the dialogs by kind of request.
import { AddKey } from './add-key.tsx';
import { AddPrices } from './add-prices.tsx';
import type { DialogRequest } from './dialog-request.ts';
import './profiles.css';
import { RemoveProfile } from './remove-profile.tsx';

export function ProfileDialog({ dialog, onClose }: { dialog: DialogRequest; onClose: () => void }) {
  switch (dialog.kind) {
    case 'key':
      return <AddKey environment={dialog.environment} onClose={onClose} />;
    case 'prices':
      return <AddPrices onClose={onClose} />;
    case 'remove':
      return <RemoveProfile name={dialog.name} onClose={onClose} />;
  }
}
