// Renderer, validation: figures over all symbols, each beside its full window and its counts.
import type { KeyFigure } from '../../../shared/channels/record-figures.ts';
import { DASH } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';

export const KeyFigures = ({ figures }: { readonly figures: readonly KeyFigure[] }) => (
  <dl className="key-figures">
    {figures.map(({ name, value, full, note }) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>
          <span className="key-figure">{value ?? DASH}</span>{' '}
          {full !== null && <span className="t3 cond">{texts.validation.full(full)}</span>}
          <div className="t2">{note}</div>
        </dd>
      </div>
    ))}
  </dl>
);
