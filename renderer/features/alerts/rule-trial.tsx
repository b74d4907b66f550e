// Renderer: what a rule would have done with the last 30 days of this ledger. Nothing is told.
import type { Rule } from '../../../shared/domain/alert-rules.ts';
import { usePreference } from '../../store/preferences.ts';
import { useWorldMinute } from '../../store/sight.ts';
import { alerts as words } from '../../text/alerts.ts';
import { DASH, moment } from '../../text/format.ts';
import { ruleWords } from '../../text/rules.ts';
import { Awaited, Failed } from '../../ui/awaited.tsx';
import { useAnswer } from '../../use-answer.ts';
import { openAlert } from './open.ts';

const { trial, editor } = ruleWords;

/** @param turn grows with every trying: a rule is tried again on what came since */
export function RuleTrial({ rule, turn, onAgain }: { rule: Rule; turn: number; onAgain: () => void }) {
  const zone = usePreference((preference) => preference.zone);
  const now = useWorldMinute();
  const slot = useAnswer('rules.try', { rule }, turn);
  const result = slot?.value ?? null;
  if (slot?.status === 'failed') return <Failed what={editor.trying} why={slot.problem} onRetry={onAgain} />;
  if (result === null) return <Awaited what={editor.trying} progress={null} />;
  const at = (iso: string): string => moment(Date.parse(iso), zone, now);
  return (
    <section className="al-trial" aria-label={editor.try} aria-live="polite">
      <p className="al-sentence">
        {result.from === null ? trial.nothing : trial.told(result.told, result.at_night, result.brief)}
      </p>
      {result.from !== null && (
        <p className="t2">
          {trial.rest(result.matched, result.not_held, result.quiet)} {trial.looked(result.looked_at, at(result.from))}{' '}
          {trial.night}
        </p>
      )}
      {result.examples.length > 0 && (
        <table className="table" aria-label={trial.examples}>
          <thead>
            <tr>
              <th scope="col">{trial.at}</th>
              <th scope="col">{trial.symbol}</th>
              <th scope="col">{trial.event}</th>
              <th scope="col">
                <span className="spoken">{words.acts.why}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {result.examples.map((one) => (
              <tr key={one.ledger_id}>
                <td className="cond">{at(one.at)}</td>
                <td>{one.symbol ?? DASH}</td>
                <td className="mono">{one.event}</td>
                <td>
                  <button
                    type="button"
                    className="btn quiet"
                    aria-label={words.acts.whyFor(one.symbol ?? one.event)}
                    onClick={() => openAlert(one)}
                  >
                    {words.acts.why}
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
