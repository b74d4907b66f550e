// Renderer, validation: where the figures come from, in the scorer's parameters and the service's own words; and what they do not say.
import type { ValidationRecord } from '../../../shared/channels/readings.ts';
import { dayAndYear, times, wholePercent } from '../../text/format.ts';
import { validationWords as words } from '../../text/validation.ts';
import { Fact, Facts } from '../../ui/facts.tsx';
import { fine } from './key-figures.tsx';

/** Parameters that are told in sentences; the rest is listed. */
const TOLD = ['horizon', 'threshold_multiple', 'ahead', 'holdout_share'];

export function Provenance({ record }: { record: ValidationRecord }) {
  const { model_version, notes, details, symbols } = record;
  const { scorer, pooled, rivals, seen, too_short, windows, data_hash } = details;
  const { horizon, threshold_multiple: multiple, ahead } = scorer;
  const shuffled = rivals.find(({ name }) => name === 'shuffled')?.holdout ?? null;
  const others = Object.entries(scorer).filter(([name]) => !TOLD.includes(name));
  const days = [...windows.map(({ from }) => from), ...windows.map(({ to }) => to)].sort();
  const [first, last] = [days[0], days.at(-1)];
  return (
    <>
      <section aria-label={words.provenance}>
        <header className="head">
          <h2>{words.provenance}</h2>
        </header>
        <Facts narrow>
          <Fact name={words.facts.model}>{model_version ?? words.modelUnknown}</Fact>
          {multiple !== undefined && horizon !== undefined && (
            <Fact name={words.facts.event}>{words.event(String(multiple), String(horizon))}</Fact>
          )}
          {ahead !== undefined && (
            <Fact name={words.facts.right}>{words.rightIf(`${wholePercent(ahead * 100)} %`)}</Fact>
          )}
          {pooled !== null && (
            <>
              <Fact name={words.facts.strict}>
                {words.strict(
                  fine(pooled.full.strict_f1),
                  fine(pooled.holdout.strict_f1),
                  shuffled === null ? null : `F1 ${fine(shuffled)}`,
                )}
              </Fact>
              <Fact name={words.facts.undecided}>{words.undecided(pooled.holdout.late, pooled.holdout.undecided)}</Fact>
              <Fact name={words.facts.rhythm}>
                {words.rhythm(
                  `${wholePercent(pooled.holdout.in_alert * 100)} %`,
                  times(pooled.holdout.false_alarms_a_year),
                  pooled.holdout.lead_bars === null ? null : times(pooled.holdout.lead_bars),
                )}
              </Fact>
            </>
          )}
          {too_short.length > 0 && <Fact name={words.facts.short}>{too_short.join(', ')}</Fact>}
          {seen !== null && <Fact name={words.facts.fit}>{words.seen(seen.length)}</Fact>}
          {first !== undefined && last !== undefined && (
            <Fact name={words.facts.prices}>
              {words.spanOf(dayAndYear(Date.parse(first)), dayAndYear(Date.parse(last)), data_hash)}
            </Fact>
          )}
          {others.length > 0 && (
            <Fact name={words.facts.parameters}>
              {others.map(([name, value]) => `${name.replaceAll('_', ' ')} ${value}`).join(', ')}
            </Fact>
          )}
          {notes !== '' && <Fact name={words.facts.notes}>{notes}</Fact>}
        </Facts>
      </section>
      <section aria-label={words.silent}>
        <header className="head">
          <h2>{words.silent}</h2>
        </header>
        <ul className="silent">
          {words.silentLines(symbols.length, pooled?.holdout.events ?? null).map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      </section>
    </>
  );
}
