// Pure: the figures of the page Record as they are written, in the window and by `validate --html`.
import { change, DASH, lasting, power, wholePercent } from '../text/format.ts';
import { texts } from '../text/texts.ts';
import type { AlertOutcomes, Interval, LiveScore, PooledScore, Uncertainty } from './validation.ts';

const words = texts.validation;

/** Both windows. */
interface Pair<Score> {
  readonly full: Score;
  readonly holdout: Score;
}

export interface KeyFigure {
  readonly name: string;
  /** Of the hold-out window, and of the full one; null: not known. */
  readonly value: string | null;
  readonly full: string | null;
  readonly note: string;
}

/** Three decimals without the leading zero: F1 scores differ by hundredths. */
export const fine = (value: number): string => value.toFixed(3).replace(/^0\./, '.');
const share = (value: number | null): string | null => (value === null ? null : fine(value));

const recall = ({ full, holdout }: Pair<Pick<PooledScore, 'recall' | 'events'>>): KeyFigure => ({
  name: words.recall,
  value: power(holdout.recall),
  full: power(full.recall),
  note: words.recallNote(Math.round(holdout.recall * holdout.events), holdout.events),
});

/** Of all symbols at closes. */
export function keyFigures(pooled: Pair<PooledScore>): KeyFigure[] {
  const { full, holdout } = pooled;
  const lift = ({ day_lift }: PooledScore): string | null => day_lift?.toFixed(2) ?? null;
  return [
    {
      name: words.precision,
      value: power(holdout.precision),
      full: power(full.precision),
      note: words.precisionNote(holdout.right, holdout.right + holdout.wrong),
    },
    recall(pooled),
    {
      name: words.lift,
      value: lift(holdout),
      full: lift(full),
      note: holdout.day_lift === null ? words.notProvided : words.liftNote(holdout.day_lift.toFixed(2)),
    },
  ];
}

/** Of alerts within the day, each with its chance level or counts. */
export function liveFigures(pooled: Pair<LiveScore>): KeyFigure[] {
  const { full, holdout } = pooled;
  const minutes = ({ median_minutes: value }: LiveScore): string | null =>
    value === null ? null : lasting(value * 60_000);
  return [
    {
      name: words.precision,
      value: fine(holdout.precision),
      full: fine(full.precision),
      note: words.livePrecisionNote(holdout.right, holdout.right + holdout.wrong, share(holdout.chance.precision)),
    },
    {
      name: words.strictPrecision,
      value: share(holdout.strict_precision),
      full: share(full.strict_precision),
      note: words.strictNote(share(holdout.chance.strict_precision)),
    },
    recall(pooled),
    {
      name: words.lasting,
      value: minutes(holdout),
      full: minutes(full),
      note: words.lastingNote(holdout.held_to_close, holdout.within_day),
    },
  ];
}

/** A line of a table with two columns. */
export interface FigureLine<Of> {
  readonly name: string;
  readonly of: (figures: Of) => string;
}

const { outcomes } = words;
const percentOf = (value: number | null): string => (value === null ? DASH : `${wholePercent(100 * value)} %`);
const yearly = (value: number | null): string => (value === null ? DASH : value.toFixed(1));
const whole = (value: number): string => String(Math.round(value));
const bars = (value: AlertOutcomes['alert_bars']): string =>
  value === null ? DASH : outcomes.quartiles(whole(value.median), whole(value.lower), whole(value.upper));

/** What to expect of an alert. */
export const OUTCOME_LINES: readonly FigureLine<AlertOutcomes>[] = [
  { name: outcomes.signals, of: ({ signals_a_year }) => yearly(signals_a_year) },
  { name: outcomes.falseAlarms, of: ({ false_alarms_a_year }) => yearly(false_alarms_a_year) },
  { name: outcomes.length, of: ({ alert_bars }) => bars(alert_bars) },
  { name: outcomes.toBreach, of: ({ bars_to_breach }) => bars(bars_to_breach) },
  { name: outcomes.toTrough, of: ({ bars_to_trough }) => bars(bars_to_trough) },
  { name: outcomes.halfAhead, of: ({ half_ahead }) => percentOf(half_ahead) },
  { name: outcomes.beforeHalf, of: ({ before_half_of_fall }) => percentOf(before_half_of_fall) },
  { name: outcomes.onEve, of: ({ on_eve_of_breach }) => percentOf(on_eve_of_breach) },
];

type After = NonNullable<AlertOutcomes['after_alert']>;
const after = (of: (found: After) => string) => (found: After | null) => (found === null ? DASH : of(found));

/** The market after alerts, and otherwise. */
export const AFTER_LINES: readonly FigureLine<After | null>[] = [
  { name: outcomes.loss, of: after(({ loss }) => percentOf(loss)) },
  { name: outcomes.halfLoss, of: after(({ half_loss }) => percentOf(half_loss)) },
  { name: outcomes.meanReturn, of: after(({ mean_return }) => change(mean_return)) },
  { name: outcomes.volatility, of: after(({ volatility }) => outcomes.times(volatility.toFixed(2))) },
];

const signed = (value: number): string => `${value < 0 ? '−' : '+'}${fine(Math.abs(value))}`;
const comparisonOf = ({ low, high }: Interval): 'better' | 'worse' | 'same' =>
  low > 0 ? 'better' : high < 0 ? 'worse' : 'same';

/** The interval of F1, and whether it differs from the simple rule by more than chance; null: not known. */
export function uncertaintyText({ years, intervals: { f1 }, against, differences }: Uncertainty): string | null {
  if (f1 === null) return null;
  const difference = differences.f1;
  return [
    words.uncertain(fine(f1.low), fine(f1.high), years),
    ...(difference === null
      ? []
      : [
          words.difference(
            words.baseline(against),
            signed(difference.low),
            signed(difference.high),
            comparisonOf(difference),
          ),
        ]),
  ].join(' ');
}
