// Service, engine: scores alerts against events.
// Counts are integers and add up over symbols; ratios are computed from counts only.
import { at, type Frame, frameOf, H, isGood, R, type RiskEvent, sessionsBetween, type Window } from './frame.ts';

/** 1 for a bar in High Risk. */
export type Alerts = Uint8Array;

/** Score E: warnings before a breach, with half of the loss still ahead. */
export interface EventCounts {
  readonly events: number;
  readonly detected: number;
  readonly tp: number;
  readonly fp: number;
  readonly late: number;
  readonly unresolved: number;
  readonly signals: number;
  readonly alertBars: number;
  readonly bars: number;
  /** How long they lasted, in parts of YEAR. */
  readonly time: number;
  /** Sum over detected events of the bars from the first detecting alert to the breach. */
  readonly leadBars: number;
}

/** Score S: no credit for a loss before the alert. */
export interface StrictCounts {
  readonly episodes: number;
  readonly detected: number;
  readonly tp: number;
  readonly fp: number;
  readonly bars: number;
  readonly badBars: number;
  readonly alertBars: number;
  readonly badAlertBars: number;
}

/**
 * Bars of signals: the first alert bar, then each alert bar at least 21 bars after the last signal (item 6).
 */
export function signalsOf(frame: Pick<Frame, 'sessions'>, alerts: Alerts): number[] {
  const signals: number[] = [];
  for (let t = 0; t < alerts.length; t++) {
    const last = signals.at(-1);
    if (alerts[t] === 1 && (last === undefined || sessionsBetween(frame, last, t) >= H)) signals.push(t);
  }
  return signals;
}

const isWithin = ({ from, to }: Window, t: number): boolean => from <= t && t <= to;

/** The first alert bar in a window that is good for an event; null: the event was not announced. */
export function announcedAt(frame: Frame, alerts: Alerts, event: RiskEvent, { from }: Window): number | null {
  for (let t = Math.max(from, event.first - H); t < event.first; t++)
    if (alerts[t] === 1 && isGood(frame, event, t)) return t;
  return null;
}

/**
 * @param part a part of the window. Counts only what begins in it, so that the counts of parts add up to the
 *   whole
 */
export function scoreEvents(frame: Frame, alerts: Alerts, window: Window, part = window): EventCounts {
  const { from, to } = window;
  const events = frame.events.filter((event) => from < event.first && event.first <= to);
  let detected = 0;
  let leadBars = 0;
  const counted = events.filter(({ first }) => isWithin(part, first));
  for (const event of counted) {
    const t = announcedAt(frame, alerts, event, window);
    if (t === null) continue;
    detected += 1;
    leadBars += sessionsBetween(frame, t, event.first);
  }
  const signalCounts = { tp: 0, fp: 0, late: 0, unresolved: 0 };
  const signals = signalsOf(frame, alerts).filter((t) => isWithin(window, t) && isWithin(part, t));
  for (const t of signals) {
    if (events.some((event) => isGood(frame, event, t))) signalCounts.tp += 1;
    else if (frame.events.some((event) => event.first <= t && t <= event.last)) signalCounts.late += 1;
    else if (t > frame.lastResolved) signalCounts.unresolved += 1;
    else signalCounts.fp += 1;
  }
  const bars = Math.max(0, Math.min(to, part.to) - Math.max(from, part.from) + 1);
  return {
    events: counted.length,
    detected,
    ...signalCounts,
    signals: signals.length,
    alertBars: countAlerts(alerts, Math.max(from, part.from), Math.min(to, part.to)),
    bars,
    time: bars * frame.partOfYear,
    leadBars,
  };
}

/** @param part as in `scoreEvents`; an episode counts in the part in which it begins */
export function scoreStrict(frame: Frame, alerts: Alerts, window: Window, part = window): StrictCounts {
  const from = window.from;
  const to = Math.min(window.to, frame.lastResolved);
  const counted = { from: Math.max(from, part.from), to: Math.min(to, part.to) };
  const isBad = (t: number): boolean => at(frame.forwardLoss, t) <= -at(frame.thresholds, t);
  let badBars = 0;
  let badAlertBars = 0;
  let episodes = 0;
  let detected = 0;
  let lastBad: number | null = null;
  let seen = true;
  let begin = from;
  for (let t = from; t <= to; t++) {
    if (!isBad(t)) continue;
    const isCounted = isWithin(counted, t);
    if (isCounted) badBars += 1;
    if (lastBad === null || sessionsBetween(frame, lastBad, t) > R) {
      if (isCounted) episodes += 1;
      seen = false;
      begin = t;
    }
    lastBad = t;
    if (alerts[t] !== 1) continue;
    if (isCounted) badAlertBars += 1;
    if (!seen && isWithin(counted, begin)) detected += 1;
    seen = true;
  }
  const signals = signalsOf(frame, alerts).filter((t) => isWithin(counted, t));
  const tp = signals.filter(isBad).length;
  return {
    episodes,
    detected,
    tp,
    fp: signals.length - tp,
    bars: Math.max(0, counted.to - counted.from + 1),
    badBars,
    alertBars: countAlerts(alerts, counted.from, counted.to),
    badAlertBars,
  };
}

function countAlerts(alerts: Alerts, from: number, to: number): number {
  let sum = 0;
  for (let t = from; t <= to; t++) sum += alerts[t] ?? 0;
  return sum;
}

/** Adds counts of several symbols, field by field. */
export function pool<Counts extends object>(counts: readonly Counts[], zero: Counts): Counts {
  const sum: Record<string, number> = {};
  for (const row of [zero, ...counts])
    for (const [name, value] of Object.entries(row)) sum[name] = (sum[name] ?? 0) + Number(value);
  return { ...zero, ...sum };
}

const NO_BARS = { from: 0, to: -1 };
export const NO_EVENT_COUNTS = scoreEvents(frameOf(new Float64Array()), new Uint8Array(), NO_BARS);
export const NO_STRICT_COUNTS = scoreStrict(frameOf(new Float64Array()), new Uint8Array(), NO_BARS);

export interface Ratios {
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
}

/** Ratios of counts; 0 for a denominator of 0. */
export function ratiosOf(hits: { tp: number; fp: number; detected: number }, positives: number): Ratios {
  const precision = hits.tp + hits.fp === 0 ? 0 : hits.tp / (hits.tp + hits.fp);
  const recall = positives === 0 ? 0 : hits.detected / positives;
  return { precision, recall, f1: precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall) };
}

/** P(bad | alert) / P(bad); null without an alert or a bad bar. */
export function dayLift(counts: StrictCounts): number | null {
  if (counts.alertBars === 0 || counts.badBars === 0) return null;
  return counts.badAlertBars / counts.alertBars / (counts.badBars / counts.bars);
}
