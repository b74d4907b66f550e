// Renderer, connection: the ledger on this computer's disk: size, oldest event and retention.
import type { ReactNode } from 'react';
import { useWatch } from 'react-hook-form';
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
import { useTextInput } from '../../ui/form/fields.tsx';
import {
  FieldProblem,
  Form,
  FormStatus,
  KEEP_EDITS,
  markSaved,
  type SchemaControl,
  useSchemaForm,
} from '../../ui/form/form.tsx';
import { wholeNumber } from '../../ui/form/schemas.ts';

const messages = texts.connection.ledger;

export function LedgerPanel() {
  const query = useChannelQuery('ledger.read', {});
  const { data } = query;
  return (
    <section aria-label={messages.heading}>
      <div className="head block-head">
        <h2>{messages.heading}</h2>
      </div>
      {data !== undefined && (
        <>
          <Size details={data} />
          <RetentionForm retention={data.retention} onSaved={() => void query.refetch()} />
        </>
      )}
    </section>
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
  const { days } = useWatch({ control });
  const save = async (chosen: { days: number | null; megabytes: number | null }) => {
    const answer = await intents.ask('ledger.retention', { retention: LedgerRetentionSchema.parse(chosen) });
    if (answer.ok) {
      markSaved(form);
      onSaved();
    }
    return answer;
  };
  const kept = String(retention.days ?? DEFAULT_LEDGER_RETENTION.days);
  return (
    <Form form={form} className="ledger-form" onSubmit={save}>
      <Limit control={control} name="days" isDisabled={days === null}>
        <label className="form-check inline">
          <input
            type="checkbox"
            checked={days === null}
            aria-label={`${messages.days} ${messages.ever}`}
            onChange={({ target: { checked } }) =>
              form.setValue('days', checked ? null : kept, { shouldDirty: true, shouldValidate: true })
            }
          />
          {messages.ever}
        </label>
      </Limit>
      <Limit control={control} name="megabytes" />
      <p className="t3">{messages.kept}</p>
      <div className="form-row">
        <button type="submit" className="btn">
          {messages.save}
        </button>
        <FormStatus control={control} saved={messages.saved} />
      </div>
    </Form>
  );
}

interface LimitProps {
  readonly control: SchemaControl<z.input<typeof retentionSchema>, z.output<typeof retentionSchema>>;
  readonly name: 'days' | 'megabytes';
  readonly isDisabled?: boolean;
  readonly children?: ReactNode;
}

function Limit({ control, name, isDisabled = false, children }: LimitProps) {
  const { id, input, problem } = useTextInput({ control, name });
  return (
    <div className="ledger-limit">
      <label htmlFor={id}>{messages[name]}</label>
      <span className="row">
        <input {...input} className="field number" inputMode="numeric" maxLength={6} disabled={isDisabled} />
        <span className="t2">{messages.unit[name]}</span>
        {children}
      </span>
      <FieldProblem id={id}>{problem}</FieldProblem>
    </div>
  );
}
