// Renderer, webhooks: the public address of the relay, and the buttons that show its secret addresses.
import { useState } from 'react';
import { z } from 'zod';
import type { RelayView } from '../../../shared/channels/relay.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useServices } from '../../services.ts';
import { TextField } from '../../ui/form/fields.tsx';
import { Form, FormStatus, useSchemaForm } from '../../ui/form/form.tsx';
import { optionalText } from '../../ui/form/schemas.ts';
import { SecretOnce } from './secret-once.tsx';

const messages = texts.webhooks.relay;
const publicAddressSchema = z.object({ url: optionalText() });

export function PublicAddressForm({ relay, why }: { readonly relay: RelayView; readonly why: string }) {
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
      <p className="t2">{why}</p>
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

interface RevealAddressProps {
  readonly channel: 'relay.reveal' | 'relay.inbound.reveal';
  readonly label: string;
  readonly onSaid: (message: string) => void;
}

/** The button that reveals a secret address. */
export function RevealAddress({ channel, label, onSaid }: RevealAddressProps) {
  const { queries } = useServices();
  const [url, setUrl] = useState<string | null>(null);
  const show = async (): Promise<void> => {
    const answer = await queries.once(channel, {});
    const found = answer.ok ? answer.value.url : null;
    if (found === null) onSaid(answer.ok ? texts.webhooks.secret.noAddress : answer.error);
    setUrl(found);
  };
  return (
    <>
      <button type="button" className="link" onClick={() => void show()}>
        {label}
      </button>
      {url !== null && (
        <SecretOnce
          heading={texts.webhooks.secret.addressHeading}
          note={channel === 'relay.reveal' ? texts.webhooks.secret.addressOnce : texts.webhooks.inbound.addressNote}
          label={texts.webhooks.secret.addressLabel}
          secret={url}
          isLasting
          onClose={() => setUrl(null)}
        />
      )}
    </>
  );
}
