// Renderer, settings: the forms of a key: replace it, move it, unlock its vault.
import { useRef } from 'react';
import { useFormState } from 'react-hook-form';
import { z } from 'zod';
import { type KeyState, PassphraseSchema } from '../../../shared/channels/keys.ts';
import type { Profiles } from '../../../shared/channels/profiles.ts';
import { type MessageCode, textOf } from '../../../shared/text/message.ts';
import { texts } from '../../../shared/text/texts.ts';
import type { Environment } from '../../../shared/wire/keys.ts';
import { useServices } from '../../services.ts';
import { TextField } from '../../ui/form/fields.tsx';
import { Form, FormProblem, useSchemaForm } from '../../ui/form/form.tsx';
import { KeyField, keySchema, keyStorageSchema, TierChoice } from '../profiles/index.ts';

const messages = texts.settings.keys;

interface KeyFormProps {
  readonly state: KeyState;
  readonly profiles: Profiles;
  readonly onDone: (result: string) => void;
}

/** The channels accept no null. */
const storageInput = ({ tier, passphrase }: z.output<ReturnType<typeof keyStorageSchema>>) =>
  passphrase === null ? { tier } : { tier, passphrase };

/** The refusal that the user may override. */
const UNTRIED: MessageCode = 'key.untried_unchanged';

export function ChangeKey({ state, profiles, environment, onDone }: KeyFormProps & { environment: Environment }) {
  const { intents } = useServices();
  const schema = z.object({ key: keySchema(environment), storage: keyStorageSchema(profiles.vault) });
  const form = useSchemaForm(schema, { defaultValues: { key: '', storage: { tier: state.tier, passphrase: '' } } });
  const { errors, isSubmitting } = useFormState({ control: form.control });
  const hadKey = state.ending !== null;
  /** Set by the last button: the key is saved without asking the service. */
  const isUntried = useRef(false);
  const save = async ({ key, storage }: z.output<typeof schema>) => {
    // The old key stays unless the service accepts the new one now.
    const accepted = hadKey && !isUntried.current;
    const answer = await intents.ask('key.set', { key, accepted, ...storageInput(storage) });
    if (answer.ok) onDone(messages.saved(answer.value.ending ?? '', textOf(answer.value.tier_label)));
    return answer;
  };
  const choose = (untried: boolean) => () => {
    isUntried.current = untried;
  };
  return (
    <Form form={form} className="settings-form" onSubmit={save} refusalAt="key">
      <p className="t2">{hadKey ? messages.replaceWhy : messages.addWhy}</p>
      <KeyField environment={environment} />
      <TierChoice profiles={profiles} />
      <div className="form-row">
        <button type="submit" className="btn primary" aria-disabled={isSubmitting} onClick={choose(false)}>
          {isSubmitting ? messages.saving : messages.save}
        </button>
        {errors.key?.type === UNTRIED && (
          <button type="submit" className="btn" onClick={choose(true)}>
            {messages.anyway}
          </button>
        )}
      </div>
    </Form>
  );
}

export function MoveKey({ state, profiles, onDone }: KeyFormProps) {
  const { intents } = useServices();
  const schema = z.object({ storage: keyStorageSchema(profiles.vault) });
  const form = useSchemaForm(schema, { defaultValues: { storage: { tier: state.tier, passphrase: '' } } });
  const move = async ({ storage }: z.output<typeof schema>) => {
    const answer = await intents.ask('key.move', storageInput(storage));
    if (answer.ok) onDone(messages.moved(textOf(answer.value.tier_label)));
    return answer;
  };
  return (
    <Form form={form} className="settings-form" onSubmit={move}>
      <TierChoice profiles={profiles} />
      <FormProblem control={form.control} />
      <div className="form-row">
        <button type="submit" className="btn primary">
          {messages.moveAct}
        </button>
      </div>
    </Form>
  );
}

const vaultSchema = z.object({
  passphrase: z.string().refine((text) => PassphraseSchema.safeParse(text).success, texts.addKey.passphraseShort),
});

export function OpenVault({ onDone }: Pick<KeyFormProps, 'onDone'>) {
  const { intents } = useServices();
  const form = useSchemaForm(vaultSchema, { defaultValues: { passphrase: '' } });
  const unlock = async (input: z.output<typeof vaultSchema>) => {
    const answer = await intents.ask('key.unlock', input);
    if (answer.ok) onDone(messages.unlocked);
    return answer;
  };
  return (
    <Form form={form} className="settings-form" onSubmit={unlock} refusalAt="passphrase">
      <TextField
        control={form.control}
        name="passphrase"
        label={texts.addKey.passphrase}
        type="password"
        maxLength={1024}
      />
      <div className="form-row">
        <button type="submit" className="btn primary">
          {messages.unlockAct}
        </button>
      </div>
    </Form>
  );
}
