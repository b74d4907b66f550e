// Renderer, profiles: the dialog that adds a simulated market that crashes, or opens the one that there is.
import { useState } from 'react';
import { useFormState } from 'react-hook-form';
import { z } from 'zod';
import type { ProfileEntry } from '../../../shared/channels/profiles.ts';
import { profileNameFrom } from '../../../shared/settings/profiles.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useServices } from '../../services.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Form, FormProblem, useSchemaForm } from '../../ui/form/form.tsx';
import { AddedFoot } from './added-foot.tsx';
import { returnTo } from './dialog-request.ts';
import { useProfiles } from './open-profile.ts';

const messages = texts.profiles.rehearsal;

const crashes = ({ source }: ProfileEntry): boolean => source.kind === 'simulated' && source.scenario === 'crash';

export function RehearseCrash({ onClose }: { onClose: () => void }) {
  const { intents } = useServices();
  const profiles = useProfiles()?.profiles ?? [];
  const existing = profiles.find(crashes);
  const [added, setAdded] = useState<string | null>(null);
  const ready = added ?? (existing?.enabled ? existing.name : null);
  const form = useSchemaForm(z.object({}), { defaultValues: {} });
  const { isSubmitting } = useFormState({ control: form.control });
  const begin = async () => {
    const taken = profiles.map((profile) => profile.name);
    const name = existing?.name ?? profileNameFrom('crash', taken);
    const answer =
      existing === undefined
        ? await intents.ask('profiles.add', { name, source: { kind: 'simulated', scenario: 'crash' } })
        : await intents.ask('profiles.enable', { name, enabled: true });
    if (answer.ok) setAdded(name);
    return answer;
  };
  return (
    <Dialog heading={messages.act} className="steps" returnTo={returnTo} onClose={onClose}>
      <p className="steps-why">{messages.why}</p>
      <p className="steps-why">{texts.profiles.scenario.crash}</p>
      <p className="steps-why">{messages.look}</p>
      {ready !== null ? (
        <>
          <p role="status" className="steps-why">
            {texts.profiles.key.saved(ready)}
          </p>
          <AddedFoot name={ready} environment="sandbox" onClose={onClose} />
        </>
      ) : (
        <Form form={form} onSubmit={begin}>
          <p role="status" className="steps-why">
            {isSubmitting && messages.beginning}
          </p>
          <FormProblem control={form.control} />
          <footer className="steps-foot">
            <span className="grow" />
            <button type="button" className="btn" onClick={onClose}>
              {texts.profiles.key.notNow}
            </button>
            <button type="submit" className="btn primary" aria-disabled={isSubmitting}>
              {messages.begin}
            </button>
          </footer>
        </Form>
      )}
    </Dialog>
  );
}
