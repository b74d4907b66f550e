// Renderer, validation: four figures over all symbols, each beside its full window and its counts.
import type { Baseline, PooledScore } from '../../../shared/channels/validation.ts';
import { power } from '../../text/format.ts';
import { validationText as messages } from '../../text/validation.ts';

interface KeyFiguresProps {
  readonly pooled: { readonly full: PooledScore; readonly holdout: PooledScore };
  readonly baselines: readonly Baseline[];
}

/** Three decimals without the leading zero: F1 scores differ by hundredths. */
export const fine = (value: number): string => value.toFixed(3).replace(/^0\./, '.');

export function KeyFigures({ pooled: { full, holdout }, baselines }: KeyFiguresProps) {
  const chance = baselines.find(({ name }) => name === 'shifted')?.holdout ?? null;
  const decided = holdout.right + holdout.wrong;
  return (
    <dl className="key-figures">
      <Figure
        name={messages.f1}
        value={fine(holdout.f1)}
        full={fine(full.f1)}
        note={messages.f1Note(chance === null ? null : fine(chance))}
      />
      <Figure
        name={messages.precision}
        value={power(holdout.precision)}
        full={power(full.precision)}
        note={messages.precisionNote(holdout.right, decided)}
      />
      <Figure
        name={messages.recall}
        value={power(holdout.recall)}
        full={power(full.recall)}
        note={messages.recallNote(Math.round(holdout.recall * holdout.events), holdout.events)}
      />
      <Figure
        name={messages.lift}
        value={holdout.day_lift === null ? null : holdout.day_lift.toFixed(2)}
        full={full.day_lift === null ? null : full.day_lift.toFixed(2)}
        note={holdout.day_lift === null ? messages.notProvided : messages.liftNote(holdout.day_lift.toFixed(2))}
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
        {full !== null && <span className="t3 cond">{messages.full(full)}</span>}
        <div className="t2">{note}</div>
      </dd>
    </div>
  );
}
