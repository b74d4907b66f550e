// Renderer, profiles: step 3 of adding a profile by key: its name and the storage of the key.
import { useFormState, useWatch } from 'react-hook-form';
import { z } from 'zod';
import type { ConnectionTest, Profiles } from '../../../shared/channels/profiles.ts';
import { DAY_MS } from '../../../shared/lib/time.ts';
import { profileNameFrom } from '../../../shared/settings/profiles.ts';
import { parseStateMap } from '../../../shared/settings/state-map.ts';
import { dayAndYear } from '../../../shared/text/format.ts';
import type { Message } from '../../../shared/text/message.ts';
import { texts } from '../../../shared/text/texts.ts';
import { type Environment, KEY_ROTATION_DAYS } from '../../../shared/wire/keys.ts';
import { useServices } from '../../services.ts';
import { TextField } from '../../ui/form/fields.tsx';
import { Form, FormProblem, useSchemaForm } from '../../ui/form/form.tsx';
import { profileNameSchema } from './profile-name.ts';
import { Step, StepsFoot } from './step.tsx';
import { keyStorageSchema, TierChoice } from './tier-choice.tsx';

const messages = texts.addKey;

export interface SavedProfile {
  readonly name: string;
  readonly warning: Message | null;
}

/** Parses the states of a service; null for an empty text: the states of the contract. */
const stateMapSchema = z.string().transform((text, context) => {
  if (text.trim() === '') return null;
  const read = parseStateMap(text);
  if (read.ok) return read.value;
  context.addIssue({ code: 'custom', message: read.error });
  return z.NEVER;
});

interface KeepProfileFormProps {
  readonly result: ConnectionTest & { readonly draft: string };
  readonly profiles: Profiles;
  readonly environment: Environment;
  readonly onSaved: (saved: SavedProfile) => void;
  readonly onClose: () => void;
}

export function KeepProfileForm({ result, profiles, environment, onSaved, onClose }: KeepProfileFormProps) {
  const { intents, clock } = useServices();
  const hasKey = result.ending !== null;
  const schema = z.object({
    name: profileNameSchema(profiles.profiles.map(({ name }) => name)),
    states: stateMapSchema,
    storage: keyStorageSchema(hasKey ? profiles.vault : 'open'),
  });
  const form = useSchemaForm(schema, {
    mode: 'onChange',
    defaultValues: {
      name: result.name,
      states: '',
      storage: { tier: profiles.tiers[0]?.tier ?? 'keychain', passphrase: '' },
    },
  });
  const { control } = form;
  const { isSubmitting } = useFormState({ control });
  const tier = useWatch({ control, name: 'storage.tier' });
  const save = async ({ name, states, storage }: z.output<typeof schema>) => {
    const kept = hasKey ? storage : { tier: null, passphrase: null };
    const answer = await intents.ask('profiles.add', {
      name,
      source: { kind: 'remote', draft: result.draft, ...kept, ...(states === null ? {} : { states }) },
    });
    if (answer.ok) onSaved({ name, warning: answer.value.warning });
    return answer;
  };
  return (
    <Form form={form} onSubmit={save}>
      <Step number={3} heading={messages.keep} why={messages.keepWhy} state="on">
        {hasKey && <TierChoice profiles={profiles} />}
        <FormProblem control={control} />
        <TextField control={control} name="name" label={messages.name} maxLength={32} />
        <TextField
          control={control}
          name="states"
          label={messages.states}
          placeholder={messages.statesHint}
          maxLength={1000}
        />
        <p className="t3">{messages.statesWhy}</p>
        {hasKey && (
          <p className="t2">
            {tier === 'session'
              ? messages.sessionOnly
              : environment === 'production' && messages.remind(dayAndYear(clock.now() + KEY_ROTATION_DAYS * DAY_MS))}
          </p>
        )}
      </Step>
      <StepsFoot
        note={messages.foot}
        isReady={!isSubmitting}
        submit={isSubmitting ? messages.keeping : messages.keepAdd}
        onClose={onClose}
      />
    </Form>
  );
}

interface KeepFeedFormProps {
  readonly draft: string;
  /** A new profile is named after it. */
  readonly stem: string;
  readonly profiles: Profiles;
  readonly onSaved: (saved: SavedProfile) => void;
  readonly onClose: () => void;
}

/** The form that keeps a feed whose key was tested. */
export function KeepFeedForm({ draft, stem, profiles, onSaved, onClose }: KeepFeedFormProps) {
  const { intents } = useServices();
  const taken = profiles.profiles.map(({ name }) => name);
  const schema = z.object({ name: profileNameSchema(taken), storage: keyStorageSchema(profiles.vault) });
  const form = useSchemaForm(schema, {
    mode: 'onChange',
    defaultValues: {
      name: profileNameFrom(stem, taken),
      storage: { tier: profiles.tiers[0]?.tier ?? 'keychain', passphrase: '' },
    },
  });
  const { control } = form;
  const { isSubmitting } = useFormState({ control });
  const tier = useWatch({ control, name: 'storage.tier' });
  const save = async ({ name, storage }: z.output<typeof schema>) => {
    const answer = await intents.ask('profiles.add', { name, source: { kind: 'keyed_feed', draft, ...storage } });
    if (answer.ok) onSaved({ name, warning: answer.value.warning });
    return answer;
  };
  return (
    <Form form={form} onSubmit={save}>
      <Step number={3} heading={messages.keep} why={messages.keepWhy} state="on">
        <TierChoice profiles={profiles} />
        <FormProblem control={control} />
        <TextField control={control} name="name" label={messages.name} maxLength={32} />
        <p className="t2">
          {isSubmitting ? texts.profiles.shares.beginning : tier === 'session' && messages.sessionOnly}
        </p>
      </Step>
      <StepsFoot
        note={texts.profiles.shares.foot}
        isReady={!isSubmitting}
        submit={isSubmitting ? messages.keeping : messages.keepAdd}
        onClose={onClose}
      />
    </Form>
  );
}

/** Step 3 before the test has passed. */
export const NothingToKeep = ({ note = messages.foot, onClose }: { note?: string; onClose: () => void }) => (
  <>
    <Step number={3} heading={messages.keep} why={messages.keepWhy} state="off" />
    <StepsFoot note={note} isReady={false} submit={messages.keepAdd} onClose={onClose} />
  </>
);
