// Renderer: how often the signals of this symbol were right on days that the model had not seen. Confidence never stands without it.
import { useEffect } from 'react';
import type { ValidationRecord } from '../../../shared/channels/readings.ts';
import { every } from '../../../shared/lib/clock.ts';
import { useServices } from '../../services.ts';
import { useBlind } from '../../store/sight.ts';
import { useApp, useBoard } from '../../store/store.ts';
import { en } from '../../text/en.ts';
import { DASH, dayAndYear, monthAndYear } from '../../text/format.ts';
import { Cell } from './header-cell.tsx';

/** The record in a few words, for where there is no room for the cell. */
export function RecordInline({ symbol }: { symbol: string }) {
  const row = useApp((state) => state.shelves.validation['']?.value?.symbols.find((each) => each.symbol === symbol));
  if (row === undefined || row.holdout.n_signals === 0) return null;
  const { precision, n_signals } = row.holdout;
  return <span className="record-inline"> · {en.header.right(Math.round(precision * n_signals), n_signals)}</span>;
}

/** The core keeps the answer as long; asking more often would show nothing new, ms. */
const GOOD_FOR = 15 * 60_000;
/** A service that has just begun to reckon needs a while, ms. */
const AGAIN = 20_000;

export function HoldOutCell({ symbol }: { symbol: string }) {
  const { readings, clock } = useServices();
  const blind = useBlind();
  const coverage = useBoard((board) => board.rows[symbol]?.coverage);
  const model = useBoard((board) => board.rows[symbol]?.signal?.model_version ?? null);
  const slot = useApp((state) => state.shelves.validation['']);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another model has another record.
  useEffect(() => {
    if (blind) return;
    readings.validation();
    return every(clock, GOOD_FOR, readings.validation);
  }, [readings, clock, blind, model]);
  const isFailed = slot?.status === 'failed';
  useEffect(() => (isFailed && !blind ? clock.after(AGAIN, readings.validation) : undefined), [readings, clock, isFailed, blind]);
  const record = slot?.value ?? null;
  const found = record?.symbols.find((row) => row.symbol === symbol);
  if (coverage !== 'full') return <Cell className="holdout">{null}</Cell>;
  if (record !== null && found !== undefined) return <Found record={record} row={found} />;
  return (
    <Cell className="holdout" label={en.header.holdout(symbol)}>
      <div className="figure t3">{DASH}</div>
      <div className="note wraps" title={slot?.problem ?? undefined}>
        {record !== null ? en.header.notScored : slot?.status === 'failed' ? en.header.noRecord : en.header.awaitingRecord}
      </div>
      {slot?.status === 'failed' && (
        <button type="button" className="btn quiet record-retry" onClick={readings.validation}>
          {en.chart.tryAgain}
        </button>
      )}
    </Cell>
  );
}

function Found({ record, row }: { record: ValidationRecord; row: ValidationRecord['symbols'][number] }) {
  const { precision, recall, n_signals, events } = row.holdout;
  const right = Math.round(precision * n_signals);
  const since = row.holdout_from === null ? '' : monthAndYear(Date.parse(row.holdout_from));
  return (
    <Cell className="holdout" label={en.header.holdout(row.symbol)}>
      <div className="figure">{n_signals === 0 ? en.header.noCalls : en.header.right(right, n_signals)}</div>
      <div className="note" title={en.header.computed(dayAndYear(Date.parse(record.computed_at)), record.model_version ?? '')}>
        {events === null ? en.header.caughtShare(Math.floor(recall * 100)) : en.header.caught(Math.round(recall * events), events)}
      </div>
      <div className="note more">{since === '' ? '' : en.header.sinceMonth(since)}</div>
    </Cell>
  );
}
