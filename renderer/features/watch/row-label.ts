// Renderer, pure: the texts of a watchlist row: by cell, and as one name for screen readers.
import type { Row, RowSignal } from '../../../shared/channels/state.ts';
import { priceFaultOf } from '../../../shared/domain/data-health.ts';
import { type FallChance, isPriceBehind } from '../../../shared/domain/fall-chance.ts';
import type { FallCost } from '../../../shared/domain/holdings.ts';
import { regimeLabel } from '../../../shared/domain/regimes.ts';
import { writtenState } from '../../../shared/domain/states.ts';
import {
  chanceFigure,
  change,
  dayAndYear,
  distance,
  money,
  percent,
  span,
  spokenSpan,
  times,
} from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import { sessionMs } from '../../charts/model.ts';
import { lastPriceOf, type SymbolView } from '../../store/select.ts';
import type { GlyphName } from '../../ui/glyph.tsx';
import type { RowValues } from './row-values.ts';

export const regimeOf = (row: Row | undefined): string | null => row?.signal?.regime ?? row?.regime ?? null;

/** The fault of the prices, as text; null: none. */
export function faultText(signal: RowSignal | null): string | null {
  const fault = priceFaultOf(signal);
  if (fault === 'delayed' && signal?.data_delay_seconds !== undefined)
    return texts.watchlist.behind(span(signal.data_delay_seconds * 1000));
  return fault === null ? null : texts.watchlist.fault[fault];
}

/** What the chance of a fall says, with its size where it is known. */
export function chanceText({ percent: chance, size, isFurther, timesUsual, isHeld }: FallChance): string {
  const watchlist = texts.watchlist;
  const text = watchlist.fallChance(
    chanceFigure(chance),
    isFurther,
    size === null ? null : distance(size),
    timesUsual === null ? null : times(timesUsual),
  );
  return isHeld ? `${text}, ${watchlist.fallHeld}` : text;
}

export const costText = ({ unit, amount, currency }: FallCost): string =>
  unit === 'money' ? money(amount, currency) : percent(amount);

/** Why the last price of a row is not that of now; null: it is. */
export function latePriceText(row: Row | undefined, view: SymbolView, worldNow: number, now: number): string | null {
  const last = lastPriceOf(row);
  if (last?.price == null) return null;
  if (last.isOld && last.at !== null) return texts.watchlist.priceOf(dayAndYear(sessionMs(Date.parse(last.at))));
  if (view.kind === 'stale') return texts.watchlist.priceLate(spokenSpan(ageOf(row, worldNow, now) ?? 0));
  if (last.isOld || view.kind === 'offline') return texts.watchlist.priceOld;
  const signal = row?.signal ?? null;
  return signal !== null && isPriceBehind(signal) ? texts.watchlist.priceBehind : null;
}

export function glyphOf(view: SymbolView): GlyphName {
  if (view.kind === 'state') return view.state;
  return view.kind === 'regime_only' || view.kind === 'none' || (view.kind === 'offline' && view.was === null)
    ? 'none'
    : 'unknown';
}

/** The text of the State column, except for a known state, which has mark-up of its own. */
export function labelOf(view: Exclude<SymbolView, { kind: 'state' }>): string {
  switch (view.kind) {
    case 'offline':
      return view.was === null ? texts.common.outage.regimeOnly : texts.common.outage.was(view.was);
    case 'regime_only':
      return texts.watchlist.regime;
    case 'none':
      return texts.watchlist.notCovered;
    case 'stale':
    case 'unknown':
      return texts.watchlist.unknown;
  }
}

/**
 * @param worldNow ms of world time, for the duration of the state; @param now ms of this computer, for the
 * age; @param muted how it is muted, as text; empty: it is not
 */
export function rowName(
  symbol: string,
  row: Row | undefined,
  view: SymbolView,
  { signal, fall, toBreach, cost, change: moved }: RowValues,
  worldNow: number,
  now: number,
  muted = '',
): string {
  const watchlist = texts.watchlist;
  const parts: (string | null)[] = [];
  if (view.kind === 'state' && signal !== null)
    parts.push(
      writtenState(view.state, signal.state_word),
      signal.since === null ? null : watchlist.rowSince(spokenSpan(worldNow - Date.parse(signal.since))),
      fall === null ? null : chanceText(fall),
      cost === null ? null : watchlist.rowCost(costText(cost)),
      toBreach === null ? null : watchlist.rowBreach(toBreach),
    );
  else if (view.kind === 'stale' && row?.received_at != null)
    parts.push(watchlist.rowStale(spokenSpan(ageOf(row, worldNow, now) ?? 0), view.was));
  else if (view.kind === 'regime_only')
    parts.push(watchlist.rowRegimeOnly(regimeLabel(regimeOf(row) ?? watchlist.unknown)));
  else if (view.kind !== 'state') parts.push(labelOf(view));
  // A stale row has said so.
  const late = view.kind === 'stale' || view.kind === 'offline' ? null : latePriceText(row, view, worldNow, now);
  parts.push(moved === null ? null : watchlist.rowChange(change(moved)), late, faultText(row?.signal ?? null), muted);
  return watchlist.rowName(
    symbol,
    parts.flatMap((part) => part || []),
  );
}

/**
 * The age of a row, ms; null: nothing received. Counts from the last arrival, in this computer's time. If a
 * decision is overdue or a price is old, counts from that decision or price, in world time, because receiving
 * it again does not make a row fresh.
 */
export function ageOf(row: Row | undefined, worldNow: number, now: number): number | null {
  if (row?.received_at == null) return null;
  const sinceReceived = now - Date.parse(row.received_at);
  const { signal, stale, quote } = row;
  if (signal === null && quote?.old === true && quote.at !== null)
    return Math.max(sinceReceived, worldNow - Date.parse(quote.at));
  const { decided_at: decided = null, next_decision_at: next = null } = signal ?? {};
  if (!stale || decided === null || next === null || worldNow <= Date.parse(next)) return sinceReceived;
  return Math.max(sinceReceived, worldNow - Date.parse(decided));
}
