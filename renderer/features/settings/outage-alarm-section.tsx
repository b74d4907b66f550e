// Renderer, settings: the delay after which the desktop is notified of an outage.
import { z } from 'zod';
import { type OutageAlarm, OutageAlarmSchema } from '../../../shared/settings/alert-rules.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useServices } from '../../services.ts';
import { useApp } from '../../store/store.ts';
import { NumberField } from '../../ui/form/fields.tsx';
import { Form, KEEP_EDITS, markSaved, SaveRow, useSchemaForm } from '../../ui/form/form.tsx';
import { wholeNumber } from '../../ui/form/schemas.ts';
import { LoadingNotice } from '../../ui/loading-notice.tsx';
import { Section } from './section.tsx';

const messages = texts.settings.outageAlarm;

export function OutageAlarmSection() {
  const outageAlarm = useApp((state) => state.features.alerting?.outage_alarm ?? null);
  return (
    <Section heading={texts.settings.section.outage} sub={messages.sub}>
      <p className="t2">{messages.why}</p>
      {outageAlarm === null ? (
        <LoadingNotice what={messages.loading} progress={null} />
      ) : (
        <Minutes outageAlarm={outageAlarm} />
      )}
    </Section>
  );
}

const minutesSchema = z.object({
  market_minutes: wholeNumber(OutageAlarmSchema.shape.market_minutes, messages.marketWrong),
  other_minutes: wholeNumber(OutageAlarmSchema.shape.other_minutes, messages.otherWrong),
});

function Minutes({ outageAlarm }: { outageAlarm: OutageAlarm }) {
  const { intents } = useServices();
  const form = useSchemaForm(minutesSchema, {
    mode: 'onChange',
    values: {
      market_minutes: String(outageAlarm.market_minutes),
      other_minutes: String(outageAlarm.other_minutes),
    },
    resetOptions: KEEP_EDITS,
  });
  const { control } = form;
  const save = (outage_alarm: OutageAlarm) => intents.ask('outageAlarm.save', { outage_alarm });
  return (
    <Form form={form} className="settings-form" onSubmit={save} onAccepted={() => markSaved(form)}>
      <NumberField control={control} name="market_minutes" label={messages.market} unit={messages.minutes} />
      <NumberField control={control} name="other_minutes" label={messages.other} unit={messages.minutes} />
      <SaveRow control={control} save={messages.save} saved={messages.saved} />
    </Form>
  );
}
