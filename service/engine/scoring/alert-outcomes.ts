// Service, engine: statistics of alerts for users: how many, how early, and the returns after them.
import { sampleDeviation, VOLATILITY_WINDOW } from '../threshold.ts';
import { at, type Frame, H, lastWithin, RHO, type RiskEvent, sessionsBetween, type Window } from './frame.ts';
import { type Alerts, announcedAt, scoreEvents } from './score.ts';

/** Sums over the bars whose next 21 bars are known. */
interface AfterSums {
  bars: number;
  /** Number of bars after which the price fell by a threshold, and by half a threshold. */
  losses: number;
  halfLosses: number;
  /** Sum of the returns of the next 21 bars, as fractions. */
  returns: number;
  /** Sum of the ratios of the volatility of the next 21 bars to that of the last 252. */
  volatilities: number;
}

/** The outcomes of a series of alerts in a window. They add up over series. */
export interface OutcomeSums {
  /** How long the windows lasted, in parts of YEAR. */
  readonly time: number;
  readonly signals: number;
  readonly falseAlarms: number;
  readonly events: number;
  /** Length of each alert, bars. */
  readonly lengths: readonly number[];
  /** For each announced event: bars from the announcement to the breach, and to the lowest close. */
  readonly toBreach: readonly number[];
  readonly toTrough: readonly number[];
  /**
   * Events whose first alert came before half of the fall, and events in alert at the close before the
   * breach.
   */
  readonly beforeHalf: number;
  readonly onEve: number;
  readonly alert: Readonly<AfterSums>;
  readonly other: Readonly<AfterSums>;
}

/** Quartiles, bars. */
export interface Quartiles {
  readonly median: number;
  readonly lower: number;
  readonly upper: number;
}

export function outcomesOfAlerts(frame: Frame, alerts: Alerts, window: Window): OutcomeSums {
  const { from, to } = window;
  const { signals, fp, events, time } = scoreEvents(frame, alerts, window);
  const toBreach: number[] = [];
  const toTrough: number[] = [];
  let [beforeHalf, onEve] = [0, 0];
  for (const event of frame.events) {
    if (event.first <= from || event.first > to) continue;
    const trough = troughOf(frame, event);
    const announced = announcedAt(frame, alerts, event, window);
    if (announced !== null) {
      toBreach.push(sessionsBetween(frame, announced, event.first));
      toTrough.push(sessionsBetween(frame, announced, trough));
    }
    if (alerts[event.first - 1] === 1) onEve += 1;
    const first = alerts.indexOf(1, Math.max(from, event.peak));
    const [peak, low] = [at(frame.closes, event.peak), at(frame.closes, trough)];
    if (first !== -1 && first <= event.last && peak - at(frame.closes, first) < (peak - low) / 2) beforeHalf += 1;
  }
  const lengths = lengthsOf(alerts, window);
  return {
    ...{ time, signals, falseAlarms: fp, events, lengths, toBreach, toTrough, beforeHalf, onEve },
    ...after(frame, alerts, window),
  };
}

/** The bar of the lowest close from the first breach to the last. */
function troughOf({ closes }: Frame, { first, last }: RiskEvent): number {
  let trough = first;
  for (let t = first; t <= last; t++) if (at(closes, t) < at(closes, trough)) trough = t;
  return trough;
}

/** Length of each run of alert bars that begins within the window. */
function lengthsOf(alerts: Alerts, { from, to }: Window): number[] {
  const lengths: number[] = [];
  for (let t = from; t <= to; t++) {
    if (alerts[t] !== 1) continue;
    const begin = t;
    while (t + 1 < alerts.length && alerts[t + 1] === 1) t++;
    if (alerts[begin - 1] !== 1) lengths.push(t - begin + 1);
  }
  return lengths;
}

const noSums = (): AfterSums => ({ bars: 0, losses: 0, halfLosses: 0, returns: 0, volatilities: 0 });

function after(frame: Frame, alerts: Alerts, { from, to }: Window): { alert: AfterSums; other: AfterSums } {
  const sums = { alert: noSums(), other: noSums() };
  const { closes, returns, thresholds, forwardLoss, sessions } = frame;
  for (let t = Math.max(from, VOLATILITY_WINDOW); t <= Math.min(to, frame.lastResolved); t++) {
    const end = lastWithin(sessions, t, H);
    if (end === t) continue;
    const sum = alerts[t] === 1 ? sums.alert : sums.other;
    const loss = -at(forwardLoss, t);
    sum.bars += 1;
    if (loss >= at(thresholds, t)) sum.losses += 1;
    if (loss >= RHO * at(thresholds, t)) sum.halfLosses += 1;
    sum.returns += at(closes, end) / at(closes, t) - 1;
    const usual = sampleDeviation(returns.subarray(t - VOLATILITY_WINDOW + 1, t + 1));
    const square = returns.subarray(t + 1, end + 1).reduce((total, value) => total + value * value, 0);
    sum.volatilities += usual > 0 ? Math.sqrt(square / (end - t)) / usual : 1;
  }
  return sums;
}

const NO_OUTCOMES: OutcomeSums = {
  ...{ time: 0, signals: 0, falseAlarms: 0, events: 0, lengths: [], toBreach: [], toTrough: [] },
  ...{ beforeHalf: 0, onEve: 0, alert: noSums(), other: noSums() },
};

/** Adds the outcomes of several series. */
export function poolOutcomes(rows: readonly OutcomeSums[]): OutcomeSums {
  return rows.reduce(
    (sum, row) => ({
      time: sum.time + row.time,
      signals: sum.signals + row.signals,
      falseAlarms: sum.falseAlarms + row.falseAlarms,
      events: sum.events + row.events,
      lengths: [...sum.lengths, ...row.lengths],
      toBreach: [...sum.toBreach, ...row.toBreach],
      toTrough: [...sum.toTrough, ...row.toTrough],
      beforeHalf: sum.beforeHalf + row.beforeHalf,
      onEve: sum.onEve + row.onEve,
      alert: addAfter(sum.alert, row.alert),
      other: addAfter(sum.other, row.other),
    }),
    NO_OUTCOMES,
  );
}

const addAfter = (a: AfterSums, b: AfterSums): AfterSums => ({
  bars: a.bars + b.bars,
  losses: a.losses + b.losses,
  halfLosses: a.halfLosses + b.halfLosses,
  returns: a.returns + b.returns,
  volatilities: a.volatilities + b.volatilities,
});

/** Quartiles by linear interpolation; null without values. */
export function quartilesOf(values: readonly number[]): Quartiles | null {
  if (values.length === 0) return null;
  const sorted = [...values].sort((a, b) => a - b);
  const quantile = (share: number): number => {
    const rank = share * (sorted.length - 1);
    const below = Math.floor(rank);
    const [low, high] = [sorted[below] as number, sorted[Math.min(below + 1, sorted.length - 1)] as number];
    return low + (rank - below) * (high - low);
  };
  return { median: quantile(0.5), lower: quantile(0.25), upper: quantile(0.75) };
}
