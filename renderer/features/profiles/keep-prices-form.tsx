// Renderer, profiles: step 2 of adding prices: the name of the profile, and whether it replays.
import { useFormState, useWatch } from 'react-hook-form';
import { z } from 'zod';
import type { PriceReport } from '../../../shared/channels/profiles.ts';
import { daysOld, isOld } from '../../../shared/domain/price-age.ts';
import { DAY_MS, dateOf } from '../../../shared/lib/time.ts';
import { profileNameFrom } from '../../../shared/settings/profiles.ts';
import { count } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import { parseDay } from '../../../shared/text/timestamp-field.ts';
import { useNow, useServices } from '../../services.ts';
import { CheckField, TextField } from '../../ui/form/fields.tsx';
import { Form, FormProblem, useSchemaForm } from '../../ui/form/form.tsx';
import { readText, wholeNumber } from '../../ui/form/schemas.ts';
import { Icon } from '../../ui/icon.tsx';
import { profileNameSchema } from './profile-name.ts';
import { Step, StepsFoot } from './step.tsx';

const messages = texts.ownPrices;
const SHORT = { inputMode: 'numeric', maxLength: 10 } as const;

/** A day within the prices, as a timestamp. */
const dayOf = ({ from, to }: PriceReport) =>
  readText(
    (text) => {
      const day = /^\d{4}-\d{2}-\d{2}$/.test(text.trim()) ? parseDay(text) : null;
      return day === null || from === null || to === null || day < from || day > to ? null : `${day}T00:00:00.000Z`;
    },
    messages.fromWrong(from ?? '', to ?? ''),
  );

/**
 * The default first day of a replay: it begins the last year that half of the symbols have. A year is long
 * enough for something to happen, and short enough to wait for. A newer file of few symbols does not move it:
 * these symbols alone would be an almost empty market.
 */
function firstDayOf({ from, median_end }: PriceReport): string {
  const [yearBefore, first] = [
    median_end === null ? 0 : Date.parse(median_end) - 365 * DAY_MS,
    from === null ? 0 : Date.parse(from),
  ];
  return dateOf(Math.max(yearBefore, first));
}

const keepSchema = (report: PriceReport, taken: readonly string[]) => {
  const name = profileNameSchema(taken);
  return z.discriminatedUnion('isReplay', [
    z.object({ isReplay: z.literal(false), name, from: z.string(), speed: z.string() }),
    z.object({
      isReplay: z.literal(true),
      name,
      from: dayOf(report),
      speed: wholeNumber(z.number().min(1).max(100_000), messages.speedWrong),
    }),
  ]);
};

interface KeepPricesFormProps {
  readonly report: PriceReport;
  /** The user asked for a replay. */
  readonly isReplay: boolean;
  /** Names in use. */
  readonly taken: readonly string[];
  readonly onAdded: (name: string) => void;
  readonly onClose: () => void;
}

export function KeepPricesForm({ report, isReplay: isAsked, taken, onAdded, onClose }: KeepPricesFormProps) {
  const { intents } = useServices();
  const { folder, editorial, events } = report;
  const folderName = folder.split(/[\\/]/).findLast((part) => part !== '') ?? '';
  const form = useSchemaForm(keepSchema(report, taken), {
    mode: 'onChange',
    defaultValues: {
      name: profileNameFrom(folderName, taken),
      isReplay: isAsked,
      from: isAsked ? firstDayOf(report) : '',
      speed: '3600',
    },
  });
  const { control } = form;
  const { isSubmitting, errors } = useFormState({ control });
  const isReplay = useWatch({ control, name: 'isReplay' });
  const replayInstead = (): void => {
    form.setValue('from', firstDayOf(report));
    form.setValue('isReplay', true, { shouldValidate: true });
    // The button that was pressed goes.
    form.setFocus('isReplay');
  };
  const add = async (values: z.output<ReturnType<typeof keepSchema>>) => {
    const replay = values.isReplay ? { from: values.from, speed: values.speed } : null;
    const folders = { folder, editorial, ...(events === undefined ? {} : { events }) };
    const source = { kind: 'prices', ...folders, replay } as const;
    const answer = await intents.ask('profiles.add', { name: values.name, source });
    if (answer.ok) onAdded(values.name);
    return answer;
  };
  return (
    <Form form={form} onSubmit={add}>
      <Step number={2} heading={texts.addKey.name} why="" state="on">
        <TextField control={control} name="name" label={texts.addKey.name} isSpoken maxLength={32} />
        <FormProblem control={control} />
        <OldPrices report={report} isReplay={isReplay} onReplay={replayInstead} />
        <CheckField control={control} name="isReplay">
          {messages.replay} <span className="t3">{messages.replayWhy}</span>
        </CheckField>
        {isReplay && (
          <div className="form-row">
            <TextField {...SHORT} control={control} name="from" label={messages.from} placeholder={messages.fromHint} />
            <TextField {...SHORT} control={control} name="speed" label={messages.speed} />
          </div>
        )}
        {isSubmitting && <p className="t2">{messages.adding}</p>}
      </Step>
      <StepsFoot
        isReady={!isSubmitting && Object.keys(errors).length === 0}
        submit={isSubmitting ? texts.profiles.status.opening : messages.add}
        onClose={onClose}
      />
    </Form>
  );
}

interface OldPricesProps {
  readonly report: PriceReport;
  readonly isReplay: boolean;
  readonly onReplay: () => void;
}

/** Warns that prices ended long ago before the user adds them, and offers a replay. */
function OldPrices({ report: { to, earliest_end }, isReplay, onReplay }: OldPricesProps) {
  const now = useNow();
  if (to === null || !isOld(daysOld(to, now))) return null;
  const youngest = daysOld(to, now);
  const oldest = daysOld(earliest_end ?? to, now);
  return (
    <section className="old-prices" aria-label={messages.old(count(youngest), count(oldest), youngest)}>
      <Icon name="warn" size={15} />
      <p className="grow">
        <b>{messages.old(count(youngest), count(oldest), youngest)}</b> <span className="t2">{messages.oldWhy}</span>
      </p>
      {!isReplay && (
        <button type="button" className="btn line" onClick={onReplay}>
          {messages.replayInstead}
        </button>
      )}
    </section>
  );
}
