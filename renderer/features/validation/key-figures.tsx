// Renderer, validation: all symbols together in four figures; each stands beside its full window and what it is made of.
import type { PooledScore, Rival } from '../../../shared/channels/validation.ts';
import { power } from '../../text/format.ts';
import { validationWords as words } from '../../text/validation.ts';

interface KeyFiguresProps {
  readonly pooled: { readonly full: PooledScore; readonly holdout: PooledScore };
  readonly rivals: readonly Rival[];
}

/** Three decimals without the leading zero: F1 is compared in hundredths. */
export const fine = (value: number): string => value.toFixed(3).replace(/^0\./, '.');

export function KeyFigures({ pooled: { full, holdout }, rivals }: KeyFiguresProps) {
  const chance = rivals.find(({ name }) => name === 'shifted')?.holdout ?? null;
  const judged = holdout.right + holdout.wrong;
  return (
    <dl className="key-figures">
      <Figure
        name={words.f1}
        value={fine(holdout.f1)}
        full={fine(full.f1)}
        note={words.f1Note(chance === null ? null : fine(chance))}
      />
      <Figure
        name={words.precision}
        value={power(holdout.precision)}
        full={power(full.precision)}
        note={words.precisionNote(holdout.right, judged)}
      />
      <Figure
        name={words.recall}
        value={power(holdout.recall)}
        full={power(full.recall)}
        note={words.recallNote(Math.round(holdout.recall * holdout.events), holdout.events)}
      />
      <Figure
        name={words.lift}
        value={holdout.day_lift === null ? null : holdout.day_lift.toFixed(2)}
        full={full.day_lift === null ? null : full.day_lift.toFixed(2)}
        note={holdout.day_lift === null ? words.notTold : words.liftNote(holdout.day_lift.toFixed(2))}
      />
    </dl>
  );
}

function Figure({
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
        {full !== null && <span className="t3 cond">{words.full(full)}</span>}
        <div className="t2">{note}</div>
      </dd>
    </div>
  );
}
