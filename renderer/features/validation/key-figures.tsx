// Renderer, validation: figures over all symbols, each beside its full window and its counts.
import type { PooledScore } from '../../../shared/channels/validation.ts';
import { power } from '../../../shared/text/format.ts';

import { texts } from '../../../shared/text/texts.ts';

interface KeyFiguresProps {
  readonly pooled: { readonly full: PooledScore; readonly holdout: PooledScore };
}

/** Three decimals without the leading zero: F1 scores differ by hundredths. */
export const fine = (value: number): string => value.toFixed(3).replace(/^0\./, '.');

export function KeyFigures({ pooled: { full, holdout } }: KeyFiguresProps) {
  const decided = holdout.right + holdout.wrong;
  return (
    <dl className="key-figures">
      <Figure
        name={texts.validation.precision}
        value={power(holdout.precision)}
        full={power(full.precision)}
        note={texts.validation.precisionNote(holdout.right, decided)}
      />
      <RecallFigure full={full} holdout={holdout} />
      <Figure
        name={texts.validation.lift}
        value={holdout.day_lift === null ? null : holdout.day_lift.toFixed(2)}
        full={full.day_lift === null ? null : full.day_lift.toFixed(2)}
        note={
          holdout.day_lift === null
            ? texts.validation.notProvided
            : texts.validation.liftNote(holdout.day_lift.toFixed(2))
        }
      />
    </dl>
  );
}

type Recall = Pick<PooledScore, 'recall' | 'events'>;

/** The recall over both windows, and how many events of the hold-out window it caught. */
export const RecallFigure = ({ full, holdout }: { full: Recall; holdout: Recall }) => (
  <Figure
    name={texts.validation.recall}
    value={power(holdout.recall)}
    full={power(full.recall)}
    note={texts.validation.recallNote(Math.round(holdout.recall * holdout.events), holdout.events)}
  />
);

export function Figure({
  name,
  value,
  full,
  note,
}: {
  name: string;
  value: string | null;
  full: string | null;
  note: string;
}) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <span className="key-figure">{value ?? '–'}</span>{' '}
        {full !== null && <span className="t3 cond">{texts.validation.full(full)}</span>}
        <div className="t2">{note}</div>
      </dd>
    </div>
  );
}
