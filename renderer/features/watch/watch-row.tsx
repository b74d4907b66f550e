// Renderer: a row of the watchlist.
import { memo } from 'react';
import type { Timeline } from '../../../shared/channels/queries.ts';
import type { Row, RowSignal } from '../../../shared/channels/state.ts';
import { DAY_MS } from '../../../shared/lib/time.ts';
import { change, DASH, dayAndYear, percent, price, span, wholePercent } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import { sessionMs } from '../../charts/model.ts';
import { useNow, useServices } from '../../services.ts';
import { useIsOffline, useWorldNow } from '../../store/connection-status.ts';
import type { Column } from '../../store/preferences.ts';
import {
  type FallChance,
  fallChanceOf,
  type LastPrice,
  lastPriceOf,
  type SymbolView,
  symbolViewOf,
} from '../../store/select.ts';
import { useSnapshot } from '../../store/store.ts';
import { ChangeHighlight } from '../../ui/change-highlight.tsx';
import { Glyph, StateLabel } from '../../ui/glyph.tsx';
import { linePath } from '../../ui/line-path.ts';
import { rowProps } from '../../ui/list/use-list.ts';
import { MutedIcon, useMuteOf, useMuteText } from '../mutes/index.ts';
import { PriceFaultIcon } from './price-fault.tsx';
import { ageLabel, breachDistance, glyphOf, labelOf, rowName, timesText } from './row-label.ts';
import { useKnownTimeline } from './use-chart-model.ts';

interface WatchRowProps {
  readonly symbol: string;
  readonly columns: readonly Column[];
  /** Position in the whole grid, from 1. */
  readonly index: number;
  readonly isTabStop: boolean;
  readonly draggable: boolean;
  /** The row's role in the current drag. */
  readonly dropMarker: 'dragged' | 'drop-above' | 'drop-below' | '';
}

export const WatchRow = memo(function WatchRow({
  symbol,
  columns,
  index,
  isTabStop,
  draggable,
  dropMarker,
}: WatchRowProps) {
  const { intents } = useServices();
  const row = useSnapshot((snapshot) => snapshot.rows[symbol]);
  const selected = useSnapshot((snapshot) => snapshot.selected === symbol);
  const isOffline = useIsOffline();
  const now = useNow();
  const worldNow = useWorldNow();
  const view = symbolViewOf(row, isOffline);
  const muted = useMuteText(useMuteOf(symbol));
  const last = lastPriceOf(row);
  const high = view.kind === 'state' && view.state === 2;
  return (
    <tr
      className={`wl-row ${dropMarker}${high ? ' high' : ''}${view.kind === 'state' ? '' : ' off'}`}
      aria-selected={selected}
      aria-label={rowName(symbol, row, view, worldNow, now, muted)}
      aria-rowindex={index}
      {...rowProps(symbol, isTabStop)}
      draggable={draggable}
      onClick={() => intents.select(symbol)}
    >
      <td className="wl-glyph">
        <ChangeHighlight value={String(glyphOf(view))}>
          <Glyph name={glyphOf(view)} size={13} />
        </ChangeHighlight>
      </td>
      <td className="wl-sym">
        {symbol}
        <MutedIcon symbol={symbol} />
        <PriceFaultIcon signal={row?.signal ?? null} />
      </td>
      {columns.includes('spark') && (
        <td className="wl-spark">
          <Spark symbol={symbol} live={view.kind === 'state' ? (row?.signal?.price ?? null) : null} />
        </td>
      )}
      {columns.includes('price') && <PriceCell last={last} />}
      {columns.includes('change') && (
        <td className="num cond wl-change">
          {isOffline
            ? ''
            : change(view.kind === 'state' || view.kind === 'regime_only' ? (last?.change ?? null) : null)}
        </td>
      )}
      <td className="wl-state">
        <StateCell view={view} word={row?.signal?.state_word} />
      </td>
      <Numbers row={row} view={view} now={now} worldNow={worldNow} columns={columns} />
    </tr>
  );
});

function StateCell({ view, word }: { view: SymbolView; word: string | undefined }) {
  return (
    <ChangeHighlight value={view.kind === 'state' ? view.state : view.kind}>
      {view.kind === 'state' ? (
        <StateLabel state={view.state} word={word} />
      ) : (
        <span className="word-none">{labelOf(view)}</span>
      )}
    </ChangeHighlight>
  );
}

interface NumbersProps {
  readonly row: Row | undefined;
  readonly view: SymbolView;
  readonly now: number;
  readonly worldNow: number;
  readonly columns: readonly Column[];
}

function Numbers({ row, view, now, worldNow, columns }: NumbersProps) {
  const signal = view.kind === 'state' ? (row?.signal ?? null) : null;
  const fall = signal === null ? null : fallChanceOf(signal);
  const distance = signal === null ? null : breachDistance(signal);
  const chance = fall === null ? (signal === null ? '' : DASH) : fall.isHeld ? held : wholePercent(fall.percent);
  return (
    <>
      {columns.includes('since') && (
        <td className="num cond wl-since">
          {signal === null ? '' : signal.since === null ? DASH : span(worldNow - Date.parse(signal.since))}
        </td>
      )}
      {columns.includes('confidence') && (
        <td className="num cond wl-conf" title={fall === null ? undefined : chanceTitle(fall)}>
          <ChangeHighlight value={chance}>{chance}</ChangeHighlight>
        </td>
      )}
      {columns.includes('breach') && (
        <td className="num cond wl-breach" title={distance === null ? undefined : breachText(signal, distance)}>
          {signal === null ? '' : distance === null ? DASH : distance <= 0 ? texts.watchlist.past : percent(distance)}
        </td>
      )}
      {columns.includes('age') && (
        <td className="num cond wl-age">
          {view.kind === 'offline' ? (
            texts.common.outage.age
          ) : (
            <span className={view.kind === 'stale' || lastPriceOf(row)?.isOld === true ? 'late' : ''}>
              {view.kind === 'none' ? '' : ageLabel(row, worldNow, now)}
            </span>
          )}
        </td>
      )}
    </>
  );
}

const { held } = texts.watchlist;

const breachText = (signal: RowSignal | null, distance: number): string =>
  texts.header.breachAt(price(signal?.breach_level ?? 0), distance <= 0 ? null : percent(distance));

function chanceTitle(fall: FallChance): string {
  const chance = texts.watchlist.fallChance(wholePercent(fall.percent), timesText(fall));
  return fall.isHeld ? `${chance}, ${texts.watchlist.fallHeld}` : chance;
}

/** An old price is shown with its day. */
function PriceCell({ last }: { last: LastPrice | null }) {
  const day = last?.isOld === true && last.at !== null ? dayAndYear(sessionMs(Date.parse(last.at))) : null;
  return (
    <td
      className={day === null ? 'num cond wl-price' : 'num cond wl-price old'}
      title={day === null ? undefined : texts.watchlist.priceOf(day)}
    >
      {last?.price == null ? '' : price(last.price)}
    </td>
  );
}

function Spark({ symbol, live }: { symbol: string; live: number | null }) {
  const timeline = useKnownTimeline(symbol);
  return <Sparkline timeline={timeline} live={live} />;
}

/** Sixty days of closes as a line, only from a known history; never red or green. */
const Sparkline = memo(function Sparkline({ timeline, live }: { timeline: Timeline | null; live: number | null }) {
  const line = timeline === null ? null : sparkPath(timeline, live);
  return (
    <svg width={WIDTH} height={HEIGHT} aria-hidden="true">
      {line !== null && (
        <>
          <path d={line.path} fill="none" stroke="var(--t3)" strokeWidth="1.1" strokeLinejoin="round" />
          <circle cx={line.end[0]} cy={line.end[1]} r="1.6" fill="var(--t1)" />
        </>
      )}
    </svg>
  );
});

/** Size of the line, px. */
const WIDTH = 54;
const HEIGHT = 16;
const DAYS = 60;

/** Points of the line, with the live price at the end; null for fewer than two. */
export function sparkPath(
  timeline: Timeline,
  live: number | null,
): { readonly path: string; readonly end: readonly [number, number] } | null {
  const last = timeline.points.at(-1);
  if (last === undefined) return null;
  const begin = Date.parse(last.at) - DAYS * DAY_MS;
  const prices = timeline.points.filter((point) => Date.parse(point.at) >= begin).flatMap((point) => point.price ?? []);
  if (prices.length < 2) return null;
  if (live !== null) prices[prices.length - 1] = live;
  const low = Math.min(...prices);
  const high = Math.max(...prices);
  const x = (index: number): number => 2 + (index * (WIDTH - 5)) / (prices.length - 1);
  const y = (price: number): number => (high === low ? HEIGHT / 2 : 2 + ((high - price) / (high - low)) * (HEIGHT - 4));
  const points = prices.map((price, index) => [x(index), y(price)] as const);
  return { path: linePath(points), end: points.at(-1) ?? [0, 0] };
}
