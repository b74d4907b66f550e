// Renderer, mutes: the form of the quiet hours, by a market's calendar or by times of day.
import { useWatch } from 'react-hook-form';
import { err, ok } from '../../../shared/lib/result.ts';
import { type QuietHours, QuietHoursSchema } from '../../../shared/settings/alert-rules.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useServices } from '../../services.ts';
import { SegmentedField } from '../../ui/form/fields.tsx';
import { Form, KEEP_EDITS, markSaved, SaveRow, useSchemaForm } from '../../ui/form/form.tsx';
import { readDraft } from '../../ui/form/schemas.ts';
import { HOURS_AT_FIRST, type HoursDraft, HoursFields, hoursDraft, hoursOf } from '../alert-rules/index.ts';

const messages = texts.mutes;
const { editor } = texts.rules;

interface QuietHoursDraft {
  readonly when: 'none' | QuietHours['when'];
  readonly hours: HoursDraft;
}

const draftOf = (quiet: QuietHours | null): QuietHoursDraft =>
  quiet === null
    ? { when: 'none', hours: { ...HOURS_AT_FIRST, kind: 'session' } }
    : { when: quiet.when, hours: hoursDraft(quiet.hours) };

const quietSchema = readDraft<QuietHoursDraft, QuietHours | null>(({ when, hours }) => {
  if (when === 'none') return ok(null);
  const made = hoursOf(hours);
  if (!made.ok) return made;
  const quiet = QuietHoursSchema.safeParse({ when, hours: made.value });
  return quiet.success ? ok(quiet.data) : err({ root: quiet.error.issues[0]?.message ?? '' });
});

export function QuietHoursForm({ quiet, isQuiet }: { quiet: QuietHours | null; isQuiet: boolean }) {
  const { intents } = useServices();
  const form = useSchemaForm(quietSchema, { values: draftOf(quiet), resetOptions: KEEP_EDITS });
  const { control } = form;
  const when = useWatch({ control, name: 'when' });
  const save = (chosen: QuietHours | null) => intents.ask('quiet.save', { quiet: chosen });
  return (
    <Form form={form} className="al-form" label={messages.quiet} onSubmit={save} onAccepted={() => markSaved(form)}>
      <h2>{messages.quiet}</h2>
      <p className="t2">{messages.quietIntro}</p>
      {quiet !== null && <p className={isQuiet ? 'md' : 't2'}>{isQuiet ? messages.quietOn : messages.quietOff}.</p>}
      <SegmentedField
        control={control}
        name="when"
        label={messages.quiet}
        isSpoken
        options={(['none', 'inside', 'outside'] as const).map((value) => ({
          value,
          label: messages.quietKinds[value],
        }))}
      />
      {when !== 'none' && (
        <>
          <SegmentedField
            control={control}
            name="hours.kind"
            label={editor.hours}
            isSpoken
            options={(['session', 'daily'] as const).map((value) => ({ value, label: editor.hourKinds[value] }))}
          />
          <HoursFields />
        </>
      )}
      <SaveRow control={control} save={messages.quietSave} saved={messages.quietSaved} buttonClass="btn" />
    </Form>
  );
}
