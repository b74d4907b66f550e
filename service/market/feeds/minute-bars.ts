// Service, market feeds: the newest intraday bars of each symbol, in memory.
import { type IntradayBar, IntradayBars } from '../tape/intraday-bars.ts';

export class MinuteBars extends IntradayBars {
  constructor() {
    super(false, true);
  }

  at(symbol: string, start: number): IntradayBar | null {
    const known = this.bars.get(symbol)?.findLast((bar) => bar.start <= start);
    return known?.start === start ? known : null;
  }

  /** Adds a bar; replaces a bar with the same start. */
  put(symbol: string, bar: IntradayBar): void {
    const bars = this.bars.get(symbol) ?? [];
    this.bars.set(symbol, bars);
    const index = bars.findLastIndex(({ start }) => start <= bar.start);
    if (bars[index]?.start === bar.start) bars[index] = bar;
    else bars.splice(index + 1, 0, bar);
  }

  lastStart(symbol: string): number | null {
    return this.bars.get(symbol)?.at(-1)?.start ?? null;
  }

  lastEnd(symbol: string): number | null {
    return this.bars.get(symbol)?.at(-1)?.end ?? null;
  }

  trim(before: number): void {
    for (const bars of this.bars.values()) {
      const first = bars.findIndex(({ end }) => end > before);
      if (first > 0) bars.splice(0, first);
    }
  }
}

export const isSameBar = (a: IntradayBar, b: IntradayBar): boolean =>
  a.close === b.close &&
  a.high === b.high &&
  a.low === b.low &&
  a.open === b.open &&
  a.volume === b.volume &&
  a.end === b.end;
