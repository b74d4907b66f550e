// Service, signals: age and faults of a symbol's prices, now or at a past instant.
import type { DATA_HEALTH } from '../../shared/domain/data-health.ts';
import { DAY_MS } from '../../shared/lib/time.ts';
import { countLeading } from '../count-leading.ts';
import type { MarketSource } from '../market/types.ts';
import { sentences } from './notes.ts';
import type { Track } from './track.ts';

/** Delay of a close after which the source is silent: longer than any regular closure of an exchange. */
const SILENT_AFTER = 5 * DAY_MS;

/** Maximum delay that a known cause explains: a change of level is decided after twenty bars. */
const CAUSED_FOR = 35 * DAY_MS;

export interface DataHealth {
  readonly data_health: (typeof DATA_HEALTH)[number];
  readonly data_age_seconds: number;
  readonly data_delay_seconds?: number;
}

/** @param instant world ms; for the past, the health counts only prices evaluated by then */
export function healthOf(market: MarketSource, track: Track, instant: number): DataHealth {
  const decidedAt = evaluatedAt(market, track, instant);
  const data_health = healthAt(market, track, decidedAt, instant);
  const { delayMs } = (data_health === 'delayed' && market.fault?.(track.instrument.symbol, instant)) || {};
  return {
    data_health,
    data_age_seconds: Math.max(0, Math.floor((instant - decidedAt) / 1000)),
    ...(delayMs !== undefined && { data_delay_seconds: Math.round(delayMs / 1000) }),
  };
}

interface Marked {
  readonly data_health?: DataHealth['data_health'] | undefined;
  readonly data_delay_seconds?: number | undefined;
  readonly note?: string;
}

/** @param ms world ms that were not evaluated, or are not known to be; 0: none */
export function withSilence<Record extends Marked>(record: Record, ms: number): Record {
  const { data_health, data_delay_seconds: seconds = 0, note } = record;
  if (ms === 0 || (data_health !== 'current' && data_health !== 'delayed')) return record;
  const said = 'The service has evaluated no prices since this instant.';
  return {
    ...record,
    data_health: 'delayed' as const,
    data_delay_seconds: Math.max(seconds, Math.round(ms / 1000)),
    ...(note === undefined ? {} : { note: sentences(said, note) }),
  };
}

/** World ms of the first close after `decidedAt` if it is overdue by more than SILENT_AFTER; else null. */
export function missedClose(market: MarketSource, track: Track, decidedAt: number, instant: number): number | null {
  const missed = market.nextClose(track.instrument.symbol, decidedAt);
  return missed !== null && instant - missed > SILENT_AFTER ? missed : null;
}

/** Whether the prices of a symbol have ended, for an unknown cause or for longer than CAUSED_FOR. */
export function hasEnded(market: MarketSource, track: Track, { data_health }: DataHealth, now: number): boolean {
  const missed = missedClose(market, track, track.decidedAt, now);
  return missed !== null && (data_health === 'stale' || now - missed > CAUSED_FOR);
}

/** World ms of the last evaluation up to an instant: a close, or an intraday price. */
function evaluatedAt(market: MarketSource, track: Track, instant: number): number {
  if (instant >= track.decidedAt) return track.decidedAt;
  const { symbol } = track.instrument;
  const close = track.days[countLeading(track.days, ({ closedAt }) => closedAt <= instant) - 1]?.closedAt;
  if (close === undefined) return instant;
  const within = [...market.decisions(symbol, close, instant)];
  return within.findLast((at) => market.forming(symbol, at) !== null) ?? close;
}

/** A known cause takes precedence over age, but a gap, a delay or a question does not take precedence over an end. */
function healthAt(market: MarketSource, track: Track, decidedAt: number, instant: number): DataHealth['data_health'] {
  const found = market.fault?.(track.instrument.symbol, instant)?.kind ?? null;
  // The delay of a feed affects only the present: the prices of evaluated instants have come.
  const fault = found === 'delayed' && instant < track.decidedAt ? null : found;
  if (fault !== null && fault !== 'gap' && fault !== 'delayed' && fault !== 'question') return fault;
  return missedClose(market, track, decidedAt, instant) === null ? (fault ?? 'current') : 'stale';
}
