// Renderer: the dialog of a note in the chart: its text, and the time of a note on the symbol.
import { useRef, useState } from 'react';
import { z } from 'zod';
import { LONGEST_COMMENT } from '../../../shared/channels/alerting.ts';
import { type Zone, zoneName } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import { formatField, parseTimestamp, TIMESTAMP_FORMAT } from '../../../shared/text/timestamp-field.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import type { ChartNote } from '../../charts/model.ts';
import { useServices } from '../../services.ts';
import { noteAct } from '../../store/act-note.ts';
import { usePreference } from '../../store/preferences.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/form/fields.tsx';
import { DialogActions, Form, FormProblem, useSchemaForm } from '../../ui/form/form.tsx';
import { checkText, readText } from '../../ui/form/schemas.ts';

const messages = texts.chart.notes;

/** A note that exists, or the instant of a new one, world time, ms. */
export type NoteSubject = ChartNote | { readonly kind: 'new'; readonly at: number };

const noteSchema = (zone: Zone) =>
  z.object({
    at: readText((text) => parseTimestamp(text, zone), messages.atWrong),
    text: checkText((text) =>
      text === '' ? messages.textMissing : text.length > LONGEST_COMMENT ? messages.textLong : null,
    ),
  });

interface NoteDialogProps {
  readonly symbol: string;
  readonly subject: NoteSubject;
  readonly onClose: () => void;
}

export function NoteDialog({ symbol, subject, onClose }: NoteDialogProps) {
  // The zone at opening: a change of preferences must not change the meaning of the typed time.
  const [zone] = useState(usePreference((preference) => preference.zone));
  const { intents } = useServices();
  const first = useRef(formatField(subject.at, zone).replace('T', ' '));
  const form = useSchemaForm(noteSchema(zone), {
    defaultValues: { at: first.current, text: subject.kind === 'new' ? '' : subject.text },
  });
  const { control, getValues } = form;
  const save = ({ at, text }: { readonly at: number; readonly text: string }) => {
    if (subject.kind === 'alert') return intents.ask('alerts.note', { ledger_id: subject.ledgerId, note: text });
    // A time that was not edited keeps its seconds.
    const instant = getValues('at') === first.current ? subject.at : at;
    const id = subject.kind === 'symbol' ? subject.id : null;
    return intents.ask('notes.save', { id, symbol, at: timestamp(instant), text });
  };
  const remove = async (): Promise<void> => {
    if (subject.kind === 'new') return;
    const { text } = subject;
    const removed =
      subject.kind === 'alert'
        ? await intents.ask('alerts.note', { ledger_id: subject.ledgerId, note: '' })
        : await intents.ask('notes.remove', { id: subject.id });
    if (!removed.ok) return form.setError('root', { type: 'refused', message: removed.error });
    onClose();
    noteAct(messages.removed, async () => {
      const undone =
        subject.kind === 'alert'
          ? await intents.ask('alerts.note', { ledger_id: subject.ledgerId, note: text })
          : await intents.ask('notes.save', { id: null, symbol, at: timestamp(subject.at), text });
      noteAct(undone.ok ? texts.alerts.acts.done.undone : undone.error);
    });
  };
  return (
    <Dialog heading={subject.kind === 'new' ? messages.addTitle(symbol) : messages.editTitle(symbol)} onClose={onClose}>
      <Form form={form} onSubmit={save} onAccepted={onClose}>
        {subject.kind === 'alert' ? (
          <p className="t2">{messages.ofAlert(first.current)}</p>
        ) : (
          <TextField control={control} name="at" label={messages.at(zoneName(zone))} placeholder={TIMESTAMP_FORMAT} />
        )}
        <TextField control={control} name="text" label={messages.text} rows={3} autoFocus />
        <FormProblem control={control} />
        <DialogActions cancel={texts.lists.cancel} submit={messages.save} onClose={onClose}>
          {subject.kind !== 'new' && (
            <button type="button" className="btn line" onClick={() => void remove()}>
              {messages.remove}
            </button>
          )}
        </DialogActions>
      </Form>
    </Dialog>
  );
}
