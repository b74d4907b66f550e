// Renderer, validation: baselines: simple rules, the alerts at other times, shuffled days.

import { fine, uncertaintyText } from '../../../shared/channels/record-figures.ts';
import type { ValidationDetails } from '../../../shared/channels/validation.ts';
import { texts } from '../../../shared/text/texts.ts';
import { type Column, Table } from '../../ui/table/table.tsx';

interface Bar {
  readonly name: string;
  readonly full: number | null;
  readonly holdout: number | null;
  readonly own: boolean;
}

/** @param most the value of a full bar */
const columnsOf = (most: number): readonly Column<Bar>[] => [
  { name: texts.validation.against, className: 'baseline-name', isRowHead: true, cell: ({ name }) => name },
  {
    name: texts.validation.againstSub,
    className: 'baseline-bars',
    cell: ({ full, holdout }) => (
      <>
        {full !== null && <i className="hollow" style={{ width: `${(full / most) * 100}%` }} />}
        {holdout !== null && <i style={{ width: `${(holdout / most) * 100}%` }} />}
      </>
    ),
  },
  { name: texts.validation.windows.full, className: 'num', cellClass: 't3', cell: ({ full }) => figure(full) },
  { name: texts.validation.windows.holdout, className: 'num', cell: ({ holdout }) => figure(holdout) },
];

const figure = (value: number | null): string => (value === null ? '–' : fine(value));

export function Baselines({ details: { baselines, pooled, uncertainty } }: { details: ValidationDetails }) {
  const uncertain = uncertainty.holdout === null ? null : uncertaintyText(uncertainty.holdout);
  const others = baselines
    .map(({ name, full, holdout }): Bar => ({ name: texts.validation.baseline(name), full, holdout, own: false }))
    .sort((a, b) => (a.full ?? 0) - (b.full ?? 0));
  const bars: Bar[] =
    pooled === null
      ? others
      : [...others, { name: texts.validation.thisModel, full: pooled.full.f1, holdout: pooled.holdout.f1, own: true }];
  return (
    <section aria-label={texts.validation.against}>
      <header className="head">
        <h2>{texts.validation.against}</h2>
        <span className="sub right">{texts.validation.againstSub}</span>
      </header>
      {others.length === 0 ? (
        <p className="empty">{texts.validation.noBaselines}</p>
      ) : (
        <Table
          className="baselines"
          head="spoken"
          columns={columnsOf(Math.max(0.01, ...bars.flatMap(({ full, holdout }) => [full ?? 0, holdout ?? 0])))}
          rows={bars}
          keyOf={({ name }) => name}
          rowClass={({ own }) => (own ? 'own' : '')}
        />
      )}
      {uncertain !== null && <p className="validation-foot">{uncertain}</p>}
    </section>
  );
}
