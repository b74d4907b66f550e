// Renderer, settings: how long briefings and news are kept on this computer, and whether what is kept is sound.
import { type FormEvent, useState } from 'react';
import type { ArchiveView, Retention } from '../../../shared/channels/archive.ts';
import { useServices } from '../../services.ts';
import { usePreference } from '../../store/preferences.ts';
import { useApp } from '../../store/store.ts';
import { count, shortTimestamp } from '../../text/format.ts';
import { settingsText } from '../../text/settings.ts';
import { LoadingNotice } from '../../ui/loading-notice.tsx';
import { Section, WholeNumber, wholeOf } from './section.tsx';

const messages = settingsText.archive;
const MOST = 36_500;
const LEAST: Readonly<Record<keyof Retention, number>> = { briefings: 30, news: 1 };
/** What stands in the field when "for ever" is taken back. */
const A_YEAR = '365';

export function ArchiveSection() {
  const archive = useApp((state) => state.features.archive);
  return (
    <Section heading={settingsText.section.archive} sub={messages.sub}>
      {archive === null ? (
        <LoadingNotice what={messages.loading} progress={null} />
      ) : (
        <>
          <ArchiveStatus archive={archive} />
          <Keep retention={archive.retention} />
        </>
      )}
    </Section>
  );
}

function ArchiveStatus({ archive: { briefings, news, bytes, checked, backup, problem } }: { archive: ArchiveView }) {
  const { intents, clock } = useServices();
  const zone = usePreference((preference) => preference.zone);
  const at = (time: string): string => shortTimestamp(Date.parse(time), zone, clock.now());
  return (
    <>
      <p>{messages.stored(count(briefings.all), count(news), `${(bytes / 1_048_576).toFixed(1)} MB`)}</p>
      {problem !== null && <p className="settings-warning">{problem}</p>}
      {checked !== null && (
        <p className={checked.sound ? 't2' : 'settings-warning'}>{messages.sound(at(checked.at), checked.message)}</p>
      )}
      {backup !== null && <p className="t2">{messages.backup(at(backup.at), backup.file)}</p>}
      <p>
        <button type="button" className="btn" onClick={() => intents.send('archive.check', {})}>
          {messages.check}
        </button>
      </p>
    </>
  );
}

/** Of a kind, as it is typed; null: for ever. */
type RetentionInput = Readonly<Record<keyof Retention, string | null>>;
const typedOf = (days: number | null): string | null => (days === null ? null : String(days));

function Keep({ retention }: { retention: Retention }) {
  const { intents } = useServices();
  // Only what was typed and is not saved: what is stored may change meanwhile, by this form or in another window.
  const [edits, setEdits] = useState<Partial<RetentionInput>>({});
  const [said, setSaid] = useState<string | null>(null);
  const typed: RetentionInput = { briefings: typedOf(retention.briefings), news: typedOf(retention.news), ...edits };
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
    setSaid(answer.ok ? messages.saved : answer.error);
  };
  const field = (kind: keyof Retention, name: string, wrong: string) => (
    <WholeNumber
      name={name}
      unit={messages.days}
      value={typed[kind] ?? ''}
      problem={isWrong(kind) ? wrong : null}
      disabled={typed[kind] === null}
      onChange={(text) => edit(kind, text)}
    >
      <label className="form-check inline">
        <input
          type="checkbox"
          checked={typed[kind] === null}
          aria-label={`${name} ${messages.ever}`}
          onChange={() => edit(kind, typed[kind] === null ? (typedOf(retention[kind]) ?? A_YEAR) : null)}
        />
        {messages.ever}
      </label>
    </WholeNumber>
  );
  return (
    <form className="settings-form" onSubmit={submit}>
      {field('briefings', messages.briefings, messages.briefingsWrong)}
      {field('news', messages.news, messages.newsWrong)}
      <p className="t3">{messages.starred}</p>
      <div className="form-row">
        <button type="submit" className="btn primary">
          {messages.save}
        </button>
        <span role="status" className="t2">
          {said}
        </span>
      </div>
    </form>
  );
}
