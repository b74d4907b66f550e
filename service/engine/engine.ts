// Service, engine: computes the readings of all symbols from their bars.
// The cost of a bar does not depend on the length of the history.

import type { Claim } from '../../shared/domain/claims.ts';
import { emptyPowers, type Powers } from '../../shared/domain/factors.ts';
import type { State } from '../../shared/domain/states.ts';
import { assertPrices, type Bar } from './bar.ts';
import { BaseRate, NO_OUTCOMES, type PooledTallies } from './base-rate.ts';
import { MarketBreadth } from './factors/breadth.ts';
import { SymbolFactors } from './factors/own.ts';
import { MarketPanel } from './factors/panel.ts';
import { BarHistory } from './history.ts';
import { type Outcome, OutcomeTrack } from './outcomes.ts';
import { type RegimeReading, RegimeTrack } from './regime-rule.ts';
import { newRiskInputs, type RiskInputs, riskInputs } from './risk/first-passage.ts';
import { evaluateRisk, type Risk, type RiskModel, riskContributions, type YearParameters } from './risk/model.ts';
import { RISK_MODEL } from './risk/parameters.ts';
import { meanOfOdds } from './risk/regression.ts';
import { PRIOR_STATES } from './risk/volatility-states.ts';
import { type Evidence, entryDrawdown, isWithheld, NO_RUN, nextState, ruleBehind, runAfter } from './state-rule.ts';
import { type Drawdown, ThresholdTrack } from './threshold.ts';
import type { Engine, EngineInstrument, EngineState, Reading, TrackState } from './types.ts';

/** Version of the rule and of the published chance; the full version appends that of the risk model. */
const RULE_VERSION = 'dd-p-3';
/** Version of what an engine remembers and computes, to the last bit. */
const STATE_VERSION = 2;
/** Rank of turbulence, the three-year median, from which the market is turbulent. */
const TURBULENT = 0.5;

const NO_POWERS: Powers = Object.freeze(emptyPowers());

interface Evaluation {
  readonly drawdown: Drawdown;
  readonly state: State;
  readonly regime: RegimeReading;
  readonly powers: Powers;
  readonly evidence: Evidence;
  readonly claim: Claim;
  readonly risk: Risk | null;
  readonly contributions: Powers;
}

/** Inputs that the tracks of all symbols share. */
interface SharedInputs {
  readonly panel: MarketPanel;
  readonly breadth: MarketBreadth;
  readonly pooled: PooledTallies;
  readonly modelOf: (symbol: string) => RiskModel;
  readonly factorsFrom: string;
  readonly onRiskInputs: (symbol: string, inputs: RiskInputs) => void;
}

class SymbolTrack {
  readonly threshold = new ThresholdTrack();
  readonly #symbol: string;
  readonly isEquityLike: boolean;
  readonly #shared: SharedInputs;
  readonly #history = new BarHistory();
  readonly #regime = new RegimeTrack();
  readonly #factors: SymbolFactors;
  readonly #outcomes = new OutcomeTrack();
  readonly #baseRates: Readonly<Record<Claim, BaseRate>>;
  /** How often the claimed fall followed a bar in High Risk. */
  readonly #highRiskRecord: BaseRate;
  readonly #inputs = newRiskInputs();
  /** Of the last closed bar, not counted yet; none after a day. */
  #newOutcomes: readonly Outcome[] = [];
  #run = NO_RUN;
  last: Reading | null = null;

  constructor({ symbol, assetClass }: EngineInstrument, shared: SharedInputs, saved?: TrackState | null) {
    this.#symbol = symbol;
    this.#shared = shared;
    this.isEquityLike = assetClass !== 'crypto' && assetClass !== 'fx';
    this.#factors = new SymbolFactors(symbol, this.isEquityLike, shared.panel);
    this.#baseRates = {
      event: new BaseRate(shared.pooled.event, saved?.event),
      further_fall: new BaseRate(shared.pooled.further_fall, saved?.furtherFall),
    };
    this.#highRiskRecord = new BaseRate(shared.pooled.high_risk, saved?.highRisk);
    if (saved == null) return;
    this.threshold.restore(saved.threshold);
    this.#history.restore(saved.history);
    this.#regime.memory = saved.regime;
    this.#factors.restore(saved.factors);
    this.#outcomes.restore(saved.outcomes);
    this.#run = saved.run;
    this.last = saved.last;
  }

  save(): TrackState {
    return {
      threshold: this.threshold.save(),
      history: this.#history.save(),
      regime: this.#regime.memory,
      factors: this.#factors.save(),
      outcomes: this.#outcomes.save(),
      event: this.#baseRates.event.save(),
      furtherFall: this.#baseRates.further_fall.save(),
      highRisk: this.#highRiskRecord.save(),
      run: this.#run,
      last: this.last,
    };
  }

  /** The reading that the bar would give; changes nothing. */
  peek(bar: Bar, from: State): Reading {
    const evaluation = this.#evaluate(bar, from);
    this.#history.undo();
    return this.#reading(bar, evaluation);
  }

  close(bar: Bar): Reading {
    const evaluation = this.#evaluate(bar, this.last?.state ?? 0);
    this.#shared.onRiskInputs(this.#symbol, this.#inputs);
    const reading = this.#reading(bar, evaluation);
    this.threshold.commit(bar.close, evaluation.drawdown, bar.missing ?? 0);
    this.#regime.commit(evaluation.regime);
    if (this.#isRanked(bar)) this.#factors.commit(this.#history);
    const claimed = reading.state === 2 && evaluation.risk !== null ? reading.claim : null;
    this.#newOutcomes = this.#outcomes.commit(bar.close, evaluation.drawdown, bar.missing, claimed);
    this.#run = runAfter(this.#run, reading.state);
    this.last = reading;
    return reading;
  }

  /** Counts the outcomes of the bars whose horizon ended with the last closed one. */
  countOutcomes(): void {
    for (const { event, fell, claimed } of this.#newOutcomes) {
      const followed = claimed === 'further_fall' ? fell : event;
      if (claimed !== null && followed !== null) this.#highRiskRecord.count(followed);
      // The outcome is null within an event, where a warning comes too late.
      if (event !== null) this.#baseRates.event.count(event);
      this.#baseRates.further_fall.count(fell);
    }
    this.#newOutcomes = [];
  }

  /** Evaluates a bar and leaves it as the last one of the history. */
  #evaluate(bar: Bar, from: State): Evaluation {
    const fitted = this.#parameters();
    const { evidence, claim, risk, state } = this.#applyRule(bar.close, from, fitted, bar.missing);
    const explained = this.#isRanked(bar);
    this.#history.push(bar);
    const drawdown = this.threshold.evaluate(bar.close, this.#history.deviations.back(0), bar.missing ?? 0);
    return {
      drawdown,
      state,
      regime: this.#regime.evaluate(this.#history, state, fitted?.volatility ?? PRIOR_STATES),
      powers: explained ? this.#factors.evaluate(this.#history) : NO_POWERS,
      evidence,
      claim,
      risk,
      contributions:
        fitted === null || risk === null || !explained ? NO_POWERS : riskContributions(fitted, this.#inputs),
    };
  }

  /** Applies the rule to one price, cheap enough for every tick. */
  stateAt(price: number, from: State, missing?: number): State {
    return this.#applyRule(price, from, this.#parameters(), missing).state;
  }

  /** Drawdown fraction of a next bar's close; null before the first threshold. */
  fractionAt({ close, missing = 0 }: Bar): number | null {
    return this.#isWarmingUp() ? null : this.threshold.fraction(close, missing);
  }

  mayBeginHighRisk(price: number, missing = 0): boolean {
    const hasProbability = this.#parameters() !== null && !this.#isWarmingUp();
    return !(this.threshold.fraction(price, missing) < entryDrawdown(hasProbability, this.#isTurbulent()));
  }

  #isTurbulent(): boolean {
    return !(this.isEquityLike && this.#shared.panel.reading.turbulenceLevel < TURBULENT);
  }

  #parameters(): YearParameters | null {
    return this.last === null ? null : this.#shared.modelOf(this.#symbol).parameters(this.last.date);
  }

  /** Call it before the bar is in the history. */
  #applyRule(price: number, from: State, fitted: YearParameters | null, missing = 0) {
    const common = this.isEquityLike ? this.#shared.breadth.rank : Number.NaN;
    const inputs = riskInputs(this.#inputs, price, this.#history, this.threshold, common, missing);
    const risk = fitted === null || this.#isWarmingUp() ? null : evaluateRisk(fitted, inputs);
    const evidence: Evidence = {
      drawdown: inputs.drawdown,
      probability: risk === null ? null : risk.event,
      isTurbulent: this.#isTurbulent(),
    };
    const claim: Claim = inputs.mergeBars > 0 ? 'further_fall' : 'event';
    return { evidence, claim, risk, state: nextState(evidence, from, this.#run) };
  }

  /**
   * In High Risk, halfway in log odds between the model's chance and the record: on symbols that nobody fitted
   * the model's chances lie too far apart. The rule never sees the result.
   */
  #publishedChance(chance: number, state: State): number {
    const record = state === 2 ? this.#highRiskRecord.value() : null;
    return record === null ? chance : meanOfOdds(chance, record);
  }

  #isRanked(bar: Bar): boolean {
    return bar.date >= this.#shared.factorsFrom;
  }

  /** Whether there is no probability: the usual volatility is unknown or zero. */
  #isWarmingUp(): boolean {
    return !(this.#history.deviations.back(0) > 0);
  }

  #reading(bar: Bar, { drawdown, state, regime, powers, evidence, claim, risk, contributions }: Evaluation): Reading {
    const known = Number.isFinite(drawdown.peakThreshold);
    const chance =
      risk === null ? null : this.#publishedChance(claim === 'event' ? risk.event : risk.furtherFall, state);
    const baseRate = known ? this.#baseRates[claim].value() : null;
    return {
      date: bar.date,
      close: bar.close,
      state,
      isWithheld: isWithheld(evidence, state),
      rule: state === 0 || !known ? null : ruleBehind(evidence, state),
      probability: evidence.probability,
      claim,
      confidence: chance === null ? null : 100 * (state === 0 ? 1 - chance : chance),
      baseRate: baseRate === null ? null : 100 * baseRate,
      regime: regime.regime,
      regimeProbabilities: regime.probabilities,
      powers,
      contributions,
      drawdownFraction: known ? drawdown.drawdownFraction : null,
      breachLevel: known ? drawdown.peak * (1 - drawdown.peakThreshold) : null,
    };
  }
}

export interface EngineOptions {
  readonly instruments: readonly EngineInstrument[];
  /**
   * Date of the first bar with ranked dimensions. Default: the first bar. Ranking is most of an engine's
   * work, so a caller that serves two years omits data more than four years old. Powers and contributions
   * before the date are null; the first powers follow 126 bars after it.
   */
  readonly factorsFrom?: string;
  /** The risk model. Default: the shipped one. */
  readonly model?: RiskModel;
  /** Models of single symbols in its place, to score them by weights that were fitted without them. */
  readonly models?: ReadonlyMap<string, RiskModel>;
  /** Receives the inputs of the risk model at every close. The engine reuses them afterwards. */
  readonly onRiskInputs?: (symbol: string, inputs: RiskInputs) => void;
  /** The state of an engine with equal instruments, `factorsFrom` and model to continue. Default: no history. */
  readonly saved?: EngineState | null;
}

/**
 * Creates an engine. It needs all instruments, because a reading may use prices of other symbols.
 * @throws RangeError when the saved state is of an engine with other instruments, `factorsFrom` or model
 */
export function createEngine({
  instruments,
  factorsFrom = '',
  model = RISK_MODEL,
  models = new Map(),
  onRiskInputs = () => undefined,
  saved = null,
}: EngineOptions): Engine {
  const modelVersion = `${RULE_VERSION}+${model.version}`;
  const key = JSON.stringify([STATE_VERSION, modelVersion, factorsFrom, instruments.map(identityOf)]);
  if (saved !== null && saved.key !== key) throw new RangeError('the saved state is of another engine');
  const panel = new MarketPanel();
  const breadth = new MarketBreadth();
  if (saved !== null) {
    panel.restore(saved.panel);
    breadth.restore(saved.breadth);
  }
  const shared: SharedInputs = {
    panel,
    breadth,
    pooled: structuredClone(saved?.pooled ?? NO_OUTCOMES),
    modelOf: (symbol) => models.get(symbol) ?? model,
    factorsFrom,
    onRiskInputs,
  };
  const lastDates = new Map(instruments.map(({ symbol }, i) => [symbol, saved?.symbols[i]?.lastDate ?? null]));
  const tracks = new Map<string, SymbolTrack>();
  for (const [i, row] of instruments.entries())
    if (row.inputOnly !== true) tracks.set(row.symbol, new SymbolTrack(row, shared, saved?.symbols[i]?.track));
  const members = [...tracks].filter(([, track]) => track.isEquityLike).sort(([a], [b]) => (a < b ? -1 : 1));

  return {
    volatilityStates: (date) => model.parameters(date)?.volatility ?? PRIOR_STATES,
    modelVersion,

    closeDay(date, bars) {
      for (const [symbol, bar] of bars) {
        const before = lastDates.get(symbol);
        if (before === undefined) throw new RangeError(`${symbol} is none of the engine's instruments`);
        if (before !== null && date <= before)
          throw new RangeError(`${symbol}: the day ${date} is not after ${before}`);
        assertPrices(symbol, bar);
      }
      panel.close(date, bars);
      breadth.close(date, fractionsOf(members, bars));
      const readings = new Map<string, Reading>();
      for (const [symbol, bar] of bars) {
        lastDates.set(symbol, date);
        const track = tracks.get(symbol);
        if (track !== undefined) readings.set(symbol, track.close(bar));
      }
      // Counts after all readings, so that readings do not depend on the order of symbols, and peeks agree.
      for (const symbol of readings.keys()) tracks.get(symbol)?.countOutcomes();
      return readings;
    },

    peek(symbol, forming, from) {
      const track = tracks.get(symbol);
      if (track === undefined) return null;
      assertPrices(symbol, forming);
      return track.peek(forming, from);
    },

    peekState(symbol, price, from, missing) {
      const track = tracks.get(symbol);
      return track === undefined ? from : track.stateAt(price, from, missing);
    },

    mayBeginHighRisk: (symbol, price, missing) => tracks.get(symbol)?.mayBeginHighRisk(price, missing) ?? false,

    last: (symbol) => tracks.get(symbol)?.last ?? null,
    lastDate: (symbol) => lastDates.get(symbol) ?? null,

    save: () => ({
      key,
      symbols: instruments.map(({ symbol }) => ({
        lastDate: lastDates.get(symbol) ?? null,
        get track() {
          return tracks.get(symbol)?.save() ?? null;
        },
      })),
      panel: panel.save(),
      breadth: breadth.save(),
      pooled: structuredClone(shared.pooled),
    }),
  };
}

const identityOf = ({ symbol, assetClass, inputOnly = false }: EngineInstrument) => [symbol, assetClass, inputOnly];

function fractionsOf(members: readonly (readonly [string, SymbolTrack])[], bars: ReadonlyMap<string, Bar>): number[] {
  return members.flatMap(([symbol, track]) => {
    const bar = bars.get(symbol);
    return bar === undefined ? [] : (track.fractionAt(bar) ?? []);
  });
}
