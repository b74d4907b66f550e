// Renderer, validation: alerts of all symbols or one: number, lead, and the market after them.
import { useId, useState } from 'react';
import type { AlertOutcomes, ValidationDetails } from '../../../shared/channels/validation.ts';
import { change, wholePercent } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import { type Column, Table } from '../../ui/table/table.tsx';

type Outcomes = NonNullable<ValidationDetails['outcomes']>;
type After = AlertOutcomes['after_alert'];

const messages = texts.validation.outcomes;
const NONE = '–';
const share = (value: number | null): string => (value === null ? NONE : `${wholePercent(100 * value)} %`);
const yearly = (value: number | null): string => (value === null ? NONE : value.toFixed(1));
const bars = (value: AlertOutcomes['alert_bars']): string =>
  value === null ? NONE : messages.quartiles(whole(value.median), whole(value.lower), whole(value.upper));
const whole = (value: number): string => String(Math.round(value));

interface Line {
  readonly name: string;
  readonly of: (outcomes: AlertOutcomes) => string;
}

const LINES: readonly Line[] = [
  { name: messages.signals, of: ({ signals_a_year }) => yearly(signals_a_year) },
  { name: messages.falseAlarms, of: ({ false_alarms_a_year }) => yearly(false_alarms_a_year) },
  { name: messages.length, of: ({ alert_bars }) => bars(alert_bars) },
  { name: messages.toBreach, of: ({ bars_to_breach }) => bars(bars_to_breach) },
  { name: messages.toTrough, of: ({ bars_to_trough }) => bars(bars_to_trough) },
  { name: messages.halfAhead, of: ({ half_ahead }) => share(half_ahead) },
  { name: messages.beforeHalf, of: ({ before_half_of_fall }) => share(before_half_of_fall) },
  { name: messages.onEve, of: ({ on_eve_of_breach }) => share(on_eve_of_breach) },
];

interface AfterLine {
  readonly name: string;
  readonly of: (after: NonNullable<After>) => string;
}

const AFTER: readonly AfterLine[] = [
  { name: messages.loss, of: ({ loss }) => share(loss) },
  { name: messages.halfLoss, of: ({ half_loss }) => share(half_loss) },
  { name: messages.meanReturn, of: ({ mean_return }) => change(mean_return) },
  { name: messages.volatility, of: ({ volatility }) => messages.times(volatility.toFixed(2)) },
];

/** Both windows of the chosen symbol, then the market after alerts in the hold-out window. */
export function AlertOutcomesSection({ outcomes }: { outcomes: Outcomes }) {
  const [chosen, setChosen] = useState('');
  const id = useId();
  const shown = outcomes.symbols.find(({ symbol }) => symbol === chosen) ?? outcomes;
  const columns: readonly Column<Line>[] = [
    { name: messages.figure, isRowHead: true, cell: ({ name }) => name },
    { name: texts.validation.windows.holdout, className: 'num', cellClass: 'md', cell: ({ of }) => of(shown.holdout) },
    { name: texts.validation.windows.full, className: 'num', cellClass: 't3', cell: ({ of }) => of(shown.full) },
  ];
  const { after_alert, otherwise } = shown.holdout;
  const cell = (after: After, of: AfterLine['of']): string => (after === null ? NONE : of(after));
  const afterColumns: readonly Column<AfterLine>[] = [
    { name: messages.after, isRowHead: true, cell: ({ name }) => name },
    { name: messages.inAlert, className: 'num', cellClass: 'md', cell: ({ of }) => cell(after_alert, of) },
    { name: messages.otherwise, className: 'num', cellClass: 't3', cell: ({ of }) => cell(otherwise, of) },
  ];
  return (
    <section aria-labelledby={id}>
      <header className="head">
        <h2 id={id}>{messages.heading}</h2>
        <span className="right">
          <select
            className="field outcomes-symbol"
            aria-label={messages.which}
            value={chosen}
            onChange={(event) => setChosen(event.target.value)}
          >
            <option value="">{messages.all(outcomes.symbols.length)}</option>
            {outcomes.symbols.map(({ symbol }) => (
              <option key={symbol}>{symbol}</option>
            ))}
          </select>
        </span>
      </header>
      <Table
        caption={messages.heading}
        className="outcomes"
        columns={columns}
        rows={LINES}
        keyOf={({ name }) => name}
      />
      <Table
        caption={messages.after}
        className="outcomes"
        columns={afterColumns}
        rows={AFTER}
        keyOf={({ name }) => name}
      />
      <p className="validation-foot">{messages.wider}</p>
    </section>
  );
}
