// Renderer, mutes: the fields of a silence, on the page and in a dialog: symbols, presets, start, end and reason.
import { useWatch } from 'react-hook-form';
import { z } from 'zod';
import { shortTimestamp, type Zone, zoneName } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import { formatField, parseTimestamp, TIMESTAMP_FORMAT } from '../../../shared/text/timestamp-field.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import { useWorldMinute } from '../../store/connection-status.ts';
import { TextField } from '../../ui/form/fields.tsx';
import { type SchemaForm, useSchemaForm } from '../../ui/form/form.tsx';
import { optionalSymbols, readOptional, readText, symbolsIn } from '../../ui/form/schemas.ts';
import type { SilenceText } from './silence-draft.ts';
import { useAddSilence, useSilenceChoices, useSilenceCoverage } from './use-silence.ts';

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

type Silence = z.output<ReturnType<typeof silenceSchema>>;
type SilenceFieldsForm = SchemaForm<SilenceText, Silence>;

/** @param zone in which its times are typed */
export function useSilenceForm(zone: Zone, defaultValues: SilenceText): SilenceFieldsForm {
  const now = useWorldMinute();
  return useSchemaForm<SilenceText, Silence>(silenceSchema(zone, now), { defaultValues });
}

/** Adds a silence as typed; the answer is the core's. */
export function useAddTypedSilence(zone: Zone) {
  const add = useAddSilence();
  const now = useWorldMinute();
  return ({ symbols, from, until, comment }: Silence) =>
    add(
      { symbols, from: from === null ? null : timestamp(from), until: timestamp(until), comment },
      texts.rules.silence.done(
        symbols?.join(', ') ?? texts.rules.silence.every,
        shortTimestamp(until, zone, now),
        from === null ? null : shortTimestamp(from, zone, now),
      ),
    );
}

export function SilenceFields({ form: { control, setValue }, zone }: { form: SilenceFieldsForm; zone: Zone }) {
  const { good } = symbolsIn(useWatch({ control, name: 'symbols' }));
  const covered = good.length === 0 ? null : good;
  const covers = useSilenceCoverage(covered);
  const choices = useSilenceChoices(covered, '');
  return (
    <>
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
            onClick={() => setValue('until', formatField(at, zone).replace('T', ' '), { shouldValidate: true })}
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
    </>
  );
}
