// Renderer, validation: baselines: simple rules, the alerts at other times, shuffled days.
import type { ValidationDetails } from '../../../shared/channels/validation.ts';
import { validationText as messages } from '../../text/validation.ts';
import { fine } from './key-figures.tsx';

interface Bar {
  readonly name: string;
  readonly full: number | null;
  readonly holdout: number | null;
  readonly own: boolean;
}

export function Baselines({ details: { baselines, pooled } }: { details: ValidationDetails }) {
  const others = baselines
    .map(({ name, full, holdout }): Bar => ({ name: messages.baseline(name), full, holdout, own: false }))
    .sort((a, b) => (a.full ?? 0) - (b.full ?? 0));
  const bars: Bar[] =
    pooled === null
      ? others
      : [...others, { name: messages.thisModel, full: pooled.full.f1, holdout: pooled.holdout.f1, own: true }];
  const most = Math.max(0.01, ...bars.flatMap(({ full, holdout }) => [full ?? 0, holdout ?? 0]));
  return (
    <section aria-label={messages.against}>
      <header className="head">
        <h2>{messages.against}</h2>
        <span className="sub right">{messages.againstSub}</span>
      </header>
      {others.length === 0 ? (
        <p className="empty">{messages.noBaselines}</p>
      ) : (
        <table className="baselines">
          <thead className="spoken">
            <tr>
              <th scope="col">{messages.against}</th>
              <th scope="col">{messages.againstSub}</th>
              <th scope="col">{messages.windows.full}</th>
              <th scope="col">{messages.windows.holdout}</th>
            </tr>
          </thead>
          <tbody>
            {bars.map(({ name, full, holdout, own }) => (
              <tr key={name} className={own ? 'own' : undefined}>
                <th scope="row" className="baseline-name">
                  {name}
                </th>
                <td className="baseline-bars">
                  {full !== null && <i className="hollow" style={{ width: `${(full / most) * 100}%` }} />}
                  {holdout !== null && <i style={{ width: `${(holdout / most) * 100}%` }} />}
                </td>
                <td className="num t3">{full === null ? '–' : fine(full)}</td>
                <td className="num">{holdout === null ? '–' : fine(holdout)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
