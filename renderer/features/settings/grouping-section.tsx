// Renderer, settings: the groups that join alerts into notifications, and their waiting times.
import { useWatch } from 'react-hook-form';
import { z } from 'zod';
import { normalizeSymbol } from '../../../shared/domain/instruments.ts';
import { GROUP_BY, type Grouping, GroupingSchema } from '../../../shared/settings/alert-rules.ts';
import { texts } from '../../../shared/text/texts.ts';
import { SymbolSchema } from '../../../shared/wire/primitives.ts';
import { useServices } from '../../services.ts';
import { useApp } from '../../store/store.ts';
import { NumberField, SelectField, TextField } from '../../ui/form/fields.tsx';
import { Form, KEEP_EDITS, markSaved, SaveRow, useSchemaForm } from '../../ui/form/form.tsx';
import { readOptional, wholeNumber } from '../../ui/form/schemas.ts';
import { LoadingNotice } from '../../ui/loading-notice.tsx';
import { Section } from './section.tsx';

const messages = texts.settings.grouping;

export function GroupingSection() {
  const grouping = useApp((state) => state.features.alerting?.grouping ?? null);
  return (
    <Section heading={texts.settings.section.grouping} sub={messages.sub}>
      <p className="t2">{messages.why}</p>
      {grouping === null ? <LoadingNotice what={messages.loading} progress={null} /> : <Fields grouping={grouping} />}
    </Section>
  );
}

const { by, wait_seconds, interval_seconds, repeat_minutes } = GroupingSchema.shape;
const groupingSchema = z.object({
  by,
  wait_seconds: wholeNumber(wait_seconds, messages.waitWrong),
  interval_seconds: wholeNumber(interval_seconds, messages.intervalWrong),
  repeat_minutes: readOptional((text) => repeat_minutes.safeParse(Number(text)).data ?? null, messages.repeatWrong),
  inhibited_by: readOptional(
    (text) => SymbolSchema.safeParse(normalizeSymbol(text)).data ?? null,
    messages.inhibitedWrong,
  ),
});

function Fields({ grouping }: { grouping: Grouping }) {
  const { intents } = useServices();
  const form = useSchemaForm(groupingSchema, {
    mode: 'onChange',
    values: {
      by: grouping.by,
      wait_seconds: String(grouping.wait_seconds),
      interval_seconds: String(grouping.interval_seconds),
      repeat_minutes: String(grouping.repeat_minutes ?? ''),
      inhibited_by: grouping.inhibited_by ?? '',
    },
    resetOptions: KEEP_EDITS,
  });
  const { control } = form;
  const isAlone = useWatch({ control, name: 'by' }) === 'none';
  const save = (chosen: Grouping) => intents.ask('grouping.save', { grouping: chosen });
  return (
    <Form form={form} className="settings-form" onSubmit={save} onAccepted={() => markSaved(form)}>
      <SelectField
        control={control}
        name="by"
        label={messages.by}
        options={GROUP_BY.map((value) => ({ value, label: messages.kinds[value] }))}
      />
      <NumberField
        control={control}
        name="wait_seconds"
        label={messages.wait}
        unit={messages.seconds}
        isDisabled={isAlone}
      />
      <NumberField
        control={control}
        name="interval_seconds"
        label={messages.interval}
        unit={messages.seconds}
        isDisabled={isAlone}
      />
      <NumberField control={control} name="repeat_minutes" label={messages.repeat} unit={messages.minutes} />
      <TextField control={control} name="inhibited_by" label={messages.inhibitedBy} placeholder="SPY" />
      <p className="t3">{messages.inhibitedWhy}</p>
      <p className="t2">{messages.promise}</p>
      <SaveRow control={control} save={messages.save} saved={messages.saved} />
    </Form>
  );
}
