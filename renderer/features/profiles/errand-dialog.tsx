// Renderer, profiles: the dialogs, each for its errand.
import { AddKey } from './add-key.tsx';
import { AddPrices } from './add-prices.tsx';
import type { Errand } from './errand.ts';
import './profiles.css';
import { RemoveProfile } from './remove-profile.tsx';

export function ErrandDialog({ errand, onClose }: { errand: Errand; onClose: () => void }) {
  switch (errand.kind) {
    case 'key':
      return <AddKey environment={errand.environment} onClose={onClose} />;
    case 'prices':
      return <AddPrices onClose={onClose} />;
    case 'remove':
      return <RemoveProfile name={errand.name} onClose={onClose} />;
  }
}
