// Renderer, settings: how long briefings and news are kept on this computer, and whether what is kept is sound.
import { type FormEvent, useState } from 'react';
import type { ArchiveFace, Retention } from '../../../shared/channels/archive.ts';
import { useServices } from '../../services.ts';
import { usePreference } from '../../store/preferences.ts';
import { useApp } from '../../store/store.ts';
import { count, moment } from '../../text/format.ts';
import { settingsWords } from '../../text/settings.ts';
import { Awaited } from '../../ui/awaited.tsx';
import { Section, WholeNumber, wholeOf } from './parts.tsx';

const words = settingsWords.archive;
const MOST = 36_500;
const LEAST: Readonly<Record<keyof Retention, number>> = { briefings: 30, news: 1 };
/** What stands in the field when "for ever" is taken back. */
const A_YEAR = '365';

export function ArchiveSection() {
  const archive = useApp((state) => state.wholes.archive);
  return (
    <Section heading={settingsWords.section.archive} sub={words.sub}>
      {archive === null ? (
        <Awaited what={words.awaiting} progress={null} />
      ) : (
        <>
          <Held archive={archive} />
          <Keep retention={archive.retention} />
        </>
      )}
    </Section>
  );
}

function Held({ archive: { briefings, news, bytes, checked, backup, problem } }: { archive: ArchiveFace }) {
  const { intents, clock } = useServices();
  const zone = usePreference((preference) => preference.zone);
  const at = (time: string): string => moment(Date.parse(time), zone, clock.now());
  return (
    <>
      <p>{words.held(count(briefings.all), count(news), `${(bytes / 1_048_576).toFixed(1)} MB`)}</p>
      {problem !== null && <p className="settings-warning">{problem}</p>}
      {checked !== null && (
        <p className={checked.sound ? 't2' : 'settings-warning'}>{words.sound(at(checked.at), checked.words)}</p>
      )}
      {backup !== null && <p className="t2">{words.backup(at(backup.at), backup.file)}</p>}
      <p>
        <button type="button" className="btn" onClick={() => intents.tell('archive.check', {})}>
          {words.check}
        </button>
      </p>
    </>
  );
}

/** Of a kind, as it is typed; null: for ever. */
type Typed = Readonly<Record<keyof Retention, string | null>>;
const typedOf = (days: number | null): string | null => (days === null ? null : String(days));

function Keep({ retention }: { retention: Retention }) {
  const { intents } = useServices();
  // Only what was typed and is not saved: what is stored may change meanwhile, by this form or in another window.
  const [edits, setEdits] = useState<Partial<Typed>>({});
  const [said, setSaid] = useState<string | null>(null);
  const typed: Typed = { briefings: typedOf(retention.briefings), news: typedOf(retention.news), ...edits };
  const daysOf = (kind: keyof Retention): number | null =>
    typed[kind] === null ? null : wholeOf(typed[kind], LEAST[kind], MOST);
  const isWrong = (kind: keyof Retention): boolean => typed[kind] !== null && daysOf(kind) === null;
  const edit = (kind: keyof Retention, text: string | null): void => {
    setEdits({ ...edits, [kind]: text });
    setSaid(null);
  };
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (isWrong('briefings') || isWrong('news')) return;
    const answer = await intents.ask('archive.retention', {
      retention: { briefings: daysOf('briefings'), news: daysOf('news') },
    });
    if (answer.ok) setEdits({});
    setSaid(answer.ok ? words.saved : answer.error);
  };
  const field = (kind: keyof Retention, name: string, wrong: string) => (
    <WholeNumber
      name={name}
      unit={words.days}
      value={typed[kind] ?? ''}
      problem={isWrong(kind) ? wrong : null}
      disabled={typed[kind] === null}
      onChange={(text) => edit(kind, text)}
    >
      <label className="form-check inline">
        <input
          type="checkbox"
          checked={typed[kind] === null}
          aria-label={`${name} ${words.ever}`}
          onChange={() => edit(kind, typed[kind] === null ? (typedOf(retention[kind]) ?? A_YEAR) : null)}
        />
        {words.ever}
      </label>
    </WholeNumber>
  );
  return (
    <form className="settings-form" onSubmit={submit}>
      {field('briefings', words.briefings, words.briefingsWrong)}
      {field('news', words.news, words.newsWrong)}
      <p className="t3">{words.starred}</p>
      <div className="form-row">
        <button type="submit" className="btn primary">
          {words.save}
        </button>
        <span role="status" className="t2">
          {said}
        </span>
      </div>
    </form>
  );
}
