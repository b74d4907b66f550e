// Renderer: how often this symbol's signals were right on hold-out days.
// Always shown beside a confidence.
import type { ValidationRecord } from '../../../shared/channels/queries.ts';
import { DASH, dayAndYear, monthAndYear } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import { callsOf, type KindRow, recordOf, useCalls, useHoldOut } from '../../queries/hold-out.ts';
import { useSnapshot } from '../../store/store.ts';
import { Cell } from './header-cell.tsx';

/** A short form of the record, where the cell has no room. */
export function RecordInline({ symbol }: { symbol: string }) {
  const record = useCalls(symbol);
  return record === null ? null : (
    <span className="record-inline"> · {texts.common.header.right(record.right, record.calls)}</span>
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
    <Cell className="holdout" label={texts.common.header.holdout(symbol, null)}>
      <div className="figure t3">{DASH}</div>
      <div className="note wraps" title={query.error?.message}>
        {record !== null
          ? texts.common.header.notScored
          : query.isError
            ? texts.common.header.noRecord
            : texts.common.header.loadingRecord}
      </div>
      {query.isError && (
        <button type="button" className="btn quiet record-retry" onClick={() => void query.refetch()}>
          {texts.common.chart.tryAgain}
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
    <Cell className="holdout" label={texts.common.header.holdout(row.symbol, kind)}>
      <div className="figure">
        {calls === 0 ? texts.common.header.noCalls : texts.common.header.right(right, calls)}
      </div>
      <div
        className="note"
        title={texts.common.header.computed(dayAndYear(Date.parse(record.computed_at)), record.model_version ?? '')}
      >
        {events === null
          ? texts.common.header.caughtShare(Math.floor(recall * 100))
          : texts.common.header.caught(Math.round(recall * events), events)}
      </div>
      <div className="note more">{since === '' ? '' : texts.common.header.sinceMonth(since)}</div>
    </Cell>
  );
}
