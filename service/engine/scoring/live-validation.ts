// Service, engine: builds the live rule's validation record from the scored alerts of each symbol.

import { YEAR } from './frame.ts';
import type { LiveCounts, LiveSeries, LiveWindows, ShiftedCounts } from './live.ts';
import { pool } from './score.ts';
import { both, six } from './scored-series.ts';
import { metrics, SEED, SHIFTS } from './validation.ts';
import type { LiveMetrics, LiveValidation } from './validation-record.ts';

type WindowName = keyof LiveWindows;

const NO_COUNTS: LiveCounts = {
  events: 0,
  detected: 0,
  leadBars: 0,
  signals: 0,
  tp: 0,
  fp: 0,
  late: 0,
  unresolved: 0,
  strictTp: 0,
  strictFp: 0,
  time: 0,
};
const NO_SHIFTED: ShiftedCounts = { tp: 0, fp: 0, strictTp: 0, strictFp: 0 };

/**
 * @param dateAt session date of a bar of a symbol
 * @returns null if no symbol has enough intraday prices
 */
export function liveValidation(
  series: ReadonlyMap<string, LiveSeries>,
  dateAt: (symbol: string, bar: number) => string,
): LiveValidation | null {
  if (series.size === 0) return null;
  const pooled = both((name) => pooledOf([...series.values()], name));
  return {
    symbols: [...series].map(([symbol, one]) => ({ symbol, ...both((name) => metrics(one.counts(name))) })),
    windows: [...series].map(([symbol, { windows }]) => ({
      symbol,
      from: dateAt(symbol, windows.full.from),
      holdout_from: dateAt(symbol, windows.holdout.from),
      to: dateAt(symbol, windows.full.to),
    })),
    pooled,
    notes: notes(series.size, pooled.holdout),
  };
}

function pooledOf(series: readonly LiveSeries[], name: WindowName): LiveMetrics {
  const counts = series.map((one) => one.counts(name)).reduce((sum, one) => pool([sum, one], NO_COUNTS), NO_COUNTS);
  const shifted = pool(
    series.map((one) => one.shifted(name, SHIFTS, SEED)),
    NO_SHIFTED,
  );
  const within = series.flatMap((one) => one.signalsIn(name).flatMap((signal) => signal.within ?? []));
  return {
    ...metrics(counts),
    false_alarms_a_year: six(counts.time === 0 ? 0 : counts.fp / (counts.time / YEAR)),
    lead_bars: counts.detected === 0 ? null : six(counts.leadBars / counts.detected),
    strict_precision: share(counts.strictTp, counts.strictFp),
    chance: {
      precision: share(shifted.tp, shifted.fp),
      strict_precision: share(shifted.strictTp, shifted.strictFp),
    },
    within_day: within.length,
    median_minutes: within.length === 0 ? null : six(median(within.map(({ minutes }) => minutes))),
    held_to_close: within.filter(({ heldToClose }) => heldToClose).length,
  };
}

const share = (hits: number, misses: number): number | null =>
  hits + misses === 0 ? null : six(hits / (hits + misses));

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  const upper = sorted[half] as number;
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] as number) + upper) / 2;
}

function notes(symbols: number, { precision, recall, chance, within_day, held_to_close }: LiveMetrics): string {
  const percent = (value: number): string => `${Math.round(100 * value)} %`;
  const by = chance.precision === null ? '' : `; the same signals at other sessions: ${percent(chance.precision)}`;
  return (
    `${symbols} symbols with prices within the day: the rule that announces alerts, replayed price by price. In the hold-out window ` +
    `${percent(precision)} of the High Risk signals were followed by the warned event${by}. ${percent(recall)} of the events were ` +
    `announced. The first High Risk of a session counts, at its price, and at most one in 21 sessions. ${within_day} of the signals ` +
    `began within a session, and ${held_to_close} of these lasted to its close. These figures belong to alerts within the day; those ` +
    'of the record at closes do not.'
  );
}
