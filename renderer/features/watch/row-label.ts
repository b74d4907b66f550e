// Renderer, pure: the texts of a watchlist row: by cell, and as one name for screen readers.
import type { Row, RowSignal } from '../../../shared/channels/state.ts';
import { priceFaultOf } from '../../../shared/domain/data-health.ts';
import { regimeLabel } from '../../../shared/domain/regimes.ts';
import { writtenState } from '../../../shared/domain/states.ts';
import { change, percent, span, spokenSpan, times, wholePercent } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import { type FallChance, fallChanceOf, type SymbolView } from '../../store/select.ts';
import type { GlyphName } from '../../ui/glyph.tsx';

export const regimeOf = (row: Row | undefined): string | null => row?.signal?.regime ?? row?.regime ?? null;

/** The fault of the prices, as text; null: none. */
export function faultText(signal: RowSignal | null): string | null {
  const fault = priceFaultOf(signal);
  if (fault === 'delayed' && signal?.data_delay_seconds !== undefined)
    return texts.watchlist.behind(span(signal.data_delay_seconds * 1000));
  return fault === null ? null : texts.watchlist.fault[fault];
}

/** Reports whether a transition has arrived before its price: the price is from an earlier record. */
export const isPriceBehind = ({ updated_at, decided_at }: Pick<RowSignal, 'updated_at' | 'decided_at'>): boolean =>
  updated_at !== null && decided_at !== null && Date.parse(updated_at) < Date.parse(decided_at);

/**
 * The distance of the price above the breach level, percent of the price; 0 or less past it. null where
 * unknown, and for an old price.
 */
export function breachDistance(
  signal: Pick<RowSignal, 'price' | 'breach_level' | 'data_health' | 'updated_at' | 'decided_at'>,
): number | null {
  const { price: last, breach_level: level, data_health } = signal;
  if (last === null || level == null || data_health === 'stale' || isPriceBehind(signal)) return null;
  return (100 * (last - level)) / last;
}

export const timesText = ({ timesBase }: FallChance): string => (timesBase === null ? '' : times(timesBase));

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
  worldNow: number,
  now: number,
  muted = '',
): string {
  const parts: string[] = [];
  const signal = row?.signal ?? null;
  if (view.kind === 'state' && signal !== null) {
    parts.push(writtenState(view.state, signal.state_word));
    if (signal.since !== null) parts.push(texts.watchlist.rowSince(spokenSpan(worldNow - Date.parse(signal.since))));
    const fall = fallChanceOf(signal);
    if (fall !== null) {
      parts.push(texts.watchlist.rowFallChance(wholePercent(fall.percent), timesText(fall)));
      if (fall.isHeld) parts.push(texts.watchlist.fallHeld);
    }
    const distance = breachDistance(signal);
    if (distance !== null) parts.push(texts.watchlist.rowBreach(distance <= 0 ? null : percent(distance)));
    if (signal.change_pct !== null) parts.push(texts.watchlist.rowChange(change(signal.change_pct)));
  } else if (view.kind === 'stale' && row?.received_at != null)
    parts.push(texts.watchlist.rowStale(spokenSpan(ageOf(row, worldNow, now) ?? 0), view.was));
  else if (view.kind === 'regime_only') {
    parts.push(texts.watchlist.rowRegimeOnly(regimeLabel(regimeOf(row) ?? texts.watchlist.unknown)));
    if (row?.quote?.change_pct != null) parts.push(texts.watchlist.rowChange(change(row.quote.change_pct)));
  } else if (view.kind !== 'state') parts.push(labelOf(view));
  const fault = faultText(signal);
  if (fault !== null) parts.push(fault);
  if (muted !== '') parts.push(muted);
  return texts.watchlist.rowName(symbol, parts);
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

/** "0.4 s"; empty where nothing was received. */
export function ageLabel(row: Row | undefined, worldNow: number, now: number): string {
  const age = ageOf(row, worldNow, now);
  return age === null ? '' : span(age);
}
