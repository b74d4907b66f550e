// Renderer, profiles: the dialog of a simulated market that crashes.
import { nextCrashAt } from '../../../shared/domain/scenarios.ts';
import { clockTime } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useNow } from '../../services.ts';
import { usePreference } from '../../store/preferences.ts';
import { AddMarket } from './add-market.tsx';

const messages = texts.profiles.crashMarket;

export function CrashMarket({ onClose }: { readonly onClose: () => void }) {
  // The simulated market of the app has the time of this computer.
  const now = useNow();
  const zone = usePreference((preference) => preference.zone);
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
      <p className="steps-why">
        {texts.profiles.scenario.crash} {messages.next(clockTime(nextCrashAt(now), zone))}
      </p>
      <p className="steps-why">{messages.look}</p>
    </AddMarket>
  );
}
