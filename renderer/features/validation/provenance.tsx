// Renderer, validation: provenance and limits of the figures, in the service's own words.
import type { ValidationRecord } from '../../../shared/channels/queries.ts';
import { dayAndYear, times, wholePercent } from '../../text/format.ts';
import { validationText as messages } from '../../text/validation.ts';
import { DescriptionItem, DescriptionList } from '../../ui/description-list.tsx';
import { fine } from './key-figures.tsx';

/** Parameters described in sentences; the rest is listed. */
const DESCRIBED_PARAMETERS = ['horizon', 'threshold_multiple', 'ahead', 'holdout_share'];

export function Provenance({ record }: { record: ValidationRecord }) {
  const { model_version, notes, details, symbols } = record;
  const { scorer, pooled, baselines, seen, too_short, windows, data_hash } = details;
  const { horizon, threshold_multiple: multiple, ahead } = scorer;
  const shuffled = baselines.find(({ name }) => name === 'shuffled')?.holdout ?? null;
  const others = Object.entries(scorer).filter(([name]) => !DESCRIBED_PARAMETERS.includes(name));
  const days = [...windows.map(({ from }) => from), ...windows.map(({ to }) => to)].sort();
  const [first, last] = [days[0], days.at(-1)];
  return (
    <>
      <section aria-label={messages.provenance}>
        <header className="head">
          <h2>{messages.provenance}</h2>
        </header>
        <DescriptionList narrow>
          <DescriptionItem name={messages.fields.model}>{model_version ?? messages.modelUnknown}</DescriptionItem>
          {multiple !== undefined && horizon !== undefined && (
            <DescriptionItem name={messages.fields.event}>
              {messages.event(String(multiple), String(horizon))}
            </DescriptionItem>
          )}
          {ahead !== undefined && (
            <DescriptionItem name={messages.fields.right}>
              {messages.rightIf(`${wholePercent(ahead * 100)} %`)}
            </DescriptionItem>
          )}
          {pooled !== null && (
            <>
              <DescriptionItem name={messages.fields.strict}>
                {messages.strict(
                  fine(pooled.full.strict_f1),
                  fine(pooled.holdout.strict_f1),
                  shuffled === null ? null : `F1 ${fine(shuffled)}`,
                )}
              </DescriptionItem>
              <DescriptionItem name={messages.fields.undecided}>
                {messages.undecided(pooled.holdout.late, pooled.holdout.undecided)}
              </DescriptionItem>
              <DescriptionItem name={messages.fields.rhythm}>
                {messages.rhythm(
                  `${wholePercent(pooled.holdout.in_alert * 100)} %`,
                  times(pooled.holdout.false_alarms_a_year),
                  pooled.holdout.lead_bars === null ? null : times(pooled.holdout.lead_bars),
                )}
              </DescriptionItem>
            </>
          )}
          {too_short.length > 0 && (
            <DescriptionItem name={messages.fields.short}>{too_short.join(', ')}</DescriptionItem>
          )}
          {seen !== null && <DescriptionItem name={messages.fields.fit}>{messages.seen(seen.length)}</DescriptionItem>}
          {first !== undefined && last !== undefined && (
            <DescriptionItem name={messages.fields.prices}>
              {messages.spanOf(dayAndYear(Date.parse(first)), dayAndYear(Date.parse(last)), data_hash)}
            </DescriptionItem>
          )}
          {others.length > 0 && (
            <DescriptionItem name={messages.fields.parameters}>
              {others.map(([name, value]) => `${name.replaceAll('_', ' ')} ${value}`).join(', ')}
            </DescriptionItem>
          )}
          {notes !== '' && <DescriptionItem name={messages.fields.notes}>{notes}</DescriptionItem>}
        </DescriptionList>
      </section>
      <section aria-label={messages.silent}>
        <header className="head">
          <h2>{messages.silent}</h2>
        </header>
        <ul className="silent">
          {messages.silentLines(symbols.length, pooled?.holdout.events ?? null).map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      </section>
    </>
  );
}
