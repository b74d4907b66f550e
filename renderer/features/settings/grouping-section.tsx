// Renderer, settings: the groups that join alerts into notifications, and their waiting times.
import { type Control, useWatch } from 'react-hook-form';
import { z } from 'zod';
import { normalizeSymbol } from '../../../shared/domain/instruments.ts';
import { GROUP_BY, type Grouping, GroupingSchema } from '../../../shared/settings/alert-rules.ts';
import { ListShareSchema } from '../../../shared/settings/breadth-conditions.ts';
import { texts } from '../../../shared/text/texts.ts';
import { SymbolSchema } from '../../../shared/wire/primitives.ts';
import { useServices } from '../../services.ts';
import { useApp, useSnapshot } from '../../store/store.ts';
import { NumberField, SelectField, TextField } from '../../ui/form/fields.tsx';
import { Form, KEEP_EDITS, markSaved, SaveRow, useSchemaForm } from '../../ui/form/form.tsx';
import { readOptional, typedNumber, wholeNumber } from '../../ui/form/schemas.ts';
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

const INHIBITORS = ['none', 'symbol', 'share'] as const;
const { by, wait_seconds, interval_seconds, repeat_minutes } = GroupingSchema.shape;
const groupingSchema = z
  .object({
    by,
    wait_seconds: wholeNumber(wait_seconds, messages.waitWrong),
    interval_seconds: wholeNumber(interval_seconds, messages.intervalWrong),
    repeat_minutes: readOptional((text) => repeat_minutes.safeParse(Number(text)).data ?? null, messages.repeatWrong),
    inhibitor: z.enum(INHIBITORS),
    symbol: z.string(),
    list: z.string(),
    percent: z.string(),
  })
  .transform(({ inhibitor, symbol, list, percent, ...grouping }, context): Grouping => {
    const wrong = (path: string, message: string): never => {
      context.addIssue({ code: 'custom', path: [path], message });
      return z.NEVER;
    };
    if (inhibitor === 'none') return { ...grouping, inhibited_by: null };
    if (inhibitor === 'symbol') {
      const named = SymbolSchema.safeParse(normalizeSymbol(symbol)).data;
      return named === undefined ? wrong('symbol', messages.symbolWrong) : { ...grouping, inhibited_by: named };
    }
    if (list === '') return wrong('list', messages.listWrong);
    const share = ListShareSchema.safeParse({ list, percent: typedNumber(percent) });
    return share.success
      ? { ...grouping, inhibited_by: share.data }
      : wrong('percent', texts.breadthRules.problems.percent);
  });

/** The fields of what holds back others. */
function inhibitorFields({ inhibited_by: by }: Grouping) {
  const empty = { inhibitor: 'none', symbol: 'SPY', list: '', percent: '30' } as const;
  if (by === null) return empty;
  return typeof by === 'string'
    ? { ...empty, inhibitor: 'symbol' as const, symbol: by }
    : { ...empty, inhibitor: 'share' as const, list: by.list, percent: String(by.percent) };
}

function Fields({ grouping }: { grouping: Grouping }) {
  const { intents } = useServices();
  const form = useSchemaForm(groupingSchema, {
    mode: 'onChange',
    values: {
      by: grouping.by,
      wait_seconds: String(grouping.wait_seconds),
      interval_seconds: String(grouping.interval_seconds),
      repeat_minutes: String(grouping.repeat_minutes ?? ''),
      ...inhibitorFields(grouping),
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
      <p className="t2">{messages.promise}</p>
      <SelectField
        control={control}
        name="inhibitor"
        label={messages.inhibitor}
        options={INHIBITORS.map((value) => ({ value, label: messages.inhibitors[value] }))}
      />
      <InhibitorFields control={control} />
      <SaveRow control={control} save={messages.save} saved={messages.saved} />
    </Form>
  );
}

type GroupingDraft = z.input<typeof groupingSchema>;

function InhibitorFields({ control }: { readonly control: Control<GroupingDraft, unknown, Grouping> }) {
  const [inhibitor, list] = useWatch({ control, name: ['inhibitor', 'list'] });
  const watchlists = useSnapshot((snapshot) => snapshot.watchlists);
  if (inhibitor === 'none') return null;
  const missing = watchlists.some(({ id }) => id === list)
    ? []
    : [{ value: list, label: list === '' ? texts.breadthRules.fields.none : texts.rules.editor.listGone(list) }];
  return (
    <>
      {inhibitor === 'symbol' ? (
        <TextField control={control} name="symbol" label={messages.symbol} />
      ) : (
        <>
          <SelectField
            control={control}
            name="list"
            label={messages.list}
            options={[...missing, ...watchlists.map(({ id, name }) => ({ value: id, label: name }))]}
          />
          <NumberField control={control} name="percent" label={messages.percent} unit="%" />
        </>
      )}
      <p className="t3">{inhibitor === 'share' ? messages.inhibitedByShare : messages.inhibitedWhy}</p>
    </>
  );
}
