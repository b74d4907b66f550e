// Renderer: how often this symbol's signals were right on hold-out days.
// Always shown beside a confidence.
import type { ValidationRecord } from '../../../shared/channels/queries.ts';
import { callsOf, useCalls, useHoldOut } from '../../queries/hold-out.ts';
import { useSnapshot } from '../../store/store.ts';
import { en } from '../../text/en.ts';
import { DASH, dayAndYear, monthAndYear } from '../../text/format.ts';
import { Cell } from './header-cell.tsx';

/** A short form of the record, where the cell has no room. */
export function RecordInline({ symbol }: { symbol: string }) {
  const record = useCalls(symbol);
  return record === null ? null : (
    <span className="record-inline"> · {en.header.right(record.right, record.calls)}</span>
  );
}

export function HoldOutCell({ symbol }: { symbol: string }) {
  const coverage = useSnapshot((snapshot) => snapshot.rows[symbol]?.coverage);
  const query = useHoldOut();
  const record = query.data ?? null;
  const found = record?.symbols.find((row) => row.symbol === symbol);
  if (coverage !== 'full') return <Cell className="holdout">{null}</Cell>;
  if (record !== null && found !== undefined) return <Found record={record} row={found} />;
  return (
    <Cell className="holdout" label={en.header.holdout(symbol)}>
      <div className="figure t3">{DASH}</div>
      <div className="note wraps" title={query.error?.message}>
        {record !== null ? en.header.notScored : query.isError ? en.header.noRecord : en.header.loadingRecord}
      </div>
      {query.isError && (
        <button type="button" className="btn quiet record-retry" onClick={() => void query.refetch()}>
          {en.chart.tryAgain}
        </button>
      )}
    </Cell>
  );
}

function Found({ record, row }: { record: ValidationRecord; row: ValidationRecord['symbols'][number] }) {
  const { recall, events } = row.holdout;
  const { right, calls } = callsOf(row.holdout);
  const since = row.holdout_from === null ? '' : monthAndYear(Date.parse(row.holdout_from));
  return (
    <Cell className="holdout" label={en.header.holdout(row.symbol)}>
      <div className="figure">{calls === 0 ? en.header.noCalls : en.header.right(right, calls)}</div>
      <div
        className="note"
        title={en.header.computed(dayAndYear(Date.parse(record.computed_at)), record.model_version ?? '')}
      >
        {events === null
          ? en.header.caughtShare(Math.floor(recall * 100))
          : en.header.caught(Math.round(recall * events), events)}
      </div>
      <div className="note more">{since === '' ? '' : en.header.sinceMonth(since)}</div>
    </Cell>
  );
}
