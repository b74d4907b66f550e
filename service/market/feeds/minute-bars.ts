// Service, market feeds: the newest intraday bars of each symbol, in memory.
import { IntradayBars } from '../tape/intraday-bars.ts';
import type { IntradayBar } from '../tape/intraday-series.ts';

export class MinuteBars extends IntradayBars {
  constructor() {
    super(false, true);
  }

  at(symbol: string, start: number): IntradayBar | null {
    const bars = this.bars.get(symbol);
    const known = bars?.at(bars.startedBy(start) - 1);
    return known?.start === start ? known : null;
  }

  /** Adds a bar; replaces a bar with the same start. */
  put(symbol: string, bar: IntradayBar): void {
    this.seriesOf(symbol).put(bar);
  }

  lastStart(symbol: string): number | null {
    const bars = this.bars.get(symbol);
    return bars === undefined || bars.length === 0 ? null : bars.start(bars.length - 1);
  }

  lastEnd(symbol: string): number | null {
    const bars = this.bars.get(symbol);
    return bars === undefined || bars.length === 0 ? null : bars.end(bars.length - 1);
  }

  trim(before: number): void {
    for (const bars of this.bars.values()) bars.trim(before);
  }
}

export const isSameBar = (a: IntradayBar, b: IntradayBar): boolean =>
  a.close === b.close &&
  a.high === b.high &&
  a.low === b.low &&
  a.open === b.open &&
  a.volume === b.volume &&
  a.end === b.end;
