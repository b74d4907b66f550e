// Test harness: the prices of samples/, made by the sandbox's market from a seed, on sessions of New York.
// `node test/harness/samples.ts` writes them again; a test compares them.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSyntheticMarket } from '../../service/market/synthetic/market.ts';
import { isSession } from '../../shared/domain/sessions.ts';
import { DAY_MS, dateOf } from '../../shared/lib/time.ts';

export const SAMPLES = join(import.meta.dirname, '..', '..', 'samples', 'prices');

/** Invented symbols, and those of the sandbox whose prices they have. */
const SYMBOLS = { ALFA: 'SPY', BRAVO: 'IWM', DELTA: 'QQQ' } as const;
const SEED = 42;
const FIRST = Date.parse('2021-01-04');
const LAST = Date.parse('2026-10-30');

/** The files by name. */
export function sampleFiles(): ReadonlyMap<string, string> {
  const dates = Array.from({ length: (LAST - FIRST) / DAY_MS + 1 }, (_, day) => dateOf(FIRST + day * DAY_MS)).filter(
    (date) => isSession('us', date),
  );
  const market = createSyntheticMarket({ seed: SEED, symbols: 3 });
  const days = [...market.closedDays(() => null, LAST + DAY_MS)].slice(-dates.length);
  return new Map(
    Object.entries(SYMBOLS).map(([symbol, source]) => {
      const rows = days.flatMap(({ bars }, index) => {
        const bar = bars.get(source);
        return bar === undefined
          ? []
          : [[symbol, dates[index], bar.open, bar.high, bar.low, bar.close, bar.volume ?? ''].join()];
      });
      return [`${symbol}.csv`, `symbol,date,open,high,low,close,volume\n${rows.join('\n')}\n`];
    }),
  );
}

if (process.argv[1] === import.meta.filename)
  for (const [name, text] of sampleFiles()) writeFileSync(join(SAMPLES, name), text);
