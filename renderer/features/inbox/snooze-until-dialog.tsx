// Renderer, inbox: the dialog that asks until when to snooze alerts.
import { useState } from 'react';
import { z } from 'zod';
import { LONGEST_SNOOZE } from '../../../shared/channels/alerting.ts';
import { type Zone, zoneName } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import { formatField, parseTimestamp, TIMESTAMP_FORMAT } from '../../../shared/text/timestamp-field.ts';
import { usePreference } from '../../store/preferences.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/form/fields.tsx';
import { DialogActions, Form, useSchemaForm } from '../../ui/form/form.tsx';
import { readText } from '../../ui/form/schemas.ts';

const messages = texts.alerts.snooze;
const MINUTE = 60_000;

interface SnoozeUntilDialogProps {
  readonly names: string;
  /** World time, ms. */
  readonly now: number;
  readonly onClose: () => void;
  /** World time, ms. */
  readonly onAnswer: (until: number) => void;
}

const untilSchema = (zone: Zone, now: number) =>
  z.object({
    until: readText((text) => parseTimestamp(text, zone), messages.timeWrong)
      .refine((until) => until > now, { error: messages.timePast, abort: true })
      .refine((until) => until <= now + LONGEST_SNOOZE, messages.timeFar),
  });

export function SnoozeUntilDialog({ names, now, onClose, onAnswer }: SnoozeUntilDialogProps) {
  // The zone at opening: a change of preferences must not change the meaning of the typed time.
  const [zone] = useState(usePreference((preference) => preference.zone));
  const form = useSchemaForm(untilSchema(zone, now), {
    defaultValues: { until: formatField(now + 120 * MINUTE, zone).replace('T', ' ') },
  });
  return (
    <Dialog heading={messages.title(names)} onClose={onClose}>
      <Form
        form={form}
        onSubmit={({ until }) => {
          onAnswer(until);
        }}
      >
        <TextField
          control={form.control}
          name="until"
          label={messages.timeLabel(zoneName(zone))}
          placeholder={TIMESTAMP_FORMAT}
        />
        <DialogActions cancel={messages.cancel} submit={messages.save} onClose={onClose} />
      </Form>
    </Dialog>
  );
}
