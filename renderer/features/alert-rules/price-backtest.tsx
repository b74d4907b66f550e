// Renderer: the test of a rule on prices on the closes of the last 30 days; notifies nobody.
import type { PriceBacktest } from '../../../shared/channels/price-alerts.ts';
import type { Rule } from '../../../shared/settings/alert-rules.ts';
import { change, dayAndYear, price } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import { sessionMs } from '../../charts/model.ts';
import { useChannelQuery } from '../../queries/use-channel-query.ts';
import { QueryNotice } from '../../ui/loading-notice.tsx';
import { type Column, Table } from '../../ui/table/table.tsx';

const { backtest: text } = texts.priceAlerts;
const { backtest, editor } = texts.rules;
type Example = PriceBacktest['examples'][number];

/** A close at midnight belongs to the day that it ends. */
const dayOfClose = (at: string): string => dayAndYear(sessionMs(Date.parse(at)));

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
