// Renderer, settings: the name under which this monitor shares with its desk who deals with an alert.
import { z } from 'zod';
import { type DeskView, deskChannels } from '../../../shared/channels/desk.ts';
import { shortTimestamp } from '../../../shared/text/format.ts';
import { optionalText } from '../../../shared/text/message.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useChannelQuery } from '../../queries/use-channel-query.ts';
import { useServices } from '../../services.ts';
import { usePreference } from '../../store/preferences.ts';
import { TextField } from '../../ui/form/fields.tsx';
import { Form, KEEP_EDITS, markSaved, SaveRow, useSchemaForm } from '../../ui/form/form.tsx';
import { readOptional } from '../../ui/form/schemas.ts';
import { LoadingNotice } from '../../ui/loading-notice.tsx';
import { Section } from './section.tsx';

const messages = texts.settings.desk;
const { by } = deskChannels['desk.save'].input.shape;

export function DeskSection() {
  const { data, refetch } = useChannelQuery('desk.read', {});
  return (
    <Section heading={texts.settings.section.desk} sub={messages.sub}>
      <p className="t2">{messages.why}</p>
      {data === undefined ? (
        <LoadingNotice what={messages.loading} progress={null} />
      ) : (
        <>
          <NameForm name={data.by} onSaved={() => void refetch()} />
          {data.by !== null && <DeskStatus view={data} />}
        </>
      )}
    </Section>
  );
}

const nameSchema = z.object({
  by: readOptional((text) => by.safeParse(text.trim()).data ?? null, messages.wrong),
});

function NameForm({ name, onSaved }: { readonly name: string | null; readonly onSaved: () => void }) {
  const { intents } = useServices();
  const form = useSchemaForm(nameSchema, {
    mode: 'onChange',
    values: { by: name ?? '' },
    resetOptions: KEEP_EDITS,
  });
  const { control } = form;
  return (
    <Form
      form={form}
      className="settings-form"
      onSubmit={(chosen) => intents.ask('desk.save', chosen)}
      onAccepted={() => {
        markSaved(form);
        onSaved();
      }}
    >
      <TextField control={control} name="by" label={messages.name} placeholder={messages.example} />
      <SaveRow control={control} save={messages.save} saved={messages.saved} />
    </Form>
  );
}

function DeskStatus({ view: { waiting, synced_at: at, problem } }: { readonly view: DeskView }) {
  const { clock } = useServices();
  const zone = usePreference((preference) => preference.zone);
  return (
    <>
      {problem !== null && <p className="settings-warning">{optionalText(problem)}</p>}
      <p className="t2">
        {at === null ? messages.notYet : messages.shared(shortTimestamp(Date.parse(at), zone, clock.now()))}
        {waiting > 0 && ` ${messages.waiting(waiting)}`}
      </p>
    </>
  );
}
