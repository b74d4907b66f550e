// Renderer: one symbol of the watchlist.
import { memo } from 'react';
import type { Row } from '../../../shared/channels/state.ts';
import { useNow, useServices } from '../../services.ts';
import type { Column } from '../../store/preferences.ts';
import { type Face, faceOf } from '../../store/select.ts';
import { useBlind, useWorldNow } from '../../store/sight.ts';
import { useApp, useBoard } from '../../store/store.ts';
import { en } from '../../text/en.ts';
import { change, DASH, span, wholePercent } from '../../text/format.ts';
import { Changed } from '../../ui/changed.tsx';
import { Glyph } from '../../ui/glyph.tsx';
import { StateWord } from '../../ui/state-word.tsx';
import { ageWords, glyphOf, rowName, wordOf } from './row-words.ts';
import { Sparkline } from './sparkline.tsx';

interface WatchRowProps {
  readonly symbol: string;
  readonly columns: readonly Column[];
  /** Place in the whole grid, from 1. */
  readonly index: number;
  /** Whether the list's one tab stop is here. */
  readonly focusable: boolean;
  readonly draggable: boolean;
  /** What a drag does to it now. */
  readonly mark: 'dragged' | 'drop-above' | 'drop-below' | '';
}

export const WatchRow = memo(function WatchRow({ symbol, columns, index, focusable, draggable, mark }: WatchRowProps) {
  const { intents } = useServices();
  const row = useBoard((board) => board.rows[symbol]);
  const selected = useBoard((board) => board.selected === symbol);
  const blind = useBlind();
  const now = useNow();
  const worldNow = useWorldNow();
  const face = faceOf(row, blind);
  const high = face.kind === 'state' && face.state === 2;
  return (
    <tr
      className={`wl-row ${mark}${high ? ' high' : ''}${face.kind === 'state' ? '' : ' off'}`}
      aria-selected={selected}
      aria-label={rowName(symbol, row, face, worldNow, now)}
      aria-rowindex={index}
      data-symbol={symbol}
      tabIndex={focusable ? 0 : -1}
      draggable={draggable}
      onClick={() => intents.select(symbol)}
    >
      <td className="wl-mark">
        <Changed value={String(glyphOf(face))}>
          <Glyph name={glyphOf(face)} size={13} />
        </Changed>
      </td>
      <td className="wl-sym">{symbol}</td>
      {columns.includes('spark') && (
        <td className="wl-spark">
          <Spark symbol={symbol} live={face.kind === 'state' ? (row?.signal?.price ?? null) : null} />
        </td>
      )}
      {columns.includes('change') && (
        <td className="num cond wl-change">
          {blind ? '' : face.kind === 'state' ? change(row?.signal?.change_pct ?? null) : DASH}
        </td>
      )}
      <td className="wl-state">
        <StateCell face={face} />
      </td>
      <Numbers row={row} face={face} now={now} worldNow={worldNow} columns={columns} />
    </tr>
  );
});

function StateCell({ face }: { face: Face }) {
  return (
    <Changed value={face.kind === 'state' ? face.state : face.kind}>
      {face.kind === 'state' ? <StateWord state={face.state} /> : <span className="word-none">{wordOf(face)}</span>}
    </Changed>
  );
}

interface NumbersProps {
  readonly row: Row | undefined;
  readonly face: Face;
  readonly now: number;
  readonly worldNow: number;
  readonly columns: readonly Column[];
}

function Numbers({ row, face, now, worldNow, columns }: NumbersProps) {
  const signal = face.kind === 'state' ? (row?.signal ?? null) : null;
  const confidence = signal === null ? '' : wholePercent(signal.confidence);
  return (
    <>
      {columns.includes('since') && (
        <td className="num cond wl-since">{signal === null ? '' : span(worldNow - Date.parse(signal.since))}</td>
      )}
      {columns.includes('confidence') && (
        <td className="num cond wl-conf">
          <Changed value={confidence}>{confidence}</Changed>
        </td>
      )}
      {columns.includes('age') && (
        <td className="num cond wl-age">
          {face.kind === 'blind' ? (
            en.blind.age
          ) : (
            <span className={face.kind === 'stale' ? 'late' : ''}>
              {face.kind === 'none' ? '' : ageWords(row, worldNow, now)}
            </span>
          )}
        </td>
      )}
    </>
  );
}

function Spark({ symbol, live }: { symbol: string; live: number | null }) {
  const timeline = useApp((state) => state.shelves.timelines[symbol]?.value ?? null);
  return <Sparkline timeline={timeline} live={live} />;
}
