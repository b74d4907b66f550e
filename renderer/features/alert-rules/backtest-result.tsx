// Renderer: what a rule would have done with the last 30 days of this ledger. Nobody is notified.
import type { Rule } from '../../../shared/settings/alert-rules.ts';
import { useChannelQuery } from '../../queries/use-channel-query.ts';
import { openAlert } from '../../store/alert-routes.ts';
import { useWorldMinute } from '../../store/connection-status.ts';
import { usePreference } from '../../store/preferences.ts';
import { alerts as messages } from '../../text/alerts.ts';
import { DASH, shortTimestamp } from '../../text/format.ts';
import { ruleText } from '../../text/rules.ts';
import { ErrorNotice, LoadingNotice } from '../../ui/loading-notice.tsx';

const { backtest, editor } = ruleText;

/** Each mount tries the rule on what has come since. */
export function BacktestResult({ rule }: { rule: Rule }) {
  const zone = usePreference((preference) => preference.zone);
  const now = useWorldMinute();
  const query = useChannelQuery('rules.backtest', { rule });
  const result = query.data ?? null;
  if (query.isError)
    return <ErrorNotice what={editor.trying} why={query.error.message} onRetry={() => void query.refetch()} />;
  if (result === null) return <LoadingNotice what={editor.trying} progress={null} />;
  const at = (iso: string): string => shortTimestamp(Date.parse(iso), zone, now);
  return (
    <section className="al-backtest" aria-label={editor.try} aria-live="polite">
      <p className="al-sentence">
        {result.from === null ? backtest.nothing : backtest.notified(result.notified, result.at_night, result.brief)}
      </p>
      {result.from !== null && (
        <p className="t2">
          {backtest.rest(result.matched, result.not_sustained, result.quiet)}{' '}
          {backtest.examined(result.evaluated, at(result.from))} {backtest.night}
        </p>
      )}
      {result.examples.length > 0 && (
        <table className="table" aria-label={backtest.examples}>
          <thead>
            <tr>
              <th scope="col">{backtest.at}</th>
              <th scope="col">{backtest.symbol}</th>
              <th scope="col">{backtest.event}</th>
              <th scope="col">
                <span className="spoken">{messages.acts.why}</span>
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
                    aria-label={messages.acts.whyFor(one.symbol ?? one.event)}
                    onClick={() => openAlert(one)}
                  >
                    {messages.acts.why}
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
