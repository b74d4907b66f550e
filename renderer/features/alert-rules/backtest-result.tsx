// Renderer: a back-test of a rule over the last 30 days of this ledger; notifies nobody.

import type { PriceBacktest } from '../../../shared/channels/price-alerts.ts';
import { DAY_MS } from '../../../shared/lib/time.ts';
import type { Rule } from '../../../shared/settings/alert-rules.ts';
import { change, DASH, dayAndYear, price, shortTimestamp } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import { sessionMs } from '../../charts/model.ts';
import { useChannelQuery } from '../../queries/use-channel-query.ts';
import { useWorldMinute } from '../../store/connection-status.ts';
import { usePreference } from '../../store/preferences.ts';
import { openAlert } from '../../store/route.ts';
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

const { backtest: text } = texts.priceRules;
type Example = PriceBacktest['examples'][number];

/** A close at midnight belongs to the day that it ends. */
const dayOfClose = (at: string): string => dayAndYear(sessionMs(Date.parse(at)));

/** The test of a rule on prices on the closes of the last 30 days; notifies nobody. */
export function PriceBacktestResult({ rule }: { rule: Rule }) {
  const query = useChannelQuery('priceAlerts.backtest', { rule });
  const result = query.data ?? null;
  if (query.isError || result === null)
    return <QueryNotice query={query} loading={text.loading} failed={editor.trying} />;
  const isWithin = rule.price?.kind === 'change' && rule.price.minutes !== null;
  const columns: readonly Column<Example>[] = [
    { name: backtest.at, cellClass: 'cond', cell: ({ at }) => dayOfClose(at) },
    { name: backtest.symbol, cell: ({ symbol }) => symbol },
    { name: text.price, className: 'num', cell: (one) => price(one.price) },
    ...(rule.price?.kind === 'change'
      ? [{ name: text.change, className: 'num', cell: (one: Example) => change(one.change_pct) }]
      : []),
  ];
  return (
    <section className="al-backtest" aria-label={editor.try} aria-live="polite">
      <p className="al-sentence">
        {isWithin
          ? text.within
          : result.from === null
            ? text.nothing
            : text.notified(result.notified, result.closes, result.symbols, dayOfClose(result.from))}
      </p>
      {!isWithin && result.from !== null && <p className="t2">{text.closes}</p>}
      {!isWithin && result.untested.length > 0 && <p className="t2">{text.untested(result.untested)}</p>}
      {result.without.length > 0 && <p className="t2">{text.without(result.without)}</p>}
      {result.examples.length > 0 && (
        <Table
          label={backtest.examples}
          columns={columns}
          rows={result.examples}
          keyOf={({ symbol, at }) => `${symbol} ${at}`}
        />
      )}
    </section>
  );
}
