// Renderer: a back-test of a rule over the last 30 days of this ledger; notifies nobody.
import { DAY_MS } from '../../../shared/lib/time.ts';
import type { Rule } from '../../../shared/settings/alert-rules.ts';
import { DASH, shortTimestamp } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useChannelQuery } from '../../queries/use-channel-query.ts';
import { openAlert } from '../../store/alert-routes.ts';
import { useWorldMinute } from '../../store/connection-status.ts';
import { usePreference } from '../../store/preferences.ts';
import { useApp } from '../../store/store.ts';

import { QueryNotice } from '../../ui/loading-notice.tsx';
import { type Column, Table } from '../../ui/table/table.tsx';

const { backtest, editor } = texts.rules;

const eventName = (event: string): string =>
  Object.entries(texts.rules.events).find(([name]) => name === event)?.[1] ?? event;

/** Mounting the component starts a new back-test, with the rows received since. */
export function BacktestResult({ rule }: { rule: Rule }) {
  const zone = usePreference((preference) => preference.zone);
  const now = useWorldMinute();
  const rules = useApp((state) => state.features.alerting?.rules);
  const query = useChannelQuery('rules.backtest', { rule });
  const result = query.data ?? null;
  if (query.isError || result === null)
    return <QueryNotice query={query} loading={editor.trying} failed={editor.trying} />;
  const daysKnown = result.known_from === null ? 0 : Math.ceil((now - Date.parse(result.known_from)) / DAY_MS);
  const at = (iso: string): string => shortTimestamp(Date.parse(iso), zone, now);
  const columns: readonly Column<(typeof result.examples)[number]>[] = [
    { name: backtest.at, cellClass: 'cond', cell: (one) => at(one.at) },
    { name: backtest.symbol, cell: ({ symbol }) => symbol ?? DASH },
    { name: backtest.event, cell: ({ event }) => eventName(event) },
    {
      name: texts.alerts.acts.why,
      isSpoken: true,
      cell: (one) => (
        <button
          type="button"
          className="btn quiet"
          aria-label={texts.alerts.acts.whyFor(one.symbol ?? one.event)}
          onClick={() => openAlert(one)}
        >
          {texts.alerts.acts.why}
        </button>
      ),
    },
  ];
  return (
    <section className="al-backtest" aria-label={editor.try} aria-live="polite">
      <p className="al-sentence">
        {result.from === null
          ? backtest.nothing
          : backtest.notified(result.notified, result.at_night, result.brief, daysKnown)}
      </p>
      {result.from !== null && (
        <p className="t2">
          {backtest.rest(result.matched, result.not_sustained, result.quiet)}{' '}
          {backtest.examined(result.evaluated, at(result.from))} {backtest.night}
        </p>
      )}
      {result.also.map(({ rule: id, count }) => (
        <p className="t2" key={id}>
          {backtest.also(count, rules?.find((one) => one.id === id)?.rule?.name ?? id)}
        </p>
      ))}
      {result.examples.length > 0 && (
        <Table
          label={backtest.examples}
          columns={columns}
          rows={result.examples}
          keyOf={({ ledger_id }) => String(ledger_id)}
        />
      )}
    </section>
  );
}
