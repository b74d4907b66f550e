// Renderer, mutes: the form that adds a silence: symbols, start, end and reason.
import { useEffect } from 'react';
import { useWatch } from 'react-hook-form';
import { z } from 'zod';
import { type Zone, zoneName } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import { formatField, parseTimestamp, TIMESTAMP_FORMAT } from '../../../shared/text/timestamp-field.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import { useServices } from '../../services.ts';
import { useWorldMinute } from '../../store/connection-status.ts';
import { usePreference } from '../../store/preferences.ts';
import { TextField } from '../../ui/form/fields.tsx';
import { Form, FormStatus, useSchemaForm } from '../../ui/form/form.tsx';
import { optionalSymbols, readOptional, readText, symbolsIn } from '../../ui/form/schemas.ts';
import { EMPTY_SILENCE, useSilenceDraft, writeSilence } from './silence-draft.ts';
import { useSilenceChoices, useSilenceCoverage } from './use-silence.ts';

const { mutes: messages, problems } = texts.rules;

const silenceSchema = (zone: Zone, now: number) => {
  const read = (text: string) => parseTimestamp(text, zone);
  return z
    .object({
      symbols: optionalSymbols(problems.symbols),
      from: readOptional(read, problems.from),
      until: readText(read, problems.until).refine((until) => until > now, problems.untilPast),
      comment: z.string().trim().max(500, problems.comment),
    })
    .refine(({ from, until }) => from === null || until > from, { path: ['until'], message: problems.untilFirst });
};

export function SilenceForm() {
  const { intents } = useServices();
  const present = usePreference((preference) => preference.zone);
  const now = useWorldMinute();
  const { zone: typedIn, ...draft } = useSilenceDraft();
  const zone = typedIn ?? present;
  const form = useSchemaForm(silenceSchema(zone, now), { defaultValues: draft });
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
  const { good } = symbolsIn(useWatch({ control, name: 'symbols' }));
  const covered = good.length === 0 ? null : good;
  const covers = useSilenceCoverage(covered);
  const choices = useSilenceChoices(covered, '');
  const add = async ({ symbols, from, until, comment }: z.output<ReturnType<typeof silenceSchema>>) => {
    const answer = await intents.ask('silences.add', {
      symbols,
      from: from === null ? null : timestamp(from),
      until: timestamp(until),
      comment,
    });
    if (answer.ok) form.reset(EMPTY_SILENCE);
    return answer;
  };
  return (
    <Form form={form} className="al-form" label={messages.add} onSubmit={add}>
      <h2>{messages.add}</h2>
      <TextField control={control} name="symbols" label={messages.symbols} />
      <p className="t2" aria-live="polite">
        {covers}
      </p>
      <div className="row al-presets">
        {choices.map(({ end, at, name, until }) => (
          <button
            key={end}
            type="button"
            className="btn line"
            onClick={() => form.setValue('until', formatField(at, zone).replace('T', ' '), { shouldValidate: true })}
          >
            {name} <span className="t3">{until}</span>
          </button>
        ))}
      </div>
      <div className="al-fields">
        <TextField control={control} name="from" label={messages.from(zoneName(zone))} placeholder={TIMESTAMP_FORMAT} />
        <TextField
          control={control}
          name="until"
          label={messages.until(zoneName(zone))}
          placeholder={TIMESTAMP_FORMAT}
        />
      </div>
      <TextField control={control} name="comment" label={messages.comment} />
      <div className="row">
        <button type="submit" className="btn primary">
          {messages.save}
        </button>
        <FormStatus control={control} saved={messages.saved} />
      </div>
    </Form>
  );
}
