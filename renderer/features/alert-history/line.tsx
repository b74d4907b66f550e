// Renderer: a line of the alert history: episode or transition, outcome and track record.

import { memo } from 'react';
import { chanceOf } from '../../../shared/domain/fall-chance.ts';
import { regimeLabel } from '../../../shared/domain/regimes.ts';
import { stateLabel } from '../../../shared/domain/states.ts';
import {
  chanceFigure,
  DASH,
  lasting,
  marketTime,
  shortDatedDay,
  shortTimestamp,
  times,
} from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import { sessionMs } from '../../charts/model.ts';
import { useCalls } from '../../queries/hold-out.ts';
import { useIsOffline, useWorldMinute } from '../../store/connection-status.ts';
import { usePreference } from '../../store/preferences.ts';
import { useStakeFigure, useStakeText } from '../../store/risk-order.ts';
import { baseRateOf } from '../../store/select.ts';
import { useSnapshot } from '../../store/store.ts';
import { useSymbolCalendar } from '../../store/symbol-calendar.ts';
import { Glyph, StateLabel } from '../../ui/glyph.tsx';
import { rowProps } from '../../ui/list/use-list.ts';
import { useOutcomeLabel } from '../inbox/index.ts';
import { EpisodeHistory } from './episode-history.tsx';
import { startOf } from './episodes.ts';
import { isAtStake, type Line } from './filters.ts';
import { type Mode, useView, view } from './view-store.ts';

interface LineProps {
  readonly line: Line;
  readonly mode: Mode;
  /** Something is held: what is at stake has a column. */
  readonly hasBook: boolean;
  /** Position in the whole grid, from 1. */
  readonly index: number;
  readonly isTabStop: boolean;
  /** Its trace is open beside the list. */
  readonly isOpen: boolean;
  readonly onOpen: (id: number) => void;
  readonly onChoose: (id: number, isRange: boolean) => void;
}

export const LineRow = memo(function LineRow(props: LineProps) {
  const { line, mode, hasBook, index, isTabStop, isOpen, onOpen, onChoose } = props;
  const zone = usePreference((preference) => preference.zone);
  const isChosen = useView(({ chosen }) => chosen.has(line.id));
  const now = useWorldMinute();
  const isOffline = useIsOffline();
  const outcome = useOutcomeLabel()(line.outcome);
  const { symbol, asset_class, regime } = line.subject.alert.transition;
  const [start, end] = [startOf(line), line.to ?? now];
  const calendar = useSymbolCalendar(symbol, asset_class);
  const startLabel =
    line.isBeforeLog === true
      ? texts.alerts.closeOf(shortDatedDay(sessionMs(start), now))
      : line.from === null
        ? texts.alerts.before(shortTimestamp(start, zone, now))
        : shortTimestamp(start, zone, now);
  const endLabel =
    line.to !== null
      ? shortTimestamp(line.to, zone, now)
      : isOffline
        ? texts.record.notKnown
        : line.present !== null && line.present < line.peak
          ? texts.alerts.presently(line.present)
          : texts.alerts.open;
  // Without a known beginning, the durations are lower bounds.
  const least = line.from === null ? texts.alerts.atLeast : (length: string) => length;
  const stake = useStakeText(symbol);
  const figure = useStakeFigure(symbol);
  const needs = line.outcome.kind === 'needs_you';
  return (
    <tr
      className={`al-row${needs ? ` needs state-${line.subject.alert.transition.to_state}` : ''}${isOpen ? ' is-open' : ''}`}
      aria-selected={isChosen}
      aria-rowindex={index}
      aria-label={texts.alerts.rowName([
        symbol,
        stateLabel(line.peak),
        startLabel,
        endLabel,
        line.isBeforeLog === true ? texts.alerts.beforeLog : '',
        outcome,
        isAtStake(line) ? (stake ?? '') : '',
        line.subject.alert.note === '' ? '' : texts.alerts.noteLabel,
      ])}
      {...rowProps(String(line.id), isTabStop)}
      onClick={(event) => {
        // The check box chooses; a click elsewhere in the line opens it.
        if (event.target instanceof Element && event.target.closest('.al-choose') !== null) return;
        if (event.shiftKey || event.ctrlKey || event.metaKey) onChoose(line.id, event.shiftKey);
        else onOpen(line.id);
      }}
    >
      <td className="al-choose">
        <label>
          <input
            type="checkbox"
            tabIndex={-1}
            checked={isChosen}
            aria-label={texts.alerts.choose(symbol, startLabel)}
            onChange={() => view.toggle(line.id)}
          />
        </label>
      </td>
      <td className="al-glyph">
        <Glyph name={line.peak} size={13} />
      </td>
      <td className="al-sym">{symbol}</td>
      <td className="al-state">
        <StateLabel state={line.peak} />
      </td>
      {mode === 'episodes' && (
        <td className="al-history-cell">
          <EpisodeHistory segments={line.segments} ended={line.to !== null} now={now} />
        </td>
      )}
      <td className="cond al-start" title={line.isBeforeLog === true ? texts.alerts.beforeLog : undefined}>
        {startLabel}
      </td>
      <td className={line.to === null ? 'cond al-end md' : 'cond al-end t3'}>{endLabel}</td>
      <td className="num cond al-clock t2">{least(lasting(end - start))}</td>
      <td className="num cond al-market">{least(marketTime(calendar, start, end))}</td>
      <Chance line={line} />
      {hasBook && (
        <td className="num cond al-stake" title={isAtStake(line) ? (stake ?? undefined) : undefined}>
          {isAtStake(line) ? (figure ?? DASH) : ''}
        </td>
      )}
      <td className="cond al-regime t2 ell">{regime === null ? DASH : regimeLabel(regime)}</td>
      <td className={needs ? 'cond al-outcome md ell' : 'cond al-outcome t2 ell'} title={outcome}>
        {outcome}
        {line.subject.alert.note !== '' && (
          <span className="al-note" title={line.subject.alert.note}>
            {line.subject.alert.note}
          </span>
        )}
      </td>
    </tr>
  );
});

/** Shows the chance of a fall, how usual it is, and for High Risk the track record. */
function Chance({ line }: { line: Line }) {
  const { symbol, to_state: state, occurred_at } = line.subject.alert.transition;
  const rate = useSnapshot((snapshot) => baseRateOf(snapshot, line.subject.alert));
  const record = useCalls(symbol, Date.parse(occurred_at));
  const chance =
    line.isPeakOlder === true ? null : chanceOf({ ...line.subject.alert.transition, state, base_rate: rate });
  return (
    <>
      <td className="num cond al-conf">
        {chance === null ? DASH : `${chanceFigure(chance.percent)}\u00a0%`}
        <span className="al-times t3">
          {chance?.timesUsual == null ? '' : texts.alerts.timesUsual(times(chance.timesUsual))}
        </span>
      </td>
      <td className="num cond al-right t2">
        {line.peak < 2 ? '' : record === null ? DASH : texts.alerts.right(record.right, record.calls)}
      </td>
    </>
  );
}
