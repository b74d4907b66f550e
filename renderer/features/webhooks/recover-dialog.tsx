// Renderer, webhooks: the dialog that requests deliveries of a range of time again.
import { useState } from 'react';
import { z } from 'zod';
import { count, type Zone, zoneName } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import { formatField, parseTimestamp, TIMESTAMP_FORMAT } from '../../../shared/text/timestamp-field.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import { useServices } from '../../services.ts';
import { useWorldNow } from '../../store/connection-status.ts';
import { usePreference } from '../../store/preferences.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/form/fields.tsx';
import { DialogActions, Form, useSchemaForm } from '../../ui/form/form.tsx';
import { readOptional, readText } from '../../ui/form/schemas.ts';

const HOUR = 3_600_000;

interface RecoverDialogProps {
  readonly subscription: string;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

const rangeSchema = (zone: Zone) => {
  const { invalidTimestamp, order } = texts.webhooks.recover;
  const read = (text: string) => parseTimestamp(text, zone);
  return z
    .object({ from: readText(read, invalidTimestamp), to: readOptional(read, invalidTimestamp) })
    .refine(({ from, to }) => to === null || to >= from, { path: ['to'], message: order });
};

export function RecoverDialog({ subscription, onDone, onClose }: RecoverDialogProps) {
  const { intents } = useServices();
  const worldNow = useWorldNow();
  // The zone at opening: a change of preferences must not change the meaning of the typed time.
  const [zone] = useState(usePreference((preference) => preference.zone));
  const [result, setResult] = useState('');
  const form = useSchemaForm(rangeSchema(zone), {
    defaultValues: { from: formatField(worldNow - HOUR, zone).replace('T', ' '), to: '' },
  });
  const { control } = form;
  const recover = async ({ from, to }: z.output<ReturnType<typeof rangeSchema>>) => {
    setResult('');
    const answer = await intents.ask('deliveries.recover', {
      subscription,
      from: timestamp(from),
      to: to === null ? null : timestamp(to),
    });
    if (answer.ok) {
      setResult(texts.webhooks.recover.done(count(answer.value.queued), answer.value.more));
      onDone();
    }
    return answer;
  };
  return (
    <Dialog heading={texts.webhooks.recover.heading} className="hook-dialog" onClose={onClose}>
      <Form form={form} onSubmit={recover} refusalAt="to">
        <p className="t2 hook-note">{texts.webhooks.recover.text}</p>
        <TextField
          control={control}
          name="from"
          label={texts.webhooks.recover.from(zoneName(zone))}
          placeholder={TIMESTAMP_FORMAT}
        />
        <TextField
          control={control}
          name="to"
          label={texts.webhooks.recover.to(zoneName(zone))}
          placeholder={TIMESTAMP_FORMAT}
        />
        <DialogActions
          cancel={result === '' ? texts.webhooks.cancel : texts.webhooks.close}
          submit={texts.webhooks.recover.go}
          onClose={onClose}
        >
          <output className="grow t2">{result}</output>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
