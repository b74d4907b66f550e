// Renderer, profiles: the dialog of live prices of coins, which need no account.
import { texts } from '../../../shared/text/texts.ts';
import { AddMarket } from './add-market.tsx';

const messages = texts.profiles.coins;

export function FollowCoins({ onClose }: { readonly onClose: () => void }) {
  return (
    <AddMarket
      heading={messages.act}
      begin={messages.begin}
      beginning={messages.beginning}
      environment="production"
      stem="coins"
      source={{ kind: 'feed', feed: 'binance' }}
      isSame={(source) => source.kind === 'feed' && source.feed === 'binance'}
      onClose={onClose}
    >
      <p className="steps-why">{messages.why}</p>
      <p className="steps-why">{messages.history}</p>
      <p className="steps-why">{messages.terms}</p>
    </AddMarket>
  );
}
