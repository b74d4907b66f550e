// Renderer, validation: the user's alerts of the last twelve months: what followed, and when they were acknowledged.
import type { OwnAlerts as OwnAlertList } from '../../../shared/channels/worth.ts';
import { interval } from '../../../shared/domain/record-plots.ts';
import { count, datedDay, lasting, wholePercent } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useChannelQuery } from '../../queries/use-channel-query.ts';
import { useWorldNow } from '../../store/connection-status.ts';
import { QueryNotice } from '../../ui/loading-notice.tsx';
import { type Column, Table } from '../../ui/table/table.tsx';

const text = texts.worth.own;
type OwnAlert = OwnAlertList['alerts'][number];
/** Bars of a row. */
const MAX_BARS = 120;

const shareText = (value: number): string => `${wholePercent(100 * value)} %`;
const kindOf = ({ followed }: OwnAlert): keyof typeof text.legend =>
  followed === 'fall' || followed === 'no_fall' ? followed : 'other';

export function OwnAlerts({ symbols }: { readonly symbols: readonly string[] }) {
  const query = useChannelQuery('worth.alerts', { symbols: [...symbols] });
  if (query.data === undefined) return <QueryNotice query={query} loading={text.loading} failed={text.failed} />;
  const { alerts } = query.data;
  return (
    <section className="worth-own" aria-label={text.title(alerts.length)}>
      <h3>{text.title(alerts.length)}</h3>
      {alerts.length === 0 ? <p className="t2">{text.none}</p> : <Told alerts={alerts} />}
    </section>
  );
}

function Told({ alerts }: { readonly alerts: readonly OwnAlert[] }) {
  const now = useWorldNow();
  const falls = alerts.filter(({ followed }) => followed === 'fall').length;
  const decided = falls + alerts.filter(({ followed }) => followed === 'no_fall').length;
  const open = alerts.filter(({ followed }) => followed === 'open').length;
  const rest = text.rest(open, alerts.length - decided - open);
  const spans = alerts.flatMap(({ acked_after_ms: span }) => span ?? []).sort((a, b) => a - b);
  const median = spans[Math.floor((spans.length - 1) / 2)];
  const columns: readonly Column<OwnAlert>[] = [
    {
      name: text.columns.when,
      isRowHead: true,
      cell: ({ at }) => <time dateTime={at}>{datedDay(Date.parse(at), now)}</time>,
    },
    { name: text.columns.symbol, cell: ({ symbol }) => symbol },
    { name: text.columns.followed, cell: ({ followed }) => texts.inbox.followed[followed ?? 'unknown'] },
    {
      name: text.columns.acked,
      cell: ({ acked_after_ms: span }) => (span === null ? text.never : text.after(lasting(span))),
    },
  ];
  return (
    <>
      <p className="t2">
        {decided === 0 ? text.undecided : fellText(alerts, falls, decided)} {rest !== '' && `${rest}. `}
        {text.acked(spans.length, median === undefined ? null : lasting(median), alerts.length - spans.length)}
      </p>
      <div className="worth-bars" aria-hidden="true">
        {alerts.slice(-MAX_BARS).map((alert) => (
          <i key={alert.ledger_id} className={kindOf(alert)} />
        ))}
      </div>
      <p className="worth-legend" aria-hidden="true">
        {(['fall', 'no_fall', 'other'] as const).map((kind) => (
          <span key={kind}>
            <i className={kind} />
            {text.legend[kind]}
          </span>
        ))}
      </p>
      <details>
        <summary>{text.each}</summary>
        <Table
          caption={text.title(alerts.length)}
          columns={columns}
          rows={alerts.toReversed()}
          keyOf={({ ledger_id }) => String(ledger_id)}
        />
      </details>
    </>
  );
}

/** The share with Wilson's interval, beside how often such a fall follows any day, where all say so. */
function fellText(alerts: readonly OwnAlert[], falls: number, decided: number): string {
  const usual = alerts.filter((alert) => kindOf(alert) !== 'other').map((alert) => alert.usual);
  const sum = usual.reduce<number | null>((all, one) => (all === null || one === null ? null : all + one), 0);
  const { low, high } = interval(falls, decided) ?? { low: 0, high: 1 };
  return text.fell(
    falls,
    decided,
    shareText(falls / decided),
    texts.worth.range(count(100 * low), count(100 * high)),
    sum === null ? null : shareText(sum / usual.length / 100),
  );
}
