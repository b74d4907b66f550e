// Renderer, validation: provenance and limits of the figures, in the service's own words.
import type { ValidationRecord } from '../../../shared/channels/queries.ts';
import { fine } from '../../../shared/channels/record-figures.ts';
import { isOwnModel } from '../../../shared/domain/model-version.ts';
import { dayAndYear, wholePercent } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import { DescriptionItem, DescriptionList } from '../../ui/description-list.tsx';

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
      <section aria-label={texts.validation.provenance}>
        <header className="head">
          <h2>{texts.validation.provenance}</h2>
        </header>
        <DescriptionList narrow>
          <DescriptionItem name={texts.validation.fields.model}>
            {model_version === null
              ? texts.validation.modelUnknown
              : texts.validation.model(model_version, isOwnModel(model_version))}
          </DescriptionItem>
          {multiple !== undefined && horizon !== undefined && (
            <DescriptionItem name={texts.validation.fields.event}>
              {texts.validation.event(String(multiple), String(horizon))}
            </DescriptionItem>
          )}
          {ahead !== undefined && (
            <DescriptionItem name={texts.validation.fields.right}>
              {texts.validation.rightIf(`${wholePercent(ahead * 100)} %`)}
            </DescriptionItem>
          )}
          {pooled !== null && (
            <>
              <DescriptionItem name={texts.validation.fields.strict}>
                {texts.validation.strict(
                  fine(pooled.full.strict_f1),
                  fine(pooled.holdout.strict_f1),
                  shuffled === null ? null : `F1 ${fine(shuffled)}`,
                )}
              </DescriptionItem>
              <DescriptionItem name={texts.validation.fields.undecided}>
                {texts.validation.undecided(pooled.holdout.late, pooled.holdout.undecided)}
              </DescriptionItem>
            </>
          )}
          {too_short.length > 0 && (
            <DescriptionItem name={texts.validation.fields.short}>{too_short.join(', ')}</DescriptionItem>
          )}
          {seen !== null && (
            <DescriptionItem name={texts.validation.fields.fit}>{texts.validation.seen(seen.length)}</DescriptionItem>
          )}
          {first !== undefined && last !== undefined && (
            <DescriptionItem name={texts.validation.fields.prices}>
              {texts.validation.spanOf(dayAndYear(Date.parse(first)), dayAndYear(Date.parse(last)), data_hash)}
            </DescriptionItem>
          )}
          {others.length > 0 && (
            <DescriptionItem name={texts.validation.fields.parameters}>
              {others.map(([name, value]) => `${name.replaceAll('_', ' ')} ${value}`).join(', ')}
            </DescriptionItem>
          )}
          {notes !== '' && <DescriptionItem name={texts.validation.fields.notes}>{notes}</DescriptionItem>}
        </DescriptionList>
      </section>
      <section aria-label={texts.validation.silent}>
        <header className="head">
          <h2>{texts.validation.silent}</h2>
        </header>
        <ul className="silent">
          {texts.validation.silentLines(symbols.length, pooled?.holdout.events ?? null).map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      </section>
    </>
  );
}
