// Service, engine: the market factors of every symbol, one panel day at a time.
// The panel is eleven funds, a bond, gold and the volatility index.
import { DAY_MS } from '../../../shared/lib/time.ts';
import type { Bar } from '../bar.ts';
import type { RingBuffer } from '../ring-buffer.ts';
import { sampleDeviation } from '../threshold.ts';
import { AsOf, type AsOfState, CORRELATION_SPAN, TURBULENCE_SPAN } from './as-of.ts';
import { absorptionRatio, type TurbulenceModel, turbulenceModel, turbulenceOf } from './covariance.ts';
import { meanOf, PercentileWindow } from './percentile.ts';
import { logOf, mean } from './series.ts';

/** Members of the panel. A day with a close of any member is a panel day. */
const PANEL = ['SPY', 'QQQ', 'XLB', 'XLE', 'XLF', 'XLI', 'XLK', 'XLP', 'XLU', 'XLV', 'XLY'] as const;
const CYCLICAL = ['XLY', 'XLI', 'XLF', 'XLB', 'XLK'] as const;
const DEFENSIVE = ['XLP', 'XLU', 'XLV'] as const;
const MARKET = 'SPY';
/** In order of preference. */
const BONDS = ['AGG', 'TLT'] as const;
const GOLD = ['XAUUSD', 'GLD'] as const;
const VIX = ['VIX', '^VIX'] as const;

const MIN_MEMBERS = 6;
const TURBULENCE_REFRESH = 21;
const ABSORPTION_SPAN = 500;
const ABSORPTION_REFRESH = 5;
const SMOOTH = 0.2;
/** Time without a panel day after which the panel has ended: longer than any closure of the exchange. */
const ENDED_AFTER_MS = 14 * DAY_MS;

/** The market factors of a panel day. Ranks are 0..1; NaN without a value. */
export interface PanelReading {
  /** D-04 and D-07, equal for all symbols. */
  readonly economics: number;
  readonly protection: number;
  /**
   * Ranks: implied less realised variance; VIX over its 50-day mean; absorption ratio; smoothed turbulence.
   */
  readonly variancePremium: number;
  readonly fear: number;
  readonly absorption: number;
  readonly turbulence: number;
  /**
   * Smoothed three-year rank of turbulence, and the 5-day log change of the VIX: inputs of the risk model.
   */
  readonly turbulenceLevel: number;
  readonly fearChange: number;
}

const NOTHING: PanelReading = {
  economics: Number.NaN,
  protection: Number.NaN,
  variancePremium: Number.NaN,
  fear: Number.NaN,
  absorption: Number.NaN,
  turbulence: Number.NaN,
  turbulenceLevel: Number.NaN,
  fearChange: Number.NaN,
};

export interface CommonMoves {
  /** Mean standardised return of the members per panel day, oldest first. */
  readonly moves: Float64Array;
  /** The symbols in the mean. */
  readonly members: readonly string[];
}

interface PanelMemory {
  turbulenceModel: TurbulenceModel | null;
  absorption: number;
  smoothTurbulence: number;
  smoothRank: number;
  lastDate: string;
  /** The result of the current panel day, computed on demand. */
  commonMoves: CommonMoves | 'none' | null;
  reading: PanelReading;
  days: number;
}

export interface PanelState {
  readonly memory: Readonly<PanelMemory>;
  readonly series: readonly AsOfState[];
  readonly ranks: readonly Float64Array[];
}

export class MarketPanel {
  readonly #series = new Map<string, AsOf>();
  readonly #ranks = {
    cyclical: new PercentileWindow(),
    overBonds: new PercentileWindow(),
    defensive: new PercentileWindow(),
    bonds: new PercentileWindow(),
    gold: new PercentileWindow(),
    premium: new PercentileWindow(),
    fear: new PercentileWindow(),
    absorption: new PercentileWindow(),
    turbulence: new PercentileWindow(),
    turbulenceLong: new PercentileWindow(1, 756),
  };
  #memory: PanelMemory = {
    turbulenceModel: null,
    absorption: Number.NaN,
    smoothTurbulence: Number.NaN,
    smoothRank: Number.NaN,
    lastDate: '',
    commonMoves: null,
    reading: NOTHING,
    days: 0,
  };

  constructor() {
    for (const symbol of [...PANEL, ...BONDS, ...GOLD, ...VIX]) this.#series.set(symbol, new AsOf());
  }

  get reading(): PanelReading {
    return this.#memory.reading;
  }

  /** Number of panel days so far. */
  get days(): number {
    return this.#memory.days;
  }

  save(): PanelState {
    return {
      memory: { ...this.#memory },
      series: Array.from(this.#series.values(), (series) => series.save()),
      ranks: Object.values(this.#ranks).map((window) => window.save()),
    };
  }

  /** Continues a new panel from what another saved. */
  restore({ memory, series, ranks }: PanelState): void {
    this.#memory = { ...memory };
    for (const [index, own] of [...this.#series.values()].entries()) own.restore(series[index] as AsOfState);
    for (const [index, own] of Object.values(this.#ranks).entries()) own.restore(ranks[index] as Float64Array);
  }

  /** Adds closed bars. A late bar of an earlier panel day only updates its symbol's last close. */
  close(date: string, bars: ReadonlyMap<string, Bar>): void {
    for (const [symbol, series] of this.#series) {
      const bar = bars.get(symbol);
      if (bar !== undefined) series.take(bar);
    }
    if (date <= this.#memory.lastDate) return;
    if (!PANEL.some((symbol) => bars.has(symbol))) {
      if (Date.parse(date) - Date.parse(this.#memory.lastDate) > ENDED_AFTER_MS) this.#fallSilent();
      return;
    }
    this.#memory.lastDate = date;
    for (const series of this.#series.values()) series.advance();
    this.#memory.days += 1;
    this.#memory.commonMoves = null;
    this.#memory.reading = this.#read();
  }

  /** Clears the market factors until the panel continues. */
  #fallSilent(): void {
    this.#memory.reading = NOTHING;
    this.#memory.commonMoves = 'none';
  }

  /**
   * The mean standardised return of the members on each of the last 63 panel days; one product with it gives
   * a mean correlation.
   * @returns null while fewer than six members have 63 returns
   */
  commonMoves(): CommonMoves | null {
    this.#memory.commonMoves ??= this.#standardise();
    return this.#memory.commonMoves === 'none' ? null : this.#memory.commonMoves;
  }

  #standardise(): CommonMoves | 'none' {
    const members = this.#complete(CORRELATION_SPAN);
    if (members.length < MIN_MEMBERS) return 'none';
    const moves = new Float64Array(CORRELATION_SPAN);
    for (const index of members) {
      const returns = this.#panelReturns(index, CORRELATION_SPAN);
      const average = mean(returns);
      const deviation = sampleDeviation(returns);
      if (!(deviation > 0)) continue;
      for (let t = 0; t < CORRELATION_SPAN; t++) {
        moves[t] = (moves[t] as number) + ((returns[t] as number) - average) / deviation / members.length;
      }
    }
    return { moves, members: members.map((index) => PANEL[index] as string) };
  }

  #read(): PanelReading {
    const ranks = this.#ranks;
    const market = (span: number): number => this.#change([MARKET], span);
    const spread = (span: number): number => this.#meanChange(CYCLICAL, span) - this.#meanChange(DEFENSIVE, span);
    const vix = this.#first(VIX);
    const spy = this.#series.get(MARKET);
    const squares = spy === undefined ? Number.NaN : mean(spy.returns.tail(21).map((value) => value ** 2));
    const turbulence = this.#turbulence();
    // Without a model the last values would be old: unknown counts as turbulent.
    if (this.#memory.turbulenceModel === null) this.#memory.smoothTurbulence = this.#memory.smoothRank = Number.NaN;
    this.#memory.smoothTurbulence = smooth(this.#memory.smoothTurbulence, turbulence);
    this.#memory.smoothRank = smooth(this.#memory.smoothRank, take(ranks.turbulenceLong, turbulence));
    return {
      economics: meanOf(take(ranks.cyclical, spread(63)), take(ranks.overBonds, market(63) - this.#change(BONDS, 63))),
      protection: meanOf(
        take(ranks.defensive, -spread(21)),
        take(ranks.bonds, this.#change(BONDS, 21) - market(21)),
        take(ranks.gold, this.#change(GOLD, 21) - market(21)),
      ),
      variancePremium: take(ranks.premium, vix === null ? Number.NaN : (vix.back(0) / 100) ** 2 - 252 * squares),
      fear: take(ranks.fear, vix === null ? Number.NaN : vix.back(0) / vix.over(50, mean)),
      absorption: take(ranks.absorption, this.#absorb()),
      turbulence: take(ranks.turbulence, this.#memory.smoothTurbulence),
      turbulenceLevel: this.#memory.smoothRank,
      fearChange: vix === null ? Number.NaN : logOf(vix.back(0) / vix.back(5)),
    };
  }

  #turbulence(): number {
    let value = Number.NaN;
    const model = this.#memory.turbulenceModel;
    // Compares a day with earlier days only: the model is renewed after its use.
    if (model !== null)
      value = turbulenceOf(
        model,
        model.members.map((index) => this.#panelReturns(index, 1)[0] as number),
      );
    if (Number.isNaN(value)) this.#memory.turbulenceModel = null;
    if (this.#memory.turbulenceModel === null || this.#memory.days % TURBULENCE_REFRESH === 0) {
      const members = this.#complete(TURBULENCE_SPAN);
      if (members.length >= MIN_MEMBERS) {
        this.#memory.turbulenceModel = turbulenceModel(
          members,
          members.map((index) => this.#panelReturns(index, TURBULENCE_SPAN)),
        );
      }
    }
    return value;
  }

  #absorb(): number {
    if (Number.isNaN(this.#memory.absorption) || this.#memory.days % ABSORPTION_REFRESH === 0) {
      const members = this.#complete(ABSORPTION_SPAN);
      this.#memory.absorption =
        members.length < MIN_MEMBERS
          ? Number.NaN
          : absorptionRatio(members.map((index) => this.#panelReturns(index, ABSORPTION_SPAN)));
    }
    return this.#memory.absorption;
  }

  /** Members without a missing value among their last `span` returns. */
  #complete(span: number): number[] {
    return PANEL.flatMap((symbol, index) => {
      return (this.#series.get(symbol)?.unbroken ?? 0) >= span ? [index] : [];
    });
  }

  #panelReturns(index: number, span: number): Float64Array {
    return (this.#series.get(PANEL[index] as string) as AsOf).returns.tail(span);
  }

  #change(symbols: readonly string[], span: number): number {
    for (const symbol of symbols) {
      const closes = this.#series.get(symbol)?.closes;
      const change = closes === undefined ? Number.NaN : logOf(closes.back(0) / closes.back(span));
      if (!Number.isNaN(change)) return change;
    }
    return Number.NaN;
  }

  #meanChange(symbols: readonly string[], span: number): number {
    return meanOf(...symbols.map((symbol) => this.#change([symbol], span)));
  }

  #first(symbols: readonly string[]): RingBuffer | null {
    for (const symbol of symbols) {
      const closes = this.#series.get(symbol)?.closes;
      if (closes !== undefined && !Number.isNaN(closes.back(0))) return closes;
    }
    return null;
  }
}

function take(window: PercentileWindow, value: number): number {
  const rank = window.rank([value])[0] as number;
  window.push();
  return rank;
}

const smooth = (before: number, value: number): number => {
  if (Number.isNaN(value)) return before;
  return Number.isNaN(before) ? value : (1 - SMOOTH) * before + SMOOTH * value;
};
