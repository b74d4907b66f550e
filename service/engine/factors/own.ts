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
const LONGEST_AVERAGE = Math.max(...AVERAGES);
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
  readonly window: Float64Array | null;
}

export class SymbolFactors {
  readonly #isEquityLike: boolean;
  readonly #symbol: string;
  readonly #panel: MarketPanel;
  /**
   * Created at the first ranked bar: it is most of a symbol's memory, and a validation ranks no bar.
   */
  #window: PercentileWindow | null = null;
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
    const averages = history.closes.over(LONGEST_AVERAGE, averagesOf);
    this.#measure(history, averages);
    this.#nextStrength = nextStrength(this.#memory.strength, history);
    this.#window ??= new PercentileWindow(MEASURES);
    const ranks = this.#window.rank(this.#measures);
    const rank = (measure: number): number => ranks[measure] as number;
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
    this.#window?.push();
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
      window: this.#window?.save() ?? null,
    };
  }

  /** Continues new factors from what others saved. */
  restore({ memory, panelReturns, window }: FactorState): void {
    this.#memory = { ...memory };
    this.#panelReturns.restore(panelReturns);
    if (window === null) return;
    this.#window = new PercentileWindow(MEASURES);
    this.#window.restore(window);
  }

  #measure(history: BarHistory, averages: readonly number[]): void {
    const { closes, returns, count } = history;
    const close = closes.back(0);
    const deviation = history.deviations.back(0);
    const measures = this.#measures.fill(Number.NaN);
    measures[M.correlation] = this.#correlation(close);
    measures[M.overAverage] = close / (averages[AVERAGES.indexOf(125)] as number);
    if (count <= MONTH) return;
    measures[M.illiquidity] = logOf(history.illiquidity.over(MONTH, meanOfKnown));
    measures[M.spread] = history.spreads.over(MONTH, meanOfKnown);
    measures[M.volatility] = logOf(yangZhang(history));
    measures[M.efficiency] = closes.over(MONTH + 1, efficiency);
    measures[M.moneyFlow] = ratio(history.flow.over(MONTH, meanOfKnown), history.volume.over(MONTH, meanOfKnown));
    measures[M.jumps] = returns.over(MONTH, jumpShare);
    measures[M.worstDay] = ratio(returns.over(MONTH, largestLoss), history.deviations.back(MONTH));
    if (count <= QUARTER) return;
    const ranges = history.trueRanges;
    measures[M.entropy] = history.orders.over(QUARTER - 2, permutationEntropy);
    measures[M.fit] = history.logCloses.over(QUARTER, signedFit);
    measures[M.speed] = ratio(
      Math.abs(Math.log(close / closes.back(5))),
      returns.over(QUARTER, sampleDeviation) * Math.sqrt(5),
    );
    measures[M.range] = ratio(ranges.over(5, mean), ranges.over(QUARTER, mean));
    if (count <= YEAR) return;
    measures[M.sharpe] = ratio(returns.over(YEAR, mean), deviation);
    measures[M.momentum] = ratio(Math.log(closes.back(MONTH) / closes.back(YEAR)), deviation);
    measures[M.tail] = this.#tailIndex(returns);
  }

  /** Over a year of returns. Nine of ten bars move no return into the tail or out of it. */
  #tailIndex(returns: RingBuffer): number {
    const { least } = this.#tail;
    const isSame = -returns.back(0) < least && -returns.back(YEAR) < least;
    this.#nextTail = isSame ? this.#tail : returns.over(YEAR, hillTail);
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

function largestLoss(returns: Float64Array, start: number, end: number): number {
  let least = 0;
  for (let i = start; i < end; i++) least = Math.min(least, returns[i] as number);
  return -least;
}

/** RSI as 0..1; 0.5 for a constant price. */
function relativeStrength({ changes, gain, loss }: Strength): number {
  if (changes < RSI_SPAN) return Number.NaN;
  return gain + loss > 0 ? gain / (gain + loss) : 0.5;
}

/** Moving averages in the order of AVERAGES, in one pass backwards; NaN with too few closes. */
function averagesOf(closes: Float64Array, _start: number, end: number): number[] {
  const averages: number[] = [];
  let sum = 0;
  let k = 0;
  for (const span of AVERAGES) {
    for (; k < span; k++) sum += closes[end - 1 - k] as number;
    averages.push(sum / span);
  }
  return averages;
}

/** Share of the five steps close > S21, S10 > S21 > S50 > S100 > S200 that hold. */
function order(close: number, averages: readonly number[]): number {
  const [s10, s21, s50, s100, , s200] = averages as [number, number, number, number, number, number];
  if (Number.isNaN(s200)) return Number.NaN;
  return (Number(close > s21) + Number(s10 > s21) + Number(s21 > s50) + Number(s50 > s100) + Number(s100 > s200)) / 5;
}

/** Yang and Zhang 2000 over 21 bars; close to close for bars without ranges. */
function yangZhang(history: BarHistory): number {
  if (history.ranged.over(MONTH, mean) < 0.5) return history.returns.over(MONTH, sampleDeviation);
  const k = 0.34 / (1.34 + (MONTH + 1) / (MONTH - 1));
  const overnight = history.overnight.over(MONTH, sampleDeviation) ** 2;
  const body = history.body.over(MONTH, sampleDeviation) ** 2;
  return Math.sqrt(overnight + k * body + (1 - k) * history.wander.over(MONTH, mean));
}

const known = (value: number): number | null => (Number.isFinite(value) ? value : null);
