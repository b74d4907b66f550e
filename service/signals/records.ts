// Service, signals: builds the signal and history records of a symbol.

import { stateName } from '../../shared/domain/states.ts';
import { DAY_MS } from '../../shared/lib/time.ts';
import { timestamp } from '../../shared/wire/primitives.ts';
import type { HistoryPoint, Signal } from '../../shared/wire/records.ts';
import type { MarketSource } from '../market/types.ts';
import { percent } from './drafts.ts';
import { noteOf } from './notes.ts';
import type { StateDetector } from './state-detector.ts';
import { lastRow, type Track } from './track.ts';

/**
 * A source that missed a close by more than this is silent, not closed for holidays: it exceeds the longest
 * regular closure of an exchange.
 */
const SILENT_AFTER = 5 * DAY_MS;

/** The current signal, or null for a symbol without one (regime only, or no closed bar yet). */
export function signalOf(
  detector: StateDetector,
  market: MarketSource,
  modelVersion: string,
  track: Track,
  now: number,
): Signal | null {
  const { instrument, current } = track;
  const row = lastRow(track);
  const present = detector.present(track, now);
  if (instrument.regimeOnly || current === null || row === null || present === null) return null;
  const { reading, forming } = present;
  const previous = forming ? row : track.days.at(-2);
  return {
    symbol: instrument.symbol,
    name: instrument.name,
    asset_class: instrument.assetClass,
    state: current.state,
    state_name: stateName(current.state),
    confidence: percent(detector.confidence(track, reading)),
    note: noteOf(track, reading, !forming),
    since: timestamp(current.since),
    regime: current.regime,
    price: reading.close,
    change_pct: previous === undefined ? null : Math.round((reading.close / previous.reading.close - 1) * 10_000) / 100,
    base_rate: percent(reading.baseRate),
    decided_at: timestamp(track.decidedAt),
    next_decision_at: timestamp(nextDecision(market, track, now)),
    updated_at: timestamp(forming ? now : row.closedAt),
    model_version: modelVersion,
  };
}

/**
 * The next instant at which the state may change: of the forming day, else the next close, else the expected
 * close. For a symbol whose prices ended it is the overdue decision, in the past, so that clients do not
 * treat its last state as current.
 */
function nextDecision(market: MarketSource, track: Track, now: number): number {
  const { symbol, assetClass } = track.instrument;
  for (const instant of market.decisions(symbol, now, now + DAY_MS)) return instant;
  const missed = market.nextClose(symbol, track.decidedAt);
  if (missed !== null && now - missed > SILENT_AFTER) return missed;
  const close = market.nextClose(symbol, now);
  if (close !== null) return close;
  let expected = lastRow(track)?.closedAt ?? now;
  if (expected <= now) expected += Math.ceil((now - expected + 1) / DAY_MS) * DAY_MS;
  while (assetClass !== 'crypto' && [0, 6].includes(new Date(expected).getUTCDay())) expected += DAY_MS;
  return expected;
}

export interface DatedPoint {
  /** Session date, the key in cursors, because the forming row's time moves. */
  readonly date: string;
  readonly point: HistoryPoint;
}

/** Closed days from `since` (world ms) on and the forming one, oldest first. */
export function historyOf(detector: StateDetector, track: Track, since: number, now: number): DatedPoint[] {
  const { symbol } = track.instrument;
  const points: DatedPoint[] = [];
  for (const { closedAt, reading } of track.days) {
    if (closedAt < since || closedAt > now) continue;
    points.push({
      date: reading.date,
      point: {
        symbol,
        timestamp: timestamp(closedAt),
        state: reading.state,
        state_name: stateName(reading.state),
        confidence: percent(reading.confidence),
        regime: reading.regime,
        price: reading.close,
      },
    });
  }
  const present = detector.present(track, now);
  if (present?.forming && track.current !== null) {
    const { state, regime } = track.current;
    points.push({
      date: present.reading.date,
      point: {
        symbol,
        timestamp: timestamp(now),
        state,
        state_name: stateName(state),
        confidence: percent(detector.confidence(track, present.reading)),
        regime,
        price: present.reading.close,
      },
    });
  }
  return points;
}
