// Renderer, price questions: one price, its chart and volume, and what follows from each answer.
import { useId } from 'react';
import { useController, useWatch } from 'react-hook-form';
import { z } from 'zod';
import type { Timeline } from '../../../shared/channels/queries.ts';
import type { RowSignal } from '../../../shared/channels/state.ts';
import { PRICE_ANSWERS, type PriceAnswer, splitFactor } from '../../../shared/domain/price-questions.ts';
import { change, dayAndYear, price, times } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import type { PriceQuestion } from '../../../shared/wire/records.ts';
import { sessionMs } from '../../charts/model.ts';
import { useChannelQuery } from '../../queries/use-channel-query.ts';
import { useServices } from '../../services.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/form/fields.tsx';
import {
  DialogActions,
  FieldProblem,
  Form,
  FormProblem,
  type SchemaControl,
  useSchemaForm,
} from '../../ui/form/form.tsx';
import { linePath } from '../../ui/line-path.ts';
import './price-questions.css';

const messages = texts.priceQuestions;

const answerSchema = z
  .object({ answer: z.enum(PRICE_ANSWERS).nullable(), ratio: z.string().trim() })
  .refine(({ answer }) => answer !== null, { path: ['answer'], message: messages.missing })
  .refine(({ answer, ratio }) => answer !== 'split' || splitFactor(ratio) !== null, {
    path: ['ratio'],
    message: messages.ratioWrong,
  });
type Answer = z.output<typeof answerSchema>;

interface QuestionDialogProps {
  readonly signal: RowSignal;
  readonly question: PriceQuestion;
  readonly onClose: () => void;
}

export function QuestionDialog({ signal, question, onClose }: QuestionDialogProps) {
  const { intents } = useServices();
  const { symbol } = signal;
  const { date, doubt, ratio } = question;
  const form = useSchemaForm(answerSchema, { defaultValues: { answer: null, ratio: ratio ?? '' } });
  const { control } = form;
  const send = ({ answer, ratio: chosen }: Answer) => {
    if (answer === null) return undefined;
    const body = answer === 'split' ? { answer, ratio: chosen } : { answer };
    return intents.ask('prices.answer', { symbol, date, answer: body });
  };
  const { volume_times: volume, range_times: range } = question;
  const traded = messages.traded(volume === null ? null : times(volume), range === null ? null : times(range));
  return (
    <Dialog heading={messages.heading(price(question.price), symbol)} className="price-question" onClose={onClose}>
      <p>
        {messages.move(dayAndYear(Date.parse(date)), price(question.before), changeOf(question, 1))}{' '}
        {messages.doubt[doubt](ratio ?? '')} <span className="t2">{traded}</span>{' '}
        {question.state_before !== null && <span className="t2">{messages.before(question.state_before)}</span>}
      </p>
      <Chart symbol={symbol} question={question} />
      <Form form={form} onSubmit={send} onAccepted={onClose}>
        <Answers {...{ control, signal, question }} />
        <FormProblem control={control} />
        <DialogActions cancel={messages.later} submit={messages.decide} onClose={onClose}>
          <Command {...{ control, symbol, date }} />
        </DialogActions>
      </Form>
    </Dialog>
  );
}

/** The day's change if the close before is multiplied by `factor`. */
const changeOf = ({ price: close, before }: PriceQuestion, factor: number): string =>
  change((close / (before * factor) - 1) * 100);

type Control = SchemaControl<z.input<typeof answerSchema>, Answer>;

function Answers({
  control,
  signal,
  question,
}: Pick<QuestionDialogProps, 'signal' | 'question'> & { control: Control }) {
  const id = useId();
  const { field, fieldState } = useController({ control, name: 'answer' });
  const ratio = useWatch({ control, name: 'ratio' });
  const factor = splitFactor(ratio.trim());
  const { consequences } = messages;
  const texted: Readonly<Record<PriceAnswer, string>> = {
    price:
      question.counts_as === 'price'
        ? consequences.price(signal.symbol, signal.state)
        : consequences.priceNew(changeOf(question, 1)),
    split: consequences.split(factor === null ? null : changeOf(question, factor)),
    no_price: consequences.no_price(price(question.before)),
  };
  return (
    <fieldset className="question-answers">
      <legend className="spoken">{messages.answers.label}</legend>
      {PRICE_ANSWERS.map((answer) => (
        <div key={answer} className={field.value === answer ? 'answer on' : 'answer'}>
          <label>
            <input
              type="radio"
              name={id}
              checked={field.value === answer}
              aria-describedby={`${id}-${answer}`}
              onChange={() => field.onChange(answer)}
            />
            {messages.answers[answer]}
          </label>
          <p id={`${id}-${answer}`} className="t2">
            {texted[answer]}
          </p>
          {answer === 'split' && field.value === 'split' && (
            <TextField control={control} name="ratio" label={messages.ratio} />
          )}
        </div>
      ))}
      <FieldProblem>{fieldState.error?.message}</FieldProblem>
    </fieldset>
  );
}

/** The same decision as a command, for a service that this window may not decide for. */
function Command({ control, symbol, date }: { control: Control; symbol: string; date: string }) {
  const { answer, ratio } = useWatch({ control });
  const flags = { price: '--real', split: `--split ${ratio || 'RATIO'}`, no_price: '--refuse' };
  if (answer == null) return null;
  return (
    <code className="question-command" title={messages.command('')}>
      confirm {symbol} {date} {flags[answer]}
    </code>
  );
}

function Chart({ symbol, question }: { symbol: string; question: PriceQuestion }) {
  const { data } = useChannelQuery('timeline.read', { symbol });
  const chart = data === undefined ? null : questionChart(data, question);
  if (chart === null) return null;
  return (
    <svg className="question-chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={messages.chart}>
      {chart.bars.map(({ x, height, isAsked }) => (
        <rect
          key={x}
          className={isAsked ? 'asked' : undefined}
          x={x - chart.barWidth / 2}
          y={HEIGHT - height}
          width={chart.barWidth}
          height={height}
        />
      ))}
      {chart.usualY !== null && (
        <>
          <line className="usual" x1={0} x2={WIDTH} y1={chart.usualY} y2={chart.usualY} />
          <text x={EDGE} y={chart.usualY - 3}>
            {messages.usualVolume}
          </text>
        </>
      )}
      <path d={chart.line} />
      {chart.asked !== null && <circle cx={chart.asked.x} cy={chart.asked.y} r={4} />}
    </svg>
  );
}

/** Size of the chart, px. */
const WIDTH = 520;
const HEIGHT = 150;
/** Height of the volumes, at the bottom. */
const VOLUME_HEIGHT = 44;
const DAYS = 60;
/** Days after the price that are shown. */
const AFTER = 10;
const EDGE = 4;

interface QuestionChart {
  readonly line: string;
  readonly bars: readonly { readonly x: number; readonly height: number; readonly isAsked: boolean }[];
  readonly barWidth: number;
  /** The price in question; null: the day is not listed. */
  readonly asked: { readonly x: number; readonly y: number } | null;
  /** y of the median volume; null: no volume is known. */
  readonly usualY: number | null;
}

/** The closes and volumes around a price in question, as shapes. @returns null without two prices */
export function questionChart(timeline: Timeline, question: PriceQuestion): QuestionChart | null {
  const { date } = question;
  const days = timeline.points.flatMap(({ at, price, volume }) => {
    if (price === null) return [];
    const day = new Date(sessionMs(Date.parse(at))).toISOString().slice(0, 10);
    return [
      { date: day, price, volume: volume === undefined || day < date ? volume : volume * sharesOfBefore(question) },
    ];
  });
  const asked = days.findIndex((day) => day.date === date);
  const end = asked === -1 ? days.length : Math.min(days.length, asked + 1 + AFTER);
  const shown = days.slice(Math.max(0, end - DAYS), end);
  if (shown.length < 2) return null;
  const prices = shown.map(({ price }) => price);
  const [low, high] = [Math.min(...prices), Math.max(...prices)];
  const volumes = shown.flatMap(({ volume }) => volume ?? []).sort((a, b) => a - b);
  const most = volumes.at(-1) ?? 0;
  const step = (WIDTH - 2 * EDGE) / shown.length;
  const x = (index: number): number => EDGE + (index + 0.5) * step;
  const top = HEIGHT - VOLUME_HEIGHT - 2 * EDGE;
  const y = (price: number): number => EDGE + (high === low ? top / 2 : ((high - price) / (high - low)) * top);
  const heightOf = (volume: number): number => (most === 0 ? 0 : (volume / most) * VOLUME_HEIGHT);
  const askedAt = shown.findIndex((day) => day.date === date);
  const usual = volumes[volumes.length >> 1];
  return {
    line: linePath(shown.map(({ price }, index) => [x(index), y(price)])),
    bars: shown.map(({ volume = 0 }, index) => ({ x: x(index), height: heightOf(volume), isAsked: index === askedAt })),
    barWidth: step * 0.7,
    asked: askedAt === -1 ? null : { x: x(askedAt), y: y((shown[askedAt] as (typeof shown)[number]).price) },
    usualY: usual === undefined ? null : HEIGHT - heightOf(usual),
  };
}

/** The same value trades as more shares after a split that is not adjusted. */
function sharesOfBefore({ doubt, counts_as: use, price, before }: PriceQuestion): number {
  if (doubt === 'stray' || use === 'split' || price === null || before === null) return 1;
  return Math.min(1, price / before);
}
