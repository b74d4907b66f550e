// Renderer: how often this symbol's signals were right on hold-out days.
// Always shown beside a confidence.
import { callsOf, type KindRow, recordOf } from '../../../shared/channels/call-record.ts';
import type { ValidationRecord } from '../../../shared/channels/queries.ts';
import { DASH, dayAndYear, monthAndYear } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useCalls, useHoldOut } from '../../queries/hold-out.ts';
import { useSnapshot } from '../../store/store.ts';
import { Cell } from './header-cell.tsx';

/** A short form of the record, where the cell has no room. */
export function RecordInline({ symbol }: { symbol: string }) {
  const record = useCalls(symbol);
  return record === null ? null : (
    <span className="record-inline"> · {texts.header.right(record.right, record.calls)}</span>
  );
}

export function HoldOutCell({ symbol }: { symbol: string }) {
  const coverage = useSnapshot((snapshot) => snapshot.rows[symbol]?.coverage);
  const query = useHoldOut();
  const record = query.data ?? null;
  const found = record === null ? null : recordOf(record, symbol);
  if (coverage !== 'full') return <Cell className="holdout">{null}</Cell>;
  if (record !== null && found !== null) return <Found record={record} {...found} />;
  return (
    <Cell className="holdout" label={texts.header.holdout(symbol, null)}>
      <div className="figure t3">{DASH}</div>
      <div className="note wraps" title={query.error?.message}>
        {record !== null ? texts.header.notScored : query.isError ? texts.header.noRecord : texts.header.loadingRecord}
      </div>
      {query.isError && (
        <button type="button" className="btn quiet record-retry" onClick={() => void query.refetch()}>
          {texts.chart.tryAgain}
        </button>
      )}
    </Cell>
  );
}

function Found({ record, kind, row }: { record: ValidationRecord } & KindRow) {
  const { recall, events } = row.holdout;
  const { right, calls } = callsOf(row.holdout);
  const since = row.holdout_from === null ? '' : monthAndYear(Date.parse(row.holdout_from));
  return (
    <Cell className="holdout" label={texts.header.holdout(row.symbol, kind)}>
      <div className="figure">{calls === 0 ? texts.header.noCalls : texts.header.right(right, calls)}</div>
      <div
        className="note"
        title={texts.header.computed(dayAndYear(Date.parse(record.computed_at)), record.model_version ?? '')}
      >
        {events === null
          ? texts.header.caughtShare(Math.floor(recall * 100))
          : texts.header.caught(Math.round(recall * events), events)}
      </div>
      <div className="note more">{since === '' ? '' : texts.header.sinceMonth(since)}</div>
    </Cell>
  );
}
