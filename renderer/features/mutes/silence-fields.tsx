// Renderer, mutes: the fields of a silence: conditions, presets, start, end and reason.
// The page and the dialogs use them.
import { useMemo } from 'react';
import { useFieldArray, useFormContext, useWatch } from 'react-hook-form';
import { z } from 'zod';
import { LONGEST_COMMENT } from '../../../shared/channels/alerting.ts';
import { ASSET_CLASSES } from '../../../shared/domain/instruments.ts';
import {
  MATCHER_NAMES,
  type Matcher,
  type MatcherName,
  OPERATORS,
  sectionKey,
} from '../../../shared/domain/matchers.ts';
import { STATES, stateLabel } from '../../../shared/domain/states.ts';
import { shortTimestamp, type Zone, zoneName } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import { formatField, parseTimestamp, TIMESTAMP_FORMAT } from '../../../shared/text/timestamp-field.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import type { Mute } from '../../store/alert-outcome.ts';
import { useWorldMinute } from '../../store/connection-status.ts';
import { useSnapshot } from '../../store/store.ts';
import { ChecksField, SelectField, TextField } from '../../ui/form/fields.tsx';
import { type SchemaForm, useSchemaForm } from '../../ui/form/form.tsx';
import { readDraft, readOptional, readText } from '../../ui/form/schemas.ts';
import { Glyph } from '../../ui/glyph.tsx';
import { IconButton } from '../../ui/icon.tsx';
import {
  EMPTY_MATCHER,
  type MatcherText,
  matcherTexts,
  readableMatchers,
  readMatchers,
  type SilenceText,
} from './silence-draft.ts';
import {
  useAddSilence,
  useCoverage,
  useEditSilence,
  useMatchersText,
  useSilenceChoices,
  useSilenceCoverage,
} from './use-silence.ts';

const messages = texts.mutes;
const { editor, problems } = texts.rules;
const silenceTexts = texts.silences;

const silenceSchema = (zone: Zone, now: number) => {
  const read = (text: string) => parseTimestamp(text, zone);
  return z
    .object({
      matchers: readDraft<readonly MatcherText[], Matcher[]>(readMatchers),
      from: readOptional(read, problems.from),
      until: readText(read, problems.until).refine((until) => until > now, problems.untilPast),
      comment: z.string().trim().max(LONGEST_COMMENT, problems.comment),
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

/** A silence that is edited, as the form shows it. */
export const silenceText = ({ matchers, from, until_at, comment }: Mute, zone: Zone, now: number): SilenceText => {
  const at = (iso: string): string => formatField(Date.parse(iso), zone).replace('T', ' ');
  return {
    matchers: matcherTexts(matchers),
    from: Date.parse(from) > now ? at(from) : '',
    until: until_at === null ? '' : at(until_at),
    comment,
  };
};

/** Adds a silence as typed, or changes the edited one; returns the core's answer. */
export function useSaveTypedSilence(zone: Zone, edited: Mute | null) {
  const add = useAddSilence();
  const edit = useEditSilence();
  const text = useMatchersText();
  const now = useWorldMinute();
  return ({ matchers, from, until, comment }: Silence) => {
    const silence = { matchers, from: from === null ? null : timestamp(from), until: timestamp(until), comment };
    if (edited !== null) return edit(edited, silence, silenceTexts.edited(text(matchers)));
    const what = matchers.length === 0 ? silenceTexts.every : text(matchers);
    const begins = from === null ? null : shortTimestamp(from, zone, now);
    return add(silence, silenceTexts.done(what, shortTimestamp(until, zone, now), begins));
  };
}

export function SilenceFields({ form: { control, setValue }, zone }: { form: SilenceFieldsForm; zone: Zone }) {
  const drafts = useWatch({ control, name: 'matchers' });
  const matchers = useMemo(() => readableMatchers(drafts), [drafts]);
  const covers = useSilenceCoverage(matchers);
  const choices = useSilenceChoices(matchers, '');
  return (
    <>
      <MatcherFields />
      <p className="t2" aria-live="polite">
        {covers}
      </p>
      <Preview matchers={matchers} zone={zone} />
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

const MAX_SHOWN = 5;

/** The alerts that the silence covers now; draws nothing where there are none. */
function Preview({ matchers, zone }: { readonly matchers: readonly Matcher[]; readonly zone: Zone }) {
  const { alerts } = useCoverage(matchers);
  const now = useWorldMinute();
  if (alerts.length === 0) return null;
  return (
    <ul className="al-preview" aria-label={silenceTexts.preview}>
      {alerts.slice(0, MAX_SHOWN).map(({ symbol, state, since }) => (
        <li key={symbol}>
          <Glyph name={state} size={11} />
          <b className="md">{symbol}</b>
          <span className="t2">
            {since === null
              ? stateLabel(state)
              : silenceTexts.previewSince(stateLabel(state), shortTimestamp(Date.parse(since), zone, now))}
          </span>
        </li>
      ))}
      {alerts.length > MAX_SHOWN && <li className="t2">{silenceTexts.previewMore(alerts.length - MAX_SHOWN)}</li>}
    </ul>
  );
}

const MOST = 5;

/** The conditions of a silence: label, comparison and values, one row each. */
function MatcherFields() {
  const { control } = useFormContext<SilenceText>();
  const { fields, append, remove } = useFieldArray({ control, name: 'matchers' });
  return (
    <fieldset className="al-matchers">
      <legend>{messages.matchers}</legend>
      {fields.length === 0 && <p className="t2">{messages.noMatchers}</p>}
      {fields.map(({ id }, index) => (
        <MatcherRow key={id} index={index} onRemove={() => remove(index)} />
      ))}
      {fields.length < MOST && (
        <button type="button" className="btn line" onClick={() => append({ ...EMPTY_MATCHER, name: 'class' })}>
          {messages.addMatcher}
        </button>
      )}
    </fieldset>
  );
}

function MatcherRow({ index, onRemove }: { readonly index: number; readonly onRemove: () => void }) {
  const { control, setValue } = useFormContext<SilenceText>();
  const name = useWatch({ control, name: `matchers.${index}.name` });
  return (
    <div className="al-matcher">
      <div className="row">
        <SelectField
          control={control}
          name={`matchers.${index}.name`}
          label={messages.matcherName}
          options={MATCHER_NAMES.map((value) => ({ value, label: messages.matcherNames[value] }))}
          onEdit={() => setValue(`matchers.${index}.chosen`, [])}
        />
        <SelectField
          control={control}
          name={`matchers.${index}.operator`}
          label={messages.operator}
          options={OPERATORS.map((value) => ({ value, label: messages.operators[value] }))}
        />
        <IconButton icon="close" label={messages.removeMatcher(name)} onClick={onRemove} />
      </div>
      {name === 'symbol' ? (
        <TextField control={control} name={`matchers.${index}.symbols`} label={messages.symbols} />
      ) : (
        <ValuesField index={index} name={name} />
      )}
    </div>
  );
}

/** The field of a matcher's values: those of the current lists, and chosen ones that no longer exist. */
function ValuesField({ index, name }: { readonly index: number; readonly name: Exclude<MatcherName, 'symbol'> }) {
  const { control } = useFormContext<SilenceText>();
  const chosen = useWatch({ control, name: `matchers.${index}.chosen` });
  const lists = useSnapshot((snapshot) => snapshot.watchlists);
  const options = {
    list: () => lists.map(({ id, name: label }) => ({ value: id, label })),
    section: () =>
      lists.flatMap(({ id, sections }) =>
        sections.map((section) => {
          const value = sectionKey(id, section.name);
          return { value, label: silenceTexts.sectionName(value, lists) };
        }),
      ),
    class: () => ASSET_CLASSES.map((value) => ({ value, label: editor.classNames[value] })),
    state: () => STATES.map((value) => ({ value: String(value), label: stateLabel(value) })),
  }[name]();
  const gone = chosen.filter((value) => !options.some((option) => option.value === value));
  return (
    <ChecksField
      control={control}
      name={`matchers.${index}.chosen`}
      label={messages.matcherNames[name]}
      options={[...options, ...gone.map((value) => ({ value, label: editor.listGone(value) }))]}
    />
  );
}
