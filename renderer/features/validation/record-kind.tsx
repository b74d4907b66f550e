// Renderer, validation: which of the two records is shown, and which alerts it belongs to.
import type { AlertKind } from '../../../shared/channels/call-record.ts';
import type { LiveRecord, ValidationRecord } from '../../../shared/channels/queries.ts';
import type { LiveScore } from '../../../shared/channels/validation.ts';
import { lasting, power } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { Figure, fine } from './key-figures.tsx';

interface RecordKindProps {
  readonly record: ValidationRecord;
  readonly live: LiveRecord;
  readonly kind: AlertKind;
  readonly onChange: (kind: AlertKind) => void;
}

/** The choice has the precision of both, so that neither is read without the other. */
export function RecordKind({ record, live, kind, onChange }: RecordKindProps) {
  const within = new Set(live.symbols.map(({ symbol }) => symbol));
  const atCloses = record.symbols.filter(({ symbol }) => !within.has(symbol)).length;
  const precision = {
    live: live.pooled === null ? null : power(live.pooled.holdout.precision),
    closes: record.details.pooled === null ? null : power(record.details.pooled.holdout.precision),
  };
  return (
    <div className="validation-kind">
      <SegmentedControl
        label={texts.validation.kind}
        options={(['live', 'closes'] as const).map((value) => ({
          value,
          label: texts.validation.kinds(value, precision[value]),
        }))}
        value={kind}
        onChange={onChange}
      />
      <p>{kind === 'live' ? texts.validation.belongsLive(within.size) : texts.validation.belongsCloses(atCloses)}</p>
    </div>
  );
}

/** Four figures of alerts within the day, each beside its full window and a note on chance or counts. */
export function LiveFigures({
  pooled: { full, holdout },
}: {
  readonly pooled: { readonly full: LiveScore; readonly holdout: LiveScore };
}) {
  const share = (value: number | null): string | null => (value === null ? null : fine(value));
  return (
    <dl className="key-figures">
      <Figure
        name={texts.validation.precision}
        value={fine(holdout.precision)}
        full={fine(full.precision)}
        note={texts.validation.livePrecisionNote(
          holdout.right,
          holdout.right + holdout.wrong,
          share(holdout.chance.precision),
        )}
      />
      <Figure
        name={texts.validation.strictPrecision}
        value={share(holdout.strict_precision)}
        full={share(full.strict_precision)}
        note={texts.validation.strictNote(share(holdout.chance.strict_precision))}
      />
      <Figure
        name={texts.validation.recall}
        value={power(holdout.recall)}
        full={power(full.recall)}
        note={texts.validation.recallNote(Math.round(holdout.recall * holdout.events), holdout.events)}
      />
      <Figure
        name={texts.validation.lasting}
        value={minutes(holdout.median_minutes)}
        full={minutes(full.median_minutes)}
        note={texts.validation.lastingNote(holdout.held_to_close, holdout.within_day)}
      />
    </dl>
  );
}

const minutes = (value: number | null): string | null => (value === null ? null : lasting(value * 60_000));
