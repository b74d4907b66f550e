// Renderer, profiles: the dialogs by kind of request.
import { AddKey } from './add-key.tsx';
import { CrashMarket, FollowCoins } from './add-market.tsx';
import { AddPrices } from './add-prices.tsx';
import type { DialogRequest } from './dialog-request.ts';
import { FollowShares } from './follow-shares.tsx';
import './profiles.css';
import { RemoveProfile } from './remove-profile.tsx';
import { StateWords } from './state-words.tsx';

export function ProfileDialog({ dialog, onClose }: { dialog: DialogRequest; onClose: () => void }) {
  switch (dialog.kind) {
    case 'key':
      return <AddKey environment={dialog.environment} onClose={onClose} />;
    case 'prices':
      return <AddPrices replayOf={dialog.replayOf ?? null} onClose={onClose} />;
    case 'crashMarket':
      return <CrashMarket onClose={onClose} />;
    case 'coins':
      return <FollowCoins onClose={onClose} />;
    case 'shares':
      return <FollowShares onClose={onClose} />;
    case 'states':
      return <StateWords onClose={onClose} />;
    case 'remove':
      return <RemoveProfile name={dialog.name} onClose={onClose} />;
  }
}
