// Renderer, profiles: the dialog that adds a market in the app as a profile, or opens its profile.
import { type ReactNode, useState } from 'react';
import { useFormState } from 'react-hook-form';
import { z } from 'zod';
import type { InputOf } from '../../../shared/channels/ends.ts';
import type { ProfileChannels, ProfileEntry } from '../../../shared/channels/profiles.ts';
import { profileNameFrom } from '../../../shared/settings/profiles.ts';
import { texts } from '../../../shared/text/texts.ts';
import type { Environment } from '../../../shared/wire/keys.ts';
import { useServices } from '../../services.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Form, FormProblem, useSchemaForm } from '../../ui/form/form.tsx';
import { AddedFoot } from './added-foot.tsx';
import { useProfiles } from './open-profile.ts';

interface AddMarketProps {
  readonly heading: string;
  /** Describes the market, and what the user should know first. */
  readonly children: ReactNode;
  readonly begin: string;
  readonly beginning: string;
  readonly environment: Environment;
  /** A new profile is named after it. */
  readonly stem: string;
  readonly source: InputOf<ProfileChannels['profiles.add']>['source'];
  /** Whether the source of a profile is this market. */
  readonly isSame: (source: ProfileEntry['source']) => boolean;
}

export function AddMarket({
  heading,
  children,
  begin,
  beginning,
  environment,
  stem,
  source,
  isSame,
  onClose,
}: AddMarketProps & { readonly onClose: () => void }) {
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
    <Dialog heading={heading} className="steps" onClose={onClose}>
      {children}
      {ready !== null ? (
        <>
          <p role="status" className="steps-why">
            {texts.profiles.key.saved(ready)}
          </p>
          <AddedFoot name={ready} environment={environment} onClose={onClose} />
        </>
      ) : (
        <Form form={form} onSubmit={submit}>
          <p role="status" className="steps-why">
            {isSubmitting && beginning}
          </p>
          <FormProblem control={form.control} />
          <footer className="steps-foot">
            <span className="grow" />
            <button type="button" className="btn" onClick={onClose}>
              {texts.profiles.key.notNow}
            </button>
            <button type="submit" className="btn primary" aria-disabled={isSubmitting}>
              {begin}
            </button>
          </footer>
        </Form>
      )}
    </Dialog>
  );
}
