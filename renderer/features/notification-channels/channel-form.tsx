// Renderer, notification channels: the form of a channel, made of the fields that its kind declares.
import { useEffect, useId, useMemo, useState } from 'react';
import { useWatch } from 'react-hook-form';
import {
  CHANNEL_KINDS,
  type ChannelKindName,
  destinationDraft,
} from '../../../shared/settings/notification-channels/channels.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useServices } from '../../services.ts';
import { CheckField, SelectField, TextField } from '../../ui/form/fields.tsx';
import { Form, markSaved, SaveRow, type SchemaForm, showInvalid, useSchemaForm } from '../../ui/form/form.tsx';
import { readDraft } from '../../ui/form/schemas.ts';
import { type ChannelDraft, type ChannelEdit, channelIn } from './channel-draft.ts';
import { ChannelTest } from './channel-test.tsx';

const messages = texts.notificationChannels;
const KINDS = (Object.keys(CHANNEL_KINDS) as ChannelKindName[]).map((value) => ({
  value,
  label: CHANNEL_KINDS[value].name,
}));

interface ChannelFormProps {
  readonly first: ChannelDraft;
  /** Ids in use. */
  readonly taken: readonly string[];
  readonly onClose: () => void;
}

export function ChannelForm({ first, taken, onClose }: ChannelFormProps) {
  const { intents } = useServices();
  const heading = useId();
  const schema = useMemo(() => readDraft<ChannelDraft, ChannelEdit>((draft) => channelIn(draft, taken)), [taken]);
  const form = useSchemaForm(schema, { mode: 'onTouched', defaultValues: first });
  const { setFocus } = form;
  useEffect(() => setFocus(first.id === null ? 'kind' : 'name'), [first.id, setFocus]);
  const [isSecretRefused, setSecretRefused] = useState(false);
  const save = async ({ channel, secret, isForSession }: ChannelEdit) => {
    const saved = await intents.ask('channels.save', { channel });
    if (!saved.ok) return saved;
    form.setValue('id', channel.id);
    if (secret === null) return saved;
    const kept = await intents.ask('channels.secret', { id: channel.id, secret, for_session: isForSession });
    setSecretRefused(!kept.ok);
    if (kept.ok) form.setValue('secret', '');
    return kept;
  };
  const { control } = form;
  const [id, name] = useWatch({ control, name: ['id', 'name'] });
  return (
    <section className="settings-form" aria-labelledby={heading}>
      <h3 id={heading}>{id === null ? messages.adding : messages.editing(name)}</h3>
      <Form
        form={form}
        onSubmit={save}
        onAccepted={() => markSaved(form)}
        onInvalid={showInvalid(form, messages.invalidFields)}
      >
        <Fields form={form} />
        {isSecretRefused && (
          <CheckField control={control} name="isForSession">
            {messages.forSession}
          </CheckField>
        )}
        <SaveRow control={control} save={messages.save} saved={messages.saved}>
          <button type="button" className="btn line" onClick={onClose}>
            {messages.close}
          </button>
        </SaveRow>
      </Form>
      <SavedTest form={form} />
    </section>
  );
}

type DraftForm = SchemaForm<ChannelDraft, ChannelEdit>;

function Fields({ form: { control, getValues, setValue } }: { readonly form: DraftForm }) {
  const [id, kind] = useWatch({ control, name: ['id', 'kind'] });
  const { fields, secret } = CHANNEL_KINDS[kind];
  return (
    <>
      {id === null && (
        <SelectField
          control={control}
          name="kind"
          label={messages.kind}
          options={KINDS}
          onEdit={() => {
            const { texts: first, checks } = destinationDraft(getValues('kind'), null);
            setValue('texts', first);
            setValue('checks', checks);
            setValue('secret', '');
          }}
        />
      )}
      <TextField control={control} name="name" label={messages.name} placeholder={messages.nameHint} />
      {fields.map(({ name, label, type, placeholder }) =>
        type === 'check' ? (
          <CheckField key={`${kind} ${name}`} control={control} name={`checks.${name}`}>
            {label}
          </CheckField>
        ) : (
          <TextField
            key={`${kind} ${name}`}
            control={control}
            name={`texts.${name}`}
            label={label}
            placeholder={placeholder}
            {...(type === 'lines' ? { rows: 3 } : {})}
            {...(type === 'number' ? { inputMode: 'numeric' as const } : {})}
          />
        ),
      )}
      {secret !== null && (
        <>
          <TextField control={control} name="secret" label={secret.label} type="password" />
          <p className="t3">
            {secret.help} {id === null ? messages.secretNew : messages.secretKept}
          </p>
        </>
      )}
    </>
  );
}

/** A test goes through the saved channel, so it waits for the form to be saved. */
function SavedTest({ form: { control, formState } }: { readonly form: DraftForm }) {
  const [id, name] = useWatch({ control, name: ['id', 'name'] });
  return id !== null && <ChannelTest id={id} name={name} isDisabled={formState.isDirty} />;
}
