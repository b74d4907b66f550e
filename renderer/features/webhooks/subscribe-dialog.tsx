// Renderer, webhooks: the dialog that subscribes an address, then shows the signing secret once.
import { useState } from 'react';
import { z } from 'zod';
import { err } from '../../../shared/lib/result.ts';
import { texts } from '../../../shared/text/texts.ts';
import { EVENT_NAMES } from '../../../shared/wire/events.ts';
import { useServices } from '../../services.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/form/fields.tsx';
import { DialogActions, Form, useSchemaForm } from '../../ui/form/form.tsx';
import { addressSchema, withoutField } from './address.ts';
import { EventChecks, eventsSchema, SymbolsField, symbolsSchema } from './filter-fields.tsx';
import { SecretOnce } from './secret-once.tsx';

interface SubscribeDialogProps {
  readonly onMade: (id: string) => void;
  readonly onClose: () => void;
}

const subscriptionSchema = z.object({
  url: addressSchema('https://hooks.example.com/risk'),
  events: eventsSchema,
  symbols: symbolsSchema,
});

export function SubscribeDialog({ onMade, onClose }: SubscribeDialogProps) {
  const { intents } = useServices();
  const [made, setMade] = useState<{ readonly secret: string | null } | null>(null);
  const form = useSchemaForm(subscriptionSchema, {
    defaultValues: { url: 'https://', events: EVENT_NAMES, symbols: '' },
  });
  const { control } = form;
  const subscribe = async (subscription: z.output<typeof subscriptionSchema>) => {
    const answer = await intents.ask('subscriptions.add', subscription);
    if (!answer.ok) return withoutField(answer.error);
    onMade(answer.value.id);
    setMade(answer.value);
    return answer.value.secret === null ? err(texts.webhooks.subscription.known) : answer;
  };
  if (made?.secret != null)
    return <SecretOnce heading={texts.webhooks.subscription.secretHeading} secret={made.secret} onClose={onClose} />;
  return (
    <Dialog heading={texts.webhooks.subscription.subscribeHeading} className="hook-dialog" onClose={onClose}>
      <Form form={form} onSubmit={subscribe} refusalAt="url">
        <TextField control={control} name="url" label={texts.webhooks.subscription.addressLabel} />
        <EventChecks control={control} name="events" />
        <SymbolsField control={control} name="symbols" />
        <DialogActions
          cancel={made === null ? texts.webhooks.cancel : texts.webhooks.close}
          submit={texts.webhooks.subscribe}
          isDisabled={made !== null}
          onClose={onClose}
        />
      </Form>
    </Dialog>
  );
}
