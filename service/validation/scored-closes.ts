// Service, validation: keeps the scored closes of each symbol, and whether each was High Risk.
import { z } from 'zod';
import { DAY_MS, dateOf } from '../../shared/lib/time.ts';
import type { PastCloses } from '../../shared/wire/validation.ts';
import { WARM } from '../engine/scoring/frame.ts';
import type { CloseObserver } from '../engine/scoring/scored-series.ts';

/** Columns of one symbol, oldest first: with 500 symbols, objects would take hundreds of megabytes. */
export const ScoredClosesSchema = z.object({
  symbol: z.string(),
  /** Session days since 1970. */
  days: z.instanceof(Int32Array),
  closes: z.instanceof(Float64Array),
  /** 1: the close was High Risk. */
  highRisk: z.instanceof(Uint8Array),
});
export type ScoredCloses = z.infer<typeof ScoredClosesSchema>;

const TEN_YEARS = 3653;

/** An observer of the closes, and what it kept of the last ten years after the warm-up. */
export function createCloseKeeper(): Pick<CloseObserver, 'afterClose'> & { kept(): ScoredCloses[] } {
  const rows = new Map<string, { bars: number; days: number[]; closes: number[]; highRisk: number[] }>();
  return {
    afterClose(readings) {
      for (const [symbol, { date, close, state }] of readings) {
        const row = rows.get(symbol) ?? { bars: 0, days: [], closes: [], highRisk: [] };
        rows.set(symbol, row);
        row.bars += 1;
        if (row.bars <= WARM) continue;
        row.days.push(Date.parse(date) / DAY_MS);
        row.closes.push(close);
        row.highRisk.push(state === 2 ? 1 : 0);
      }
    },
    kept: () =>
      [...rows].flatMap(([symbol, { days, closes, highRisk }]) => {
        const oldest = (days.at(-1) ?? 0) - TEN_YEARS;
        const from = days.findIndex((day) => day >= oldest);
        if (from === -1) return [];
        return [
          {
            symbol,
            days: Int32Array.from(days.slice(from)),
            closes: Float64Array.from(closes.slice(from)),
            highRisk: Uint8Array.from(highRisk.slice(from)),
          },
        ];
      }),
  };
}

/** Eight digits. */
function rounded(close: number): number {
  const scale = 10 ** (7 - Math.floor(Math.log10(close)));
  return Math.round(close * scale) / scale;
}

/** The row of the wire. */
export function pastClosesOf({ symbol, days, closes, highRisk }: ScoredCloses): PastCloses {
  const dates = Array.from(days, (day) => dateOf(day * DAY_MS));
  const periods: PastCloses['high_risk'] = [];
  for (const [index, date] of dates.entries()) {
    if (highRisk[index] !== 1) continue;
    const last = highRisk[index - 1] === 1 ? periods.at(-1) : undefined;
    if (last === undefined) periods.push({ from: date, to: date });
    else last.to = date;
  }
  return { symbol, dates, closes: Array.from(closes, rounded), high_risk: periods };
}
