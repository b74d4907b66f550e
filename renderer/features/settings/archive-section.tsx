// Renderer, settings: how long briefings and news are kept, and the check of the archive.
import { z } from 'zod';
import { type ArchiveView, type Retention, RetentionSchema } from '../../../shared/channels/archive.ts';
import { count, shortTimestamp } from '../../../shared/text/format.ts';
import { optionalText, textOf } from '../../../shared/text/message.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useServices } from '../../services.ts';
import { usePreference } from '../../store/preferences.ts';
import { useApp } from '../../store/store.ts';
import { NumberField } from '../../ui/form/fields.tsx';
import { Form, KEEP_EDITS, markSaved, SaveRow, useSchemaForm } from '../../ui/form/form.tsx';
import { wholeNumber } from '../../ui/form/schemas.ts';
import { LoadingNotice } from '../../ui/loading-notice.tsx';
import { Section } from './section.tsx';

const messages = texts.settings.archive;
/** Days in the field when "for ever" is switched off. */
const A_YEAR = '365';

export function ArchiveSection() {
  const archive = useApp((state) => state.features.archive);
  return (
    <Section heading={texts.settings.section.archive} sub={messages.sub}>
      {archive === null ? (
        <LoadingNotice what={messages.loading} progress={null} />
      ) : (
        <>
          <ArchiveStatus archive={archive} />
          <RetentionForm retention={archive.retention} />
        </>
      )}
    </Section>
  );
}

function ArchiveStatus({
  archive: { briefings, news, bytes, checked, backup, problem, news_problem },
}: {
  archive: ArchiveView;
}) {
  const { intents, clock } = useServices();
  const zone = usePreference((preference) => preference.zone);
  const at = (time: string): string => shortTimestamp(Date.parse(time), zone, clock.now());
  return (
    <>
      <p>{messages.stored(count(briefings.all), count(news), `${(bytes / 1_048_576).toFixed(1)} MB`)}</p>
      {[...new Set([problem, news_problem].map(optionalText))].filter(Boolean).map((text) => (
        <p key={text} className="settings-warning">
          {text}
        </p>
      ))}
      {checked !== null && (
        <p className={checked.sound ? 't2' : 'settings-warning'}>
          {messages.sound(at(checked.at), textOf(checked.message))}
        </p>
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

const KINDS = ['briefings', 'news'] as const;
const retentionSchema = z.object({
  briefings: wholeNumber(RetentionSchema.shape.briefings, messages.briefingsWrong).nullable(),
  news: wholeNumber(RetentionSchema.shape.news, messages.newsWrong).nullable(),
});
const typedOf = (days: number | null): string | null => (days === null ? null : String(days));

function RetentionForm({ retention }: { retention: Retention }) {
  const { intents } = useServices();
  const form = useSchemaForm(retentionSchema, {
    mode: 'onChange',
    values: { briefings: typedOf(retention.briefings), news: typedOf(retention.news) },
    resetOptions: KEEP_EDITS,
  });
  const { control } = form;
  const save = (chosen: Retention) => intents.ask('archive.retention', { retention: chosen });
  return (
    <Form form={form} className="settings-form" onSubmit={save} onAccepted={() => markSaved(form)}>
      {KINDS.map((kind) => (
        <NumberField
          key={kind}
          control={control}
          name={kind}
          label={messages[kind]}
          unit={messages.days}
          none={{ name: messages.ever, first: typedOf(retention[kind]) ?? A_YEAR }}
        />
      ))}
      <p className="t3">{messages.starred}</p>
      <SaveRow control={control} save={messages.save} saved={messages.saved} />
    </Form>
  );
}
