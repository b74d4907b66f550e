// Service, sandbox world: the model of one part of returns, drawn day by day.
// A part is the market, a sector or a share's own part. A day's log return is sd * e^(h/2) * scale * draw:
// h: log variance, a slow and a fast autoregression (two-component stochastic volatility; Taylor 1986,
// Alizadeh, Brandt and Diebold 2002). The size and sign of the last return feed the fast one (EGARCH, Nelson
// 1991): volatility clusters, and falls raise it.
// scale: random per day; the tails are those of a Student t with some 5 to 7 degrees of freedom.
// stress: share of the market's h in every other h (one common volatility factor). Market variance then grows
// faster than own variance, so correlations rise in stress without a model of their own (the effect of DCC,
// Engle 2002).
import { exp, normalDraw, stream, unit } from './numbers.ts';

export interface ReturnModel {
  /** Long-run deviation of log returns (root mean square), percent a year of 252 bars. */
  readonly volatility: number;
  /** Share of the market's log variance; 0 for the market itself. */
  readonly stress: number;
  /** Long-run deviation of the slow log variance. */
  readonly slow: number;
  /** Effect of the size of a move on the next day's log variance. */
  readonly size: number;
  /** Increase of the log variance after a fall, decrease after a rise (the leverage effect). */
  readonly leverage: number;
  /** Falls exceed rises by twice this share. */
  readonly tilt: number;
}

/** Persistence of the log variances per day: half-lives of about 170 and 17 days. */
const SLOW_MEMORY = 0.996;
const FAST_MEMORY = 0.96;
/** Limit of the log variance: about five times the usual deviation. */
const MAX_LOG_VARIANCE = 3.2;
/** The noise of the slow log variance has the deviation of two of the four halves of a normal draw. */
const SLOW_STEP = Math.sqrt(2 * (1 - SLOW_MEMORY * SLOW_MEMORY));
const MIDDLE = 0x8000_8000;

/**
 * The square of the random scale is one over the root of a uniform number (mean 1); the floor bounds the
 * kurtosis.
 */
const SCALE_FLOOR = 0.01;
const SCALE_NORM = 1 / (2 * (Math.sqrt(1 + SCALE_FLOOR) - Math.sqrt(SCALE_FLOOR)));
/** Mean and variance of the size of scale times draw, bounded; measured. */
const MEAN_SIZE = 0.781;
const SIZE_VARIANCE = 0.384;
const MAX_SIZE = 4;

const fastVariance = ({ size, leverage }: ReturnModel): number =>
  (SIZE_VARIANCE * size * size + 0.994 * leverage * leverage) / (1 - FAST_MEMORY * FAST_MEMORY);

/** Long-run variance of a model's own log variance. */
export const logVariance = (returnModel: ReturnModel): number =>
  returnModel.slow * returnModel.slow + fastVariance(returnModel);

/** Average share of the two log variances that remains over the next 21 days. */
const SLOW_OUTLOOK = 0.95;
const FAST_OUTLOOK = 0.65;

/** Draws a part of returns. A day's variance is known before its return: no look-ahead. */
export class Part {
  readonly #returnModel: ReturnModel;
  readonly #next: () => number;
  readonly #sigma: number;
  readonly #slowStep: number;
  readonly #centre: number;
  readonly #half: number;
  #slow = 0;
  #fast = 0;
  /** Today's log return, and the variance of its draw (random scale included). */
  move = 0;
  variance = 0;
  /** Own log variance of tomorrow, centred so that the variance has a mean factor of 1. */
  own: number;
  /** Own expected log variance, averaged over the next 21 days, centred likewise. */
  outlook: number;
  readonly #halfOutlook: number;

  /** @param market the market's model, whose log variance enters with share `returnModel.stress` */
  constructor(key: number, returnModel: ReturnModel, market: ReturnModel) {
    this.#returnModel = returnModel;
    this.#next = stream(key);
    this.#sigma = returnModel.volatility / 100 / Math.sqrt(252);
    this.#slowStep = returnModel.slow * SLOW_STEP;
    this.#half = logVariance(returnModel) / 2;
    this.#centre =
      this.#half + ((returnModel.stress * returnModel.stress - returnModel.stress) * logVariance(market)) / 2;
    const slow = SLOW_OUTLOOK * returnModel.slow;
    this.#halfOutlook = (slow * slow + FAST_OUTLOOK * FAST_OUTLOOK * fastVariance(returnModel)) / 2;
    this.own = -this.#half;
    this.outlook = -this.#halfOutlook;
  }

  /** Draws a day. @param market the market's own log variance of the day, 0 for the market itself */
  step(market: number): void {
    const { stress, size, leverage, tilt } = this.#returnModel;
    const next = this.#next;
    const h = Math.min(MAX_LOG_VARIANCE, this.#slow + this.#fast - this.#centre + stress * market);
    const scale = Math.sqrt(SCALE_NORM / Math.sqrt(unit(next()) + SCALE_FLOOR));
    const shape = scale * normalDraw(next(), next());
    const length = Math.abs(shape);
    const sigma = this.#sigma * exp(h / 2);
    this.variance = sigma * sigma * scale * scale;
    this.move = sigma * (shape - tilt * (length - MEAN_SIZE));
    const bounded = Math.max(-MAX_SIZE, Math.min(MAX_SIZE, shape));
    this.#slow = SLOW_MEMORY * this.#slow + this.#slowStep * normalDraw(next(), MIDDLE);
    this.#fast = FAST_MEMORY * this.#fast + size * (Math.abs(bounded) - MEAN_SIZE) - leverage * bounded;
    this.own = this.#slow + this.#fast - this.#half;
    this.outlook = SLOW_OUTLOOK * this.#slow + FAST_OUTLOOK * this.#fast - this.#halfOutlook;
  }
}
