// Service, engine: the breach threshold and the drawdown against it, one bar at a time.

/** Bars ahead that a warning covers, and bars back over which a drawdown is measured. */
export const HORIZON = 21;
/** Bars in the long volatility window; the first bars have no threshold. */
export const VOLATILITY_WINDOW = 252;
const MULTIPLE = 1.5;
const LEAST = 0.025;
const MOST = 0.45;

/** Sample standard deviation (ddof 1), two passes. */
export function sampleDeviation(values: Float64Array, start = 0, end = values.length): number {
  const n = end - start;
  let sum = 0;
  for (let i = start; i < end; i++) sum += values[i] as number;
  const mean = sum / n;
  let squares = 0;
  for (let i = start; i < end; i++) {
    const offset = (values[i] as number) - mean;
    squares += offset * offset;
  }
  return Math.sqrt(squares / (n - 1));
}

/**
 * The breach threshold by daily standard deviation: the loss over the horizon, as a fraction of the price,
 * that counts as a breach.
 */
export const thresholdOf = (deviation: number): number =>
  Math.min(MOST, Math.max(LEAST, MULTIPLE * deviation * Math.sqrt(HORIZON)));

/**
 * The drawdown of a symbol against its threshold. All are fractions; `threshold` is infinite until the
 * volatility window is full.
 */
export interface Drawdown {
  readonly threshold: number;
  /** The latest highest close of this and the 21 bars before, and the threshold of that bar. */
  readonly peak: number;
  readonly peakThreshold: number;
  /** The drawdown from the peak as a fraction of the peak's threshold; 0 while that is infinite. */
  readonly drawdownFraction: number;
}

/** A close above all later closes: the peak of coming bars while it is within their horizon. */
export interface Maximum {
  /** Number of bars between it and the next bar, 1 for the last close. */
  readonly age: number;
  readonly close: number;
  /** Threshold of its bar. */
  readonly threshold: number;
}

export interface ThresholdState {
  readonly maxima: readonly Maximum[];
  readonly sinceBreach: number;
}

/** Follows one symbol's closes. `evaluate` previews a next close, `commit` adds it. */
export class ThresholdTrack {
  /** The maxima of the last 21 closes for the next bar, youngest and lowest first. */
  maxima: readonly Maximum[] = [];
  /** Number of closes since the last breach, 0 on it; infinite before the first. */
  #sinceBreach = Number.POSITIVE_INFINITY;

  /**
   * Drawdown fraction of a price of the next bar. Cheap enough for every tick.
   * @param missing missing sessions before the next bar, which count in every span of bars; so in all methods
   */
  fraction(price: number, missing: number): number {
    const { close, threshold } = this.#peak(missing);
    return price >= close ? 0 : (1 - price / close) / threshold;
  }

  /** Bars since the last breach at a next bar with this drawdown fraction; 0 if that is a breach. */
  sinceBreach(drawdownFraction: number, missing: number): number {
    return drawdownFraction >= 1 ? 0 : this.#sinceBreach + 1 + missing;
  }

  /** @param deviation of the last 252 log returns including this bar's; NaN with fewer */
  evaluate(close: number, deviation: number, missing: number): Drawdown {
    const threshold = Number.isNaN(deviation) ? Number.POSITIVE_INFINITY : thresholdOf(deviation);
    const peak = this.#peak(missing);
    const isPeak = close >= peak.close;
    return {
      threshold,
      peak: isPeak ? close : peak.close,
      peakThreshold: isPeak ? threshold : peak.threshold,
      drawdownFraction: this.fraction(close, missing),
    };
  }

  commit(close: number, drawdown: Drawdown, missing: number): void {
    this.#sinceBreach = this.sinceBreach(drawdown.drawdownFraction, missing);
    const maxima: Maximum[] = [{ age: 1, close, threshold: drawdown.threshold }];
    for (const { age, close: earlier, threshold } of this.maxima) {
      if (earlier > close && age + missing < HORIZON)
        maxima.push({ age: age + missing + 1, close: earlier, threshold });
    }
    this.maxima = maxima;
  }

  save(): ThresholdState {
    return { maxima: this.maxima, sinceBreach: this.#sinceBreach };
  }

  /** Continues a new track from what another saved. */
  restore({ maxima, sinceBreach }: ThresholdState): void {
    this.maxima = maxima;
    this.#sinceBreach = sinceBreach;
  }

  /** The oldest maximum is the latest highest close: the peak for the next bar, unless that bar is higher. */
  #peak(missing: number): Pick<Maximum, 'close' | 'threshold'> {
    const peak = missing === 0 ? this.maxima.at(-1) : this.maxima.findLast(({ age }) => age + missing <= HORIZON);
    return peak ?? NO_PEAK;
  }
}

const NO_PEAK = { close: Number.NEGATIVE_INFINITY, threshold: Number.POSITIVE_INFINITY };
