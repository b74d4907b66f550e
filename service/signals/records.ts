// Service, signals: builds the signal and history records of a symbol.

import { splitRatio } from '../../shared/domain/price-questions.ts';
import { stateName } from '../../shared/domain/states.ts';
import { priceBelow, roundedPrice } from '../../shared/lib/price-digits.ts';
import { DAY_MS } from '../../shared/lib/time.ts';
import { timestamp } from '../../shared/wire/primitives.ts';
import {
  type HistoryPoint,
  MAX_PRICE_HOLES,
  type PriceHole,
  type PriceQuestion,
  type Signal,
} from '../../shared/wire/records.ts';
import { BREACH } from '../engine/state-rule.ts';
import type { Reading } from '../engine/types.ts';
import type { Instrument, MarketSource, PriceInQuestion } from '../market/types.ts';
import type { Flip } from '../store/event-log.ts';
import type { DayTrading } from './closed-row.ts';
import { hasEnded, healthOf, missedClose } from './data-health.ts';
import { dayStates, type LoggedStates, loggedStates } from './day-states.ts';
import { percent } from './drafts.ts';
import { heldBy, heldText, noteOf, sentences } from './notes.ts';
import { isHeldByQuestion, questionText } from './questioned-states.ts';
import type { StateDetector } from './state-detector.ts';
import { lastRow, regimeAsOf, type Track } from './track.ts';

/** Minimum number of decimals of a breach level. */
const LEVEL_DIGITS = 4;

/**
 * The current signal, or null for a symbol without one (regime only, or no closed bar yet).
 * @param now world ms of the evaluation
 * @param at world ms of the answer, which is later while no leader evaluates
 */
export function signalOf(
  detector: StateDetector,
  market: MarketSource,
  track: Track,
  now: number,
  at: number,
): Signal | null {
  const { instrument, current } = track;
  const row = lastRow(track);
  const present = detector.present(track, now);
  if (instrument.regimeOnly || current === null || row === null || present === null) return null;
  const { reading, forming } = present;
  const previous = (forming ? row : track.recent.at(-2))?.reading.close;
  const before = previous === undefined ? null : previous * (reading.level ?? 1);
  const asked = detector.question(instrument.symbol, now);
  const health = healthOf(market, track, at);
  const isOver = hasEnded(market, track, health, at);
  const confidence = isOver ? null : percent(detector.confidence(track, reading));
  const base_rate = percent(reading.baseRate);
  const held = heldBy(track, reading, now, isHeldByQuestion(detector, track, now));
  const decidedAt = regimeAsOf(track);
  return {
    symbol: instrument.symbol,
    name: instrument.name,
    asset_class: instrument.assetClass,
    ...listingOf(instrument),
    state: current.state,
    state_name: stateName(current.state),
    confidence,
    confidence_of: reading.claim,
    note: sentences(
      asked === null ? '' : questionText(asked),
      held === 'question' ? 'The state stays until then.' : '',
      faultText(market, instrument.symbol, now, asked !== null),
      // A price that is not used is one since.
      isOver && health.data_health !== 'quarantined'
        ? `There has been no price since ${timestamp(row.closedAt).slice(0, 10)}; this is as of then.`
        : '',
      noteOf(track, reading, !forming),
      heldText(current.state, held, confidence, base_rate),
    ),
    since: timestamp(current.since),
    regime: current.regime,
    regime_as_of: decidedAt === null ? null : timestamp(decidedAt),
    price: reading.close,
    change_pct: before === null ? null : Math.round((reading.close / before - 1) * 10_000) / 100,
    base_rate,
    held_by: held,
    ...breachOf(reading),
    decided_at: timestamp(track.decidedAt),
    next_decision_at: timestamp(nextDecision(market, track, now)),
    updated_at: timestamp(forming ? now : row.closedAt),
    ...health,
    data_as_of: timestamp(track.decidedAt),
    ...(asked === null ? {} : { price_question: questionRecord(track, asked) }),
    ...(market.feed === undefined ? {} : { source: market.feed }),
    model_version: detector.modelVersion,
  };
}

const listingOf = ({ exchange, currency }: Instrument): Pick<Signal, 'exchange' | 'currency'> => ({
  ...(exchange === undefined ? {} : { exchange }),
  ...(currency === undefined ? {} : { currency }),
});

const breachOf = (reading: Reading): Pick<Signal, 'breach_level' | 'breach_progress'> => ({
  breach_progress: reading.drawdownFraction === null ? null : Math.round(reading.drawdownFraction * 1000) / 1000,
  breach_level: breachLevelOf(reading),
});

/** The breach level, rounded, so that the price is at or below it exactly where the rule says breach. */
function breachLevelOf({ breachLevel, drawdownFraction, close }: Reading): number | null {
  if (breachLevel === null || drawdownFraction === null) return null;
  const level = roundedPrice(breachLevel, LEVEL_DIGITS);
  if (drawdownFraction >= BREACH) return Math.max(level, close);
  return level < close ? level : priceBelow(close, LEVEL_DIGITS);
}

/** The holes that ended after `since`, oldest first; the newest MAX_PRICE_HOLES. */
export const holesOf = (
  market: MarketSource,
  symbol: string,
  { since, now }: Pick<HistoryRange, 'since' | 'now'>,
): PriceHole[] =>
  (market.holes?.(symbol, now) ?? [])
    .filter(({ to }) => to === null || to > since)
    .slice(-MAX_PRICE_HOLES)
    .map(({ kind, from, to, reason }) => ({
      kind,
      from: timestamp(from),
      to: to === null ? null : timestamp(to),
      reason,
    }));

/** The reason of a fault. */
function faultText(market: MarketSource, symbol: string, now: number, isAsked: boolean): string {
  const fault = market.fault?.(symbol, now) ?? null;
  if (fault === null || (isAsked && (fault.kind === 'question' || fault.kind === 'quarantined'))) return '';
  return `${fault.reason}.`;
}

function questionRecord({ days }: Track, asked: PriceInQuestion): PriceQuestion {
  const { date, price, before, doubt, factor, volume, range, countsAs, reason } = asked;
  // As the reason has them.
  const rounded = (value: number | null): number | null => (value === null ? null : Number(value.toPrecision(2)));
  return {
    ...{ date, price, before, doubt },
    ratio: doubt === 'stray' ? null : splitRatio(factor),
    volume_times: rounded(volume),
    range_times: rounded(range),
    counts_as: countsAs,
    state_before: days.findLast(({ reading }) => reading.date < date)?.reading.state ?? null,
    reason,
  };
}

/**
 * The next instant at which the state may change: of the forming day, else the next close, else the expected
 * close. If prices ended, the overdue decision, in the past, so that clients do not treat the last state as
 * current.
 */
function nextDecision(market: MarketSource, track: Track, now: number): number {
  const { symbol, assetClass } = track.instrument;
  const expectedAt = market.nextDecision?.(symbol, now) ?? null;
  if (expectedAt !== null) return expectedAt;
  for (const instant of market.decisions(symbol, now, now + DAY_MS)) return instant;
  const missed = missedClose(market, track, track.decidedAt, now);
  if (missed !== null) return missed;
  const close = market.nextClose(symbol, now);
  if (close !== null) return close;
  let expected = lastRow(track)?.closedAt ?? now;
  if (expected <= now) expected += Math.ceil((now - expected + 1) / DAY_MS) * DAY_MS;
  while (assetClass !== 'crypto' && [0, 6].includes(new Date(expected).getUTCDay())) expected += DAY_MS;
  return expected;
}

export interface DatedPoint {
  /** Session date: the key in cursors, because the forming row's time moves. */
  readonly date: string;
  readonly point: HistoryPoint;
}

export interface HistoryRange {
  /** World ms, as `now`. */
  readonly since: number;
  readonly now: number;
  readonly logged: LoggedStates;
  readonly flips: readonly Flip[];
}

/** Closed days from `since` on and the forming day, oldest first, with the states of the event log. */
export function historyOf(
  detector: StateDetector,
  market: MarketSource,
  track: Track,
  { since, now, logged, flips }: HistoryRange,
): DatedPoint[] {
  const { symbol } = track.instrument;
  const points: DatedPoint[] = [];
  for (const [index, { closedAt, reading, trading }] of track.days.entries()) {
    if (closedAt < since || closedAt > now) continue;
    const { state, announced, worst, changes } = dayStates(track.days, index, logged);
    const model_confidence = percent(reading.confidence);
    points.push({
      date: reading.date,
      point: {
        symbol,
        timestamp: timestamp(closedAt),
        state,
        state_name: stateName(state),
        confidence: state === reading.state ? model_confidence : announced,
        ...(state === reading.state && { confidence_of: reading.claim, base_rate: percent(reading.baseRate) }),
        ...breachOf(reading),
        worst_state: worst,
        changes,
        model_state: reading.state,
        model_confidence,
        regime: flips.findLast(({ at }) => at <= closedAt)?.to ?? reading.regime,
        price: reading.close,
        ...tradingFields(withExtremes(trading, market.extremes?.(symbol, closedAt - 1) ?? null)),
      },
    });
  }
  const present = detector.present(track, now);
  if (present?.forming && track.current !== null) {
    const { state, regime } = track.current;
    const { reading } = present;
    const day = loggedStates(logged, lastRow(track)?.closedAt ?? now, now);
    points.push({
      date: reading.date,
      point: {
        symbol,
        timestamp: timestamp(now),
        state,
        state_name: stateName(state),
        confidence: percent(detector.confidence(track, reading)),
        confidence_of: reading.claim,
        base_rate: percent(reading.baseRate),
        ...breachOf(reading),
        worst_state: day.worst,
        changes: day.changes,
        model_state: reading.state,
        model_confidence: percent(reading.confidence),
        regime,
        price: reading.close,
        ...tradingFields(present.trading),
      },
    });
  }
  return points;
}

/** The range of a day, including prices that its bar leaves out. */
const withExtremes = ({ range, volume }: DayTrading, extremes: { high: number; low: number } | null): DayTrading => ({
  range: range !== null && extremes !== null ? { ...range, ...extremes } : range,
  volume,
});

const tradingFields = ({ range, volume }: DayTrading) => ({ ...range, ...(volume !== null && { volume }) });
