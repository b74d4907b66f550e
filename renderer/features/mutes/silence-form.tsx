// Renderer: a silence is made: which symbols, from when, until when, and why.
import { type FormEvent, useState } from 'react';
import { timestamp } from '../../../shared/wire/primitives.ts';
import { useServices } from '../../services.ts';
import { useWorldMinute } from '../../store/connection-status.ts';
import { usePreference } from '../../store/preferences.ts';
import { zoneName } from '../../text/format.ts';
import { ruleText } from '../../text/rules.ts';
import { parseTimestamp, TIMESTAMP_FORMAT } from '../../text/timestamp-field.ts';
import { FormField, type Problems, symbolsIn } from '../alert-rules/index.ts';
import { clearSilence, type SilenceDraft, useSilenceDraft, writeSilence } from './silence-draft.ts';

const { mutes: messages, problems: cures } = ruleText;

export function SilenceForm() {
  const { intents } = useServices();
  const present = usePreference((preference) => preference.zone);
  const now = useWorldMinute();
  const draft = useSilenceDraft();
  const zone = draft.zone ?? present;
  const [problems, setProblems] = useState<Problems>({});
  const [said, setSaid] = useState('');
  const field = (
    name: Exclude<keyof SilenceDraft, 'zone'>,
    label: string,
    more: Partial<Parameters<typeof FormField>[0]> = {},
  ) => (
    <FormField
      label={label}
      value={draft[name]}
      problem={problems[name]}
      onChange={(value) => {
        const next = { ...draft, [name]: value };
        writeSilence({ [name]: value, zone: `${next.from}${next.until}`.trim() === '' ? null : zone });
        setProblems(({ [name]: _, ...others }) => others);
        setSaid('');
      }}
      {...more}
    />
  );
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const symbols = symbolsIn(draft.symbols);
    const from = draft.from.trim() === '' ? null : parseTimestamp(draft.from, zone);
    const until = parseTimestamp(draft.until, zone);
    const found: Record<string, string> = {};
    if (symbols.wrong.length > 0) found.symbols = cures.symbols(symbols.wrong);
    if (draft.from.trim() !== '' && from === null) found.from = cures.from;
    if (until === null) found.until = cures.until;
    else if (until <= now) found.until = cures.untilPast;
    else if (from !== null && until <= from) found.until = cures.untilFirst;
    if (draft.comment.length > 500) found.comment = cures.comment;
    setProblems(found);
    if (Object.keys(found).length > 0 || until === null) return;
    const added = await intents.ask('silences.add', {
      symbols: symbols.good.length === 0 ? null : [...symbols.good],
      from: from === null ? null : timestamp(from),
      until: timestamp(until),
      comment: draft.comment.trim(),
    });
    if (added.ok) clearSilence();
    setSaid(added.ok ? messages.saved : added.error);
  };
  return (
    <form className="al-form" noValidate onSubmit={(event) => void submit(event)} aria-label={messages.add}>
      <h2>{messages.add}</h2>
      {field('symbols', messages.symbols)}
      <div className="al-fields">
        {field('from', messages.from(zoneName(zone)), { hint: TIMESTAMP_FORMAT })}
        {field('until', messages.until(zoneName(zone)), { hint: TIMESTAMP_FORMAT })}
      </div>
      {field('comment', messages.comment)}
      <div className="row">
        <button type="submit" className="btn primary">
          {messages.save}
        </button>
        <span className="grow cond al-said" role="status">
          {said}
        </span>
      </div>
    </form>
  );
}
