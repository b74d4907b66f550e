// Renderer, profiles: the dialog of a simulated market that crashes.
import { texts } from '../../../shared/text/texts.ts';
import { AddMarket } from './add-market.tsx';

const messages = texts.profiles.crashMarket;

export function CrashMarket({ onClose }: { readonly onClose: () => void }) {
  return (
    <AddMarket
      heading={messages.act}
      begin={messages.begin}
      beginning={messages.beginning}
      environment="sandbox"
      stem="crash"
      source={{ kind: 'simulated', scenario: 'crash' }}
      isSame={(source) => source.kind === 'simulated' && source.scenario === 'crash'}
      onClose={onClose}
    >
      <p className="steps-why">{messages.why}</p>
      <p className="steps-why">{texts.profiles.scenario.crash}</p>
      <p className="steps-why">{messages.look}</p>
    </AddMarket>
  );
}
