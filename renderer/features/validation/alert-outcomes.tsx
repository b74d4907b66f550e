// Renderer, validation: alerts of all symbols or one: number, lead, and the market after them.
import { useId, useState } from 'react';
import { AFTER_LINES, OUTCOME_LINES } from '../../../shared/channels/record-figures.ts';
import type { ValidationDetails } from '../../../shared/channels/validation.ts';
import { texts } from '../../../shared/text/texts.ts';
import { type Column, Table } from '../../ui/table/table.tsx';

type Outcomes = NonNullable<ValidationDetails['outcomes']>;
const messages = texts.validation.outcomes;

/** Both windows of the chosen symbol, then the market after alerts in the hold-out window. */
export function AlertOutcomesSection({ outcomes }: { outcomes: Outcomes }) {
  const [chosen, setChosen] = useState('');
  const id = useId();
  const shown = outcomes.symbols.find(({ symbol }) => symbol === chosen) ?? outcomes;
  const columns: readonly Column<(typeof OUTCOME_LINES)[number]>[] = [
    { name: messages.figure, isRowHead: true, cell: ({ name }) => name },
    { name: texts.validation.windows.holdout, className: 'num', cellClass: 'md', cell: ({ of }) => of(shown.holdout) },
    { name: texts.validation.windows.full, className: 'num', cellClass: 't3', cell: ({ of }) => of(shown.full) },
  ];
  const { after_alert, otherwise } = shown.holdout;
  const afterColumns: readonly Column<(typeof AFTER_LINES)[number]>[] = [
    { name: messages.after, isRowHead: true, cell: ({ name }) => name },
    { name: messages.inAlert, className: 'num', cellClass: 'md', cell: ({ of }) => of(after_alert) },
    { name: messages.otherwise, className: 'num', cellClass: 't3', cell: ({ of }) => of(otherwise) },
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
        rows={OUTCOME_LINES}
        keyOf={({ name }) => name}
      />
      <Table
        caption={messages.after}
        className="outcomes"
        columns={afterColumns}
        rows={AFTER_LINES}
        keyOf={({ name }) => name}
      />
      <p className="validation-foot">{messages.wider}</p>
    </section>
  );
}
