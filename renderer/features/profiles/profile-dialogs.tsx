// Renderer, profiles: the dialog that was sent for, over whatever page is shown.
import { AddKey } from './add-key.tsx';
import { AddPrices } from './add-prices.tsx';
import { endErrand, useErrand } from './errand.ts';
import './profiles.css';
import { RemoveProfile } from './remove-profile.tsx';

export function ProfileDialogs() {
  const errand = useErrand();
  switch (errand?.kind) {
    case 'key':
      return <AddKey environment={errand.environment} onClose={endErrand} />;
    case 'prices':
      return <AddPrices onClose={endErrand} />;
    case 'remove':
      return <RemoveProfile name={errand.name} onClose={endErrand} />;
    default:
      return null;
  }
}
