// Renderer, webhooks: the dialog that adds a target, then shows its secret once.
import { useState } from 'react';
import { z } from 'zod';
import { STATES } from '../../../shared/domain/states.ts';
import { texts } from '../../../shared/text/texts.ts';
import { EVENT_NAMES } from '../../../shared/wire/events.ts';
import { useServices } from '../../services.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { CheckField, TextField } from '../../ui/form/fields.tsx';
import { DialogActions, Form, useSchemaForm } from '../../ui/form/form.tsx';
import { addressSchema, withoutField } from './address.ts';
import { EventChecks, StateChecks, SymbolsField } from './filter-fields.tsx';
import { eventsSchema, statesSchema, symbolsSchema } from './filter-schemas.ts';
import { SecretOnce } from './secret-once.tsx';

interface TargetDialogProps {
  readonly onAdded: (id: string) => void;
  readonly onClose: () => void;
}

const targetSchema = z.object({
  url: addressSchema('http://127.0.0.1:8099/hook'),
  filter: z.object({ events: eventsSchema, states: statesSchema, symbols: symbolsSchema }),
  secret: z.string().transform((text) => (text === '' ? null : text)),
  allow_public: z.boolean(),
});

export function TargetDialog({ onAdded, onClose }: TargetDialogProps) {
  const { intents } = useServices();
  const [made, setMade] = useState<{ readonly id: string; readonly secret: string } | null>(null);
  const form = useSchemaForm(targetSchema, {
    defaultValues: {
      url: 'http://127.0.0.1:',
      filter: { events: EVENT_NAMES, states: STATES, symbols: '' },
      secret: '',
      allow_public: false,
    },
  });
  const { control } = form;
  const add = async (target: z.output<typeof targetSchema>) => {
    const answer = await intents.ask('relay.target.add', target);
    if (!answer.ok) return withoutField(answer.error);
    setMade(answer.value);
    return answer;
  };
  if (made !== null)
    return (
      <SecretOnce
        heading={texts.webhooks.targets.secretHeading}
        secret={made.secret}
        onClose={() => {
          onAdded(made.id);
          onClose();
        }}
      />
    );
  return (
    <Dialog heading={texts.webhooks.targets.addHeading} className="hook-dialog" onClose={onClose}>
      <Form form={form} onSubmit={add} refusalAt="url">
        <TextField control={control} name="url" label={texts.webhooks.targets.addressLabel} />
        <EventChecks control={control} name="filter.events" />
        <StateChecks control={control} name="filter.states" />
        <SymbolsField control={control} name="filter.symbols" />
        <TextField control={control} name="secret" label={texts.webhooks.targets.secretLabel} type="password" />
        <CheckField control={control} name="allow_public">
          {texts.webhooks.targets.publicLabel}
        </CheckField>
        <DialogActions cancel={texts.webhooks.cancel} submit={texts.webhooks.targets.add} onClose={onClose} />
      </Form>
    </Dialog>
  );
}
