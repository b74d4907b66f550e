// Renderer: a row of the watchlist.
import { memo } from 'react';
import { MINUTE_MS, SECOND_MS } from '../../../shared/lib/time.ts';
import {
  chanceFigure,
  change as changeText,
  DASH,
  distance,
  price as priceText,
  spokenSpan,
} from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useNow, useServices } from '../../services.ts';
import { useIsOffline, useWorldNow } from '../../store/connection-status.ts';
import type { Column } from '../../store/preferences.ts';
import { type SymbolView, symbolViewOf } from '../../store/select.ts';
import { useSnapshot } from '../../store/store.ts';
import { ChangeHighlight } from '../../ui/change-highlight.tsx';
import { Glyph, StateLabel } from '../../ui/glyph.tsx';
import { rowProps } from '../../ui/list/use-list.ts';
import { MutedIcon, useMuteOf, useMuteText } from '../mutes/index.ts';
import { PriceFaultIcon } from './price-fault.tsx';
import { chanceText, costText, glyphOf, labelOf, latePriceText, rowName } from './row-label.ts';
import { type RowValues, rowValues } from './row-values.ts';

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

export const WatchRow = memo(function WatchRow(props: WatchRowProps) {
  const { symbol, columns } = props;
  const { intents } = useServices();
  const row = useSnapshot((snapshot) => snapshot.rows[symbol]);
  const lists = useSnapshot((snapshot) => snapshot.watchlists);
  const selected = useSnapshot((snapshot) => snapshot.selected === symbol);
  const isOffline = useIsOffline();
  const view = symbolViewOf(row, isOffline);
  // The age of a stale row moves; what else a row says of time moves by minutes.
  const step = view.kind === 'stale' ? SECOND_MS : MINUTE_MS;
  const now = useNow(step);
  const worldNow = useWorldNow(step);
  const muted = useMuteText(useMuteOf(symbol));
  const isHigh = view.kind === 'state' && view.state === 2;
  const needsYou = useSnapshot(
    ({ alerts }) =>
      isHigh && alerts.some(({ transition, needs_attention }) => needs_attention && transition.symbol === symbol),
  );
  const values = rowValues(symbol, row, view, lists);
  const late = latePriceText(row, view, worldNow, now);
  const since = values.signal?.since ?? null;
  return (
    <tr
      className={`wl-row ${props.dropMarker}${needsYou ? ' needs' : ''}${late === null ? '' : ' late'}${view.kind === 'state' ? '' : ' off'}`}
      aria-selected={selected}
      aria-label={rowName(symbol, row, view, values, worldNow, now, muted)}
      aria-rowindex={props.index}
      {...rowProps(symbol, props.isTabStop)}
      draggable={props.draggable}
      onClick={() => intents.select(symbol)}
    >
      <td className="wl-glyph">
        <ChangeHighlight value={String(glyphOf(view))}>
          <Glyph name={glyphOf(view)} size={13} />
        </ChangeHighlight>
      </td>
      <td className={symbol.length > 7 ? 'wl-sym long' : 'wl-sym'}>
        {symbol}
        <MutedIcon symbol={symbol} />
        <PriceFaultIcon signal={row?.signal ?? null} />
      </td>
      <td
        className="wl-state"
        title={since === null ? undefined : texts.watchlist.rowSince(spokenSpan(worldNow - Date.parse(since)))}
      >
        <StateCell view={view} word={row?.signal?.state_word} />
      </td>
      {columns.includes('toBreach') && <ToBreach values={values} />}
      {columns.includes('chance') && <Chance values={values} />}
      {columns.includes('risk') && (
        <td className="num cond wl-stake">
          {values.cost !== null ? costText(values.cost) : values.signal === null ? '' : DASH}
        </td>
      )}
      {columns.includes('price') && <Price value={values.price} currency={row?.signal?.currency} late={late} />}
      {columns.includes('change') && (
        <td className="num cond wl-change">
          {values.change !== null ? changeText(values.change) : values.signal === null ? '' : DASH}
        </td>
      )}
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

/** Width of the bar and of the half before its tick, px. */
const WIDTH = 36;
const HALF = WIDTH / 2;

function ToBreach({ values: { signal, toBreach } }: { values: RowValues }) {
  if (signal === null || toBreach === null)
    return <td className="num cond wl-breach">{signal === null ? '' : DASH}</td>;
  const isPast = toBreach <= 0;
  const away = distance(toBreach);
  const progress = Math.min(2, signal.breach_progress ?? (isPast ? 1 : 0));
  const isElevated = signal.state === 1;
  return (
    <td
      className="num cond wl-breach"
      title={texts.header.breachAt(priceText(signal.breach_level ?? 0), isPast ? null : away)}
    >
      <svg className="wl-bar" width={WIDTH} height="12" aria-hidden="true">
        <path d={`M0 6.5H${WIDTH}`} stroke="var(--line-2)" />
        <path
          d={`M0 6.5H${Math.min(1, progress) * HALF}`}
          stroke={isElevated ? 'url(#wl-elevated)' : 'var(--normal)'}
          strokeWidth={isElevated ? 9 : 3}
        />
        {isPast && (
          <path d={`M${HALF + 1} 6.5H${Math.max(progress * HALF, HALF + 3)}`} stroke="var(--high)" strokeWidth="10" />
        )}
        <path d={`M${HALF + 0.5} 0V12`} stroke="var(--t1)" />
      </svg>
      {texts.watchlist.toBreach(toBreach)}
    </td>
  );
}

/** Mount once on the page: the hatch of Elevated. */
export const ElevatedHatch = () => (
  <svg className="spoken" aria-hidden="true">
    <pattern id="wl-elevated" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
      <rect width="2.2" height="5" fill="var(--elevated)" />
    </pattern>
  </svg>
);

function Chance({ values: { signal, fall } }: { values: RowValues }) {
  const unknown = signal === null ? '' : DASH;
  const shown = fall === null ? unknown : `${chanceFigure(fall.percent)}\u00a0%`;
  return (
    <td className="num cond wl-chance" title={fall === null ? undefined : chanceText(fall)}>
      <ChangeHighlight value={shown}>{shown}</ChangeHighlight>
    </td>
  );
}

interface PriceProps {
  readonly value: number | null;
  readonly currency: string | undefined;
  /** Why it is not the price of now; null: it is. */
  readonly late: string | null;
}

const Price = ({ value, currency, late }: PriceProps) => (
  <td className={late === null ? 'num cond wl-price' : 'num cond wl-price old'} title={late ?? currency}>
    {value === null ? '' : priceText(value)}
  </td>
);
