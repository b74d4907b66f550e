// Renderer, connection: the ledger on this computer's disk: size, oldest event and retention.
import { z } from 'zod';
import {
  DEFAULT_LEDGER_RETENTION,
  type LedgerDetails,
  type LedgerRetention,
  LedgerRetentionSchema,
} from '../../../shared/channels/ledger.ts';
import { count, shortTimestamp } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useChannelQuery } from '../../queries/use-channel-query.ts';
import { useServices } from '../../services.ts';
import { usePreference } from '../../store/preferences.ts';
import { DescriptionItem, DescriptionList } from '../../ui/description-list.tsx';
import { NumberField } from '../../ui/form/fields.tsx';
import { Form, KEEP_EDITS, markSaved, SaveRow, useSchemaForm } from '../../ui/form/form.tsx';
import { wholeNumber } from '../../ui/form/schemas.ts';
import { Block } from '../../ui/panel-head.tsx';

const messages = texts.connection.ledger;

export function LedgerPanel() {
  const query = useChannelQuery('ledger.read', {});
  const { data } = query;
  return (
    <Block heading={messages.heading}>
      {data !== undefined && (
        <>
          <Size details={data} />
          <RetentionForm retention={data.retention} onSaved={() => void query.refetch()} />
        </>
      )}
    </Block>
  );
}

function Size({ details: { bytes, events, removed, oldest } }: { details: LedgerDetails }) {
  const { clock } = useServices();
  const zone = usePreference((preference) => preference.zone);
  return (
    <DescriptionList narrow>
      <DescriptionItem name={messages.size}>
        {messages.sizeText((bytes / 1_048_576).toFixed(1), count(events), events)}
      </DescriptionItem>
      <DescriptionItem name={messages.oldest}>
        {oldest === null ? messages.empty : shortTimestamp(Date.parse(oldest), zone, clock.now())}
      </DescriptionItem>
      <DescriptionItem name={messages.removed}>{messages.removedText(count(removed), removed)}</DescriptionItem>
    </DescriptionList>
  );
}

const retentionSchema = z.object({
  days: wholeNumber(LedgerRetentionSchema.shape.days, messages.daysWrong).nullable(),
  megabytes: wholeNumber(LedgerRetentionSchema.shape.megabytes, messages.megabytesWrong),
});

function RetentionForm({ retention, onSaved }: { retention: LedgerRetention; onSaved: () => void }) {
  const { intents } = useServices();
  const form = useSchemaForm(retentionSchema, {
    mode: 'onChange',
    values: {
      days: retention.days === null ? null : String(retention.days),
      megabytes: String(retention.megabytes),
    },
    resetOptions: KEEP_EDITS,
  });
  const { control } = form;
  const save = (chosen: z.output<typeof retentionSchema>) =>
    intents.ask('ledger.retention', { retention: LedgerRetentionSchema.parse(chosen) });
  const saved = (): void => {
    markSaved(form);
    onSaved();
  };
  return (
    <Form form={form} className="ledger-form" onSubmit={save} onAccepted={saved}>
      <NumberField
        control={control}
        isStacked
        name="days"
        label={messages.days}
        unit={messages.unit.days}
        none={{ name: messages.ever, first: String(retention.days ?? DEFAULT_LEDGER_RETENTION.days) }}
      />
      <NumberField
        control={control}
        isStacked
        name="megabytes"
        label={messages.megabytes}
        unit={messages.unit.megabytes}
      />
      <p className="t3">{messages.kept}</p>
      <SaveRow control={control} save={messages.save} saved={messages.saved} buttonClass="btn" />
    </Form>
  );
}
