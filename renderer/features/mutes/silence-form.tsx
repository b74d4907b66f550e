// Renderer, mutes: the form of the page that adds a silence.
// Its text outlives a visit to another page.
import { useEffect } from 'react';
import { texts } from '../../../shared/text/texts.ts';
import { usePreference } from '../../store/preferences.ts';
import { Form, SaveRow } from '../../ui/form/form.tsx';
import { EMPTY_SILENCE, useSilenceDraft, writeSilence } from './silence-draft.ts';
import { SilenceFields, useSaveTypedSilence, useSilenceForm } from './silence-fields.tsx';

const { mutes: messages } = texts.rules;

export function SilenceForm() {
  const present = usePreference((preference) => preference.zone);
  const { zone: typedIn, ...draft } = useSilenceDraft();
  const zone = typedIn ?? present;
  const form = useSilenceForm(zone, draft);
  const save = useSaveTypedSilence(zone, null);
  const { control, subscribe } = form;
  useEffect(
    () =>
      subscribe({
        formState: { values: true },
        callback: ({ values }) =>
          writeSilence({ ...values, zone: `${values.from}${values.until}`.trim() === '' ? null : zone }),
      }),
    [subscribe, zone],
  );
  return (
    <Form
      form={form}
      className="al-form"
      label={messages.add}
      onSubmit={save}
      onAccepted={() => form.reset(EMPTY_SILENCE)}
    >
      <h2>{messages.add}</h2>
      <SilenceFields form={form} zone={zone} />
      <SaveRow control={control} save={messages.save} saved={messages.saved} />
    </Form>
  );
}
