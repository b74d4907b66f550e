// Service, engine: the twelve dimensions of one symbol, ranked among its last two years.
import type { Powers } from '../../../shared/domain/factors.ts';
import type { BarHistory } from '../history.ts';
import { RingBuffer, type RingState } from '../ring-buffer.ts';
import { sampleDeviation } from '../threshold.ts';
import { CORRELATION_SPAN } from './as-of.ts';
import type { MarketPanel } from './panel.ts';
import { meanOf, PercentileWindow } from './percentile.ts';
import {
  efficiency,
  hillTail,
  jumpShare,
  logOf,
  mean,
  meanOfKnown,
  permutationEntropy,
  ratio,
  signedFit,
  type Tail,
} from './series.ts';

/** Position of each ranked measure of a bar in its array. */
const M = {
  illiquidity: 0,
  spread: 1,
  correlation: 2,
  volatility: 3,
  sharpe: 4,
  efficiency: 5,
  entropy: 6,
  momentum: 7,
  fit: 8,
  overAverage: 9,
  moneyFlow: 10,
  speed: 11,
  range: 12,
  tail: 13,
  jumps: 14,
  worstDay: 15,
} as const;
const MEASURES = Object.keys(M).length;

const MONTH = 21;
const QUARTER = 63;
const YEAR = 252;
const AVERAGES = [10, 21, 50, 100, 125, 200] as const;
const RSI_SPAN = 14;

/** Wilder's averages of gains and losses; sums for fewer than 14 changes. */
interface Strength {
  readonly changes: number;
  readonly gain: number;
  readonly loss: number;
}

interface FactorMemory {
  /** Panel day up to which the panel returns are known. */
  panelDay: number;
  panelClose: number;
  strength: Strength;
}

export interface FactorState {
  readonly memory: Readonly<FactorMemory>;
  readonly panelReturns: RingState;
  readonly windows: readonly Float64Array[] | null;
}

export class SymbolFactors {
  readonly #isEquityLike: boolean;
  readonly #symbol: string;
  readonly #panel: MarketPanel;
  /**
   * Created at the first ranked bar: windows are most of a symbol's memory, and a validation ranks no bar.
   */
  #windows: readonly PercentileWindow[] | null = null;
  /** Returns from panel day to panel day; 0 for a day without a bar. */
  readonly #panelReturns = new RingBuffer(CORRELATION_SPAN);
  #memory: FactorMemory = { panelDay: 0, panelClose: Number.NaN, strength: { changes: 0, gain: 0, loss: 0 } };
  // Results of the last evaluation, for `commit`.
  readonly #measures = new Float64Array(MEASURES);
  #nextStrength = this.#memory.strength;
  #nextTail: Tail = { least: Number.NaN, index: Number.NaN };
  /** At the last close; follows from the returns, so it is not saved. */
  #tail = this.#nextTail;

  constructor(symbol: string, isEquityLike: boolean, panel: MarketPanel) {
    this.#isEquityLike = isEquityLike;
    this.#symbol = symbol;
    this.#panel = panel;
  }

  /** The powers at the last bar of the history; null without a value. */
  evaluate(history: BarHistory): Powers {
    const averages = averagesOf(history.closes);
    this.#measure(history, averages);
    this.#nextStrength = nextStrength(this.#memory.strength, history);
    this.#windows ??= newWindows();
    const windows = this.#windows;
    const rank = (measure: number): number =>
      (windows[measure] as PercentileWindow).rank(this.#measures[measure] as number);
    const market = this.#panel.reading;
    const equity = (value: number): number => (this.#isEquityLike ? value : Number.NaN);
    const premium = equity(market.variancePremium);
    return {
      'D-01': known(1 - meanOf(rank(M.illiquidity), rank(M.spread))),
      'D-02': known(meanOf(rank(M.correlation), equity(market.absorption))),
      'D-03': known(rank(M.volatility)),
      'D-04': known(market.economics),
      'D-05': known(Number.isNaN(premium) ? rank(M.sharpe) : premium),
      'D-06': known(meanOf(rank(M.efficiency), 1 - rank(M.entropy))),
      'D-07': known(market.protection),
      'D-08': known(rank(M.momentum)),
      'D-09': known(meanOf(order(history.closes.back(0), averages), rank(M.fit))),
      'D-10': known(
        meanOf(relativeStrength(this.#nextStrength), rank(M.overAverage), rank(M.moneyFlow), 1 - equity(market.fear)),
      ),
      'D-11': known(meanOf(rank(M.speed), rank(M.range))),
      'D-12': known(meanOf(rank(M.tail), rank(M.jumps), rank(M.worstDay), equity(market.turbulence))),
    };
  }

  /** Adds the bar of the last evaluation. */
  commit(history: BarHistory): void {
    const windows = this.#windows ?? [];
    for (let measure = 0; measure < windows.length; measure++)
      (windows[measure] as PercentileWindow).push(this.#measures[measure] as number);
    this.#memory.strength = this.#nextStrength;
    this.#tail = this.#nextTail;
    if (this.#pending(history.closes.back(0)))
      this.#panelReturns.push(Math.log(history.closes.back(0) / this.#memory.panelClose));
    this.#memory.panelDay = this.#panel.days;
    this.#memory.panelClose = history.closes.back(0);
  }

  save(): FactorState {
    return {
      memory: { ...this.#memory },
      panelReturns: this.#panelReturns.save(),
      windows: this.#windows?.map((window) => window.save()) ?? null,
    };
  }

  /** Continues new factors from what others saved. */
  restore({ memory, panelReturns, windows }: FactorState): void {
    this.#memory = { ...memory };
    this.#panelReturns.restore(panelReturns);
    if (windows === null) return;
    this.#windows = newWindows();
    for (const [index, window] of this.#windows.entries()) window.restore(windows[index] as Float64Array);
  }

  #measure(history: BarHistory, averages: readonly number[]): void {
    const { closes, returns, count } = history;
    const close = closes.back(0);
    const deviation = history.deviations.back(0);
    const measures = this.#measures.fill(Number.NaN);
    measures[M.correlation] = this.#correlation(close);
    measures[M.overAverage] = close / (averages[AVERAGES.indexOf(125)] ?? Number.NaN);
    if (count <= MONTH) return;
    const month = returns.tail(MONTH);
    measures[M.illiquidity] = logOf(meanOfKnown(history.illiquidity.tail(MONTH)));
    measures[M.spread] = meanOfKnown(history.spreads.tail(MONTH));
    measures[M.volatility] = logOf(yangZhang(history));
    measures[M.efficiency] = efficiency(closes.tail(MONTH + 1));
    measures[M.moneyFlow] = ratio(meanOfKnown(history.flow.tail(MONTH)), meanOfKnown(history.volume.tail(MONTH)));
    measures[M.jumps] = jumpShare(month);
    measures[M.worstDay] = ratio(largestLoss(month), history.deviations.back(MONTH));
    if (count <= QUARTER) return;
    const quarter = returns.tail(QUARTER);
    const ranges = history.trueRanges;
    measures[M.entropy] = permutationEntropy(history.orders.tail(QUARTER - 2));
    measures[M.fit] = signedFit(history.logCloses.tail(QUARTER));
    measures[M.speed] = ratio(Math.abs(Math.log(close / closes.back(5))), sampleDeviation(quarter) * Math.sqrt(5));
    measures[M.range] = ratio(mean(ranges.tail(5)), mean(ranges.tail(QUARTER)));
    if (count <= YEAR) return;
    measures[M.sharpe] = ratio(mean(returns.tail(YEAR)), deviation);
    measures[M.momentum] = ratio(Math.log(closes.back(MONTH) / closes.back(YEAR)), deviation);
    measures[M.tail] = this.#tailIndex(returns);
  }

  /** Over a year of returns. Nine of ten bars move no return into the tail or out of it. */
  #tailIndex(returns: RingBuffer): number {
    const { least } = this.#tail;
    const isSame = -returns.back(0) < least && -returns.back(YEAR) < least;
    this.#nextTail = isSame ? this.#tail : hillTail(returns.tail(YEAR));
    return this.#nextTail.index;
  }

  /** Mean correlation with the members of the panel over 63 panel days, without itself. */
  #correlation(close: number): number {
    const pending = this.#pending(close);
    const own = this.#panelReturns;
    const common = own.count + (pending ? 1 : 0) < CORRELATION_SPAN ? null : this.#panel.commonMoves();
    if (common === null) return Number.NaN;
    if (pending) own.push(Math.log(close / this.#memory.panelClose));
    const correlation = correlate(own.tail(CORRELATION_SPAN), common.moves);
    if (pending) own.undo();
    const size = common.members.length;
    return common.members.includes(this.#symbol) ? (size * correlation - 1) / (size - 1) : correlation;
  }

  /** Whether a close would add a panel day. First fills in the panel days without a bar of the symbol. */
  #pending(close: number): boolean {
    if (Number.isNaN(this.#memory.panelClose) || !(close > 0)) return false;
    for (; this.#memory.panelDay < this.#panel.days - 1; this.#memory.panelDay += 1) this.#panelReturns.push(0);
    return this.#memory.panelDay < this.#panel.days;
  }
}

const newWindows = () => Array.from({ length: MEASURES }, () => new PercentileWindow());

/** Covariance with a standardised series, divided by its own deviation; NaN for a constant run. */
function correlate(own: Float64Array, moves: Float64Array): number {
  const deviation = sampleDeviation(own);
  const average = mean(own);
  let sum = 0;
  for (let t = 0; t < own.length; t++) sum += ((own[t] as number) - average) * (moves[t] as number);
  return deviation > 0 ? sum / deviation / (own.length - 1) : Number.NaN;
}

function nextStrength(before: Strength, { closes, count }: BarHistory): Strength {
  if (count < 2) return before;
  const change = closes.back(0) - closes.back(1);
  const { changes, gain, loss } = before;
  // Sums divided by 14 for the first 14 changes, then Wilder's recursion.
  const keep = changes < RSI_SPAN ? 1 : (RSI_SPAN - 1) / RSI_SPAN;
  return {
    changes: changes + 1,
    gain: keep * gain + Math.max(change, 0) / RSI_SPAN,
    loss: keep * loss + Math.max(-change, 0) / RSI_SPAN,
  };
}

function largestLoss(returns: Float64Array): number {
  let least = 0;
  for (let i = 0; i < returns.length; i++) least = Math.min(least, returns[i] as number);
  return -least;
}

/** RSI as 0..1; 0.5 for a constant price. */
function relativeStrength({ changes, gain, loss }: Strength): number {
  if (changes < RSI_SPAN) return Number.NaN;
  return gain + loss > 0 ? gain / (gain + loss) : 0.5;
}

/** Moving averages in the order of AVERAGES, in one pass backwards; NaN with too few closes. */
function averagesOf(closes: RingBuffer): number[] {
  const reach = Math.min(closes.count, AVERAGES[AVERAGES.length - 1] as number);
  const averages: number[] = [];
  let sum = 0;
  let next = 0;
  for (let k = 0; k < reach; k++) {
    sum += closes.back(k);
    if (k + 1 === AVERAGES[next]) {
      averages.push(sum / (k + 1));
      next += 1;
    }
  }
  return averages;
}

/** Share of the five steps close > S21, S10 > S21 > S50 > S100 > S200 that hold. */
function order(close: number, averages: readonly number[]): number {
  const [s10, s21, s50, s100, , s200] = averages;
  if (s10 === undefined || s21 === undefined || s50 === undefined || s100 === undefined || s200 === undefined)
    return Number.NaN;
  return [close > s21, s10 > s21, s21 > s50, s50 > s100, s100 > s200].filter((isMet) => isMet).length / 5;
}

/** Yang and Zhang 2000 over 21 bars; close to close for bars without ranges. */
function yangZhang(history: BarHistory): number {
  if (mean(history.ranged.tail(MONTH)) < 0.5) return sampleDeviation(history.returns.tail(MONTH));
  const k = 0.34 / (1.34 + (MONTH + 1) / (MONTH - 1));
  const overnight = sampleDeviation(history.overnight.tail(MONTH)) ** 2;
  const body = sampleDeviation(history.body.tail(MONTH)) ** 2;
  return Math.sqrt(overnight + k * body + (1 - k) * mean(history.wander.tail(MONTH)));
}

const known = (value: number): number | null => (Number.isFinite(value) ? value : null);
