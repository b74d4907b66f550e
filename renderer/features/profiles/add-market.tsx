// Renderer, profiles: the dialogs that add a market in the app as a profile, or open its profile.
import { type ComponentProps, type ReactNode, useState } from 'react';
import { useFormState } from 'react-hook-form';
import { z } from 'zod';
import type { InputOf } from '../../../shared/channels/ends.ts';
import type { ProfileChannels, ProfileEntry } from '../../../shared/channels/profiles.ts';
import { nextCrashAt } from '../../../shared/domain/scenarios.ts';
import { profileNameFrom } from '../../../shared/settings/profiles.ts';
import { clockTime } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import type { Environment } from '../../../shared/wire/keys.ts';
import { useNow, useServices } from '../../services.ts';
import { usePreference } from '../../store/preferences.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Form, FormProblem, useSchemaForm } from '../../ui/form/form.tsx';
import { useProfiles } from './open-profile.ts';
import { AddedFoot, StepsFoot, useAdded } from './step.tsx';

interface AddMarketProps {
  readonly messages: Readonly<Record<'act' | 'begin' | 'beginning', string>>;
  /** Describes the market, and what the user should know first. */
  readonly children: ReactNode;
  readonly environment: Environment;
  /** A new profile is named after it. */
  readonly stem: string;
  readonly source: InputOf<ProfileChannels['profiles.add']>['source'];
  /** Whether the source of a profile is this market. */
  readonly isSame: (source: ProfileEntry['source']) => boolean;
  readonly onClose: () => void;
}

function AddMarket(props: AddMarketProps) {
  const { messages, children, environment, stem, source, isSame, onClose } = props;
  const { intents } = useServices();
  const profiles = useProfiles()?.profiles ?? [];
  const existing = profiles.find((profile) => isSame(profile.source));
  const [added, setAdded] = useState<string | null>(null);
  const ready = added ?? (existing?.enabled ? existing.name : null);
  const form = useSchemaForm(z.object({}), { defaultValues: {} });
  const { isSubmitting } = useFormState({ control: form.control });
  const submit = async () => {
    const taken = profiles.map((profile) => profile.name);
    const name = existing?.name ?? profileNameFrom(stem, taken);
    const answer =
      existing === undefined
        ? await intents.ask('profiles.add', { name, source })
        : await intents.ask('profiles.enable', { name, enabled: true });
    if (answer.ok) setAdded(name);
    return answer;
  };
  return (
    <Dialog heading={messages.act} className="steps" onClose={onClose}>
      {children}
      {ready !== null ? (
        <AddedMarket name={ready} environment={environment} onClose={onClose} />
      ) : (
        <Form form={form} onSubmit={submit}>
          <p role="status" className="steps-why">
            {isSubmitting && messages.beginning}
          </p>
          <FormProblem control={form.control} />
          <StepsFoot isReady={!isSubmitting} submit={messages.begin} onClose={onClose} />
        </Form>
      )}
    </Dialog>
  );
}

function AddedMarket(props: ComponentProps<typeof AddedFoot>) {
  const { heading, detail } = useAdded(props.name);
  return (
    <>
      <p role="status" className="steps-why">
        {heading}
      </p>
      {detail !== '' && <p className="steps-why">{detail}</p>}
      <AddedFoot {...props} />
    </>
  );
}

const { coins, crashMarket } = texts.profiles;

/** A simulated market that crashes. */
export function CrashMarket({ onClose }: { readonly onClose: () => void }) {
  // The simulated market of the app has the time of this computer.
  const now = useNow();
  const zone = usePreference((preference) => preference.zone);
  return (
    <AddMarket
      messages={crashMarket}
      environment="sandbox"
      stem="crash"
      source={{ kind: 'simulated', scenario: 'crash' }}
      isSame={(source) => source.kind === 'simulated' && source.scenario === 'crash'}
      onClose={onClose}
    >
      <p className="steps-why">{crashMarket.why}</p>
      <p className="steps-why">
        {texts.profiles.scenario.crash} {crashMarket.next(clockTime(nextCrashAt(now), zone))}
      </p>
      <p className="steps-why">{crashMarket.look}</p>
    </AddMarket>
  );
}

/** Live prices of coins, which need no account. */
export const FollowCoins = ({ onClose }: { readonly onClose: () => void }) => (
  <AddMarket
    messages={coins}
    environment="production"
    stem="coins"
    source={{ kind: 'feed', feed: 'binance' }}
    isSame={(source) => source.kind === 'feed' && source.feed === 'binance'}
    onClose={onClose}
  >
    <p className="steps-why">{coins.why}</p>
    <p className="steps-why">{coins.history}</p>
    <p className="steps-why">{coins.terms}</p>
  </AddMarket>
);
