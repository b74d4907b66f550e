// Renderer, webhooks: the forms of the relay: public address, and a signing secret typed by hand.
import { z } from 'zod';
import type { RelayView } from '../../../shared/channels/relay.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useServices } from '../../services.ts';
import { TextField } from '../../ui/form/fields.tsx';
import { Form, FormStatus, useSchemaForm } from '../../ui/form/form.tsx';
import { optionalText } from '../../ui/form/schemas.ts';

const messages = texts.webhooks.relay;
const publicAddressSchema = z.object({ url: optionalText() });
const secretSchema = z.object({ secret: z.string() });

export function PublicAddressForm({ relay }: { relay: RelayView }) {
  const { intents } = useServices();
  const form = useSchemaForm(publicAddressSchema, { defaultValues: { url: relay.public_url ?? '' } });
  const { control } = form;
  const save = async ({ url }: z.output<typeof publicAddressSchema>) => {
    const answer = await intents.ask('relay.public_url', { url });
    if (answer.ok) form.reset({ url: url ?? '' });
    return answer;
  };
  return (
    <Form form={form} className="inline-form" onSubmit={save} refusalAt="url">
      <p className="t2">{messages.publicWhy}</p>
      <TextField control={control} name="url" label={messages.public} placeholder="https://" />
      <div className="row">
        <button type="submit" className="btn line">
          {messages.publicSave}
        </button>
        {relay.public_url !== null && (
          <button type="submit" className="btn quiet" onClick={() => form.setValue('url', '', { shouldDirty: true })}>
            {messages.publicClear}
          </button>
        )}
        <FormStatus control={control} saved={relay.public_url === null ? '' : messages.saved} />
      </div>
    </Form>
  );
}

export function SecretForm() {
  const { intents } = useServices();
  const form = useSchemaForm(secretSchema, { defaultValues: { secret: '' } });
  const { control } = form;
  return (
    <Form
      form={form}
      className="inline-form"
      onSubmit={(values) => intents.ask('relay.secret', values)}
      onAccepted={form.reset}
      refusalAt="secret"
    >
      <p className="t2">{messages.giveWhy}</p>
      <TextField control={control} name="secret" label={messages.give} type="password" />
      <div className="row">
        <button type="submit" className="btn line">
          {messages.giveSave}
        </button>
        <FormStatus control={control} saved={messages.given} />
      </div>
    </Form>
  );
}
