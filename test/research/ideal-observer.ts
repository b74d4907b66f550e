// Research: the best possible score in a world without information on direction.
// `node test/research/ideal-observer.ts` scores an observer who knows the true coming volatility, in simulated
// worlds, and prints the means: service/engine/scoring/ceilings.ts has them.
import { BarHistory } from '../../service/engine/history.ts';
import { eventOdds, newRiskInputs, riskInputs } from '../../service/engine/risk/first-passage.ts';
import { trigger } from '../../service/engine/scoring/detectors.ts';
import { type Frame, frameOf, H, WARM } from '../../service/engine/scoring/frame.ts';
import {
  dayLift,
  NO_EVENT_COUNTS,
  NO_STRICT_COUNTS,
  pool,
  ratiosOf,
  scoreEvents,
  scoreStrict,
} from '../../service/engine/scoring/score.ts';
import { ThresholdTrack } from '../../service/engine/threshold.ts';
import { createRandom } from '../../shared/lib/random.ts';

const WORLDS = ['random_walk', 'gjr_garch'] as const;
type WorldName = (typeof WORLDS)[number];

/** Seeds of the recorded runs. */
const CEILING_SEEDS = [7, 21, 35, 49] as const;

interface Ceiling {
  readonly f1: number;
  readonly strict_f1: number;
  readonly day_lift: number;
}

/** The size of the folder on which the model was measured. */
const FULL_SIZE = { symbols: 40, bars: 5_000 };

/** Long-run daily deviation. All measures scale with it, so its size hardly matters. */
const DEVIATION = 0.018;
/** Mean log return of large shares, 12 % a year. It makes falls rarer; the observer does not know it. */
const DRIFT = 0.12 / 252;
/**
 * GJR-GARCH with Student's t (Glosten, Jagannathan and Runkle 1993), fitted to the daily returns of ten large
 * shares from 1993 to 2026.
 */
const GJR = { alpha: 0.038, gamma: 0.038, beta: 0.94, degrees: 5.6 } as const;
const PERSISTENCE = GJR.alpha + GJR.gamma / 2 + GJR.beta;

/** One step of a world: the return, and the expected deviation per bar over the next 21 bars. */
type Step = () => { readonly logReturn: number; readonly ahead: number };

function randomWalk(random: () => number): Step {
  return () => ({ logReturn: DEVIATION * normal(random), ahead: DEVIATION });
}

function gjrGarch(random: () => number): Step {
  const longRun = DEVIATION ** 2;
  let variance = longRun;
  return () => {
    const logReturn = Math.sqrt(variance) * studentT(random, GJR.degrees);
    const shock = GJR.alpha + (logReturn < 0 ? GJR.gamma : 0);
    variance = (1 - PERSISTENCE) * longRun + shock * logReturn ** 2 + GJR.beta * variance;
    // Mean over the horizon of the expected variance, which returns to the long run geometrically.
    const mean = (1 - PERSISTENCE ** H) / ((1 - PERSISTENCE) * H);
    return { logReturn, ahead: Math.sqrt(longRun + mean * (variance - longRun)) };
  };
}

const STEPS: Readonly<Record<WorldName, (random: () => number) => Step>> = {
  random_walk: randomWalk,
  gjr_garch: gjrGarch,
};

const normal = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

/** A draw from Student's t, scaled to variance 1 (Bailey 1994). */
function studentT(random: () => number, degrees: number): number {
  const radius = Math.sqrt(degrees * ((1 - random()) ** (-2 / degrees) - 1));
  return radius * Math.cos(2 * Math.PI * random()) * Math.sqrt((degrees - 2) / degrees);
}

interface Simulated {
  readonly frame: Frame;
  /** Log odds that a signal at the bar is right, by the true coming volatility; NaN in the first year. */
  readonly odds: Float64Array;
}

function simulate(world: WorldName, seed: number): Simulated[] {
  const { symbols, bars } = FULL_SIZE;
  const random = createRandom(seed);
  return Array.from({ length: symbols }, () => {
    const step = STEPS[world](random);
    const closes = new Float64Array(bars);
    const odds = new Float64Array(bars).fill(Number.NaN);
    const history = new BarHistory();
    const track = new ThresholdTrack();
    const inputs = newRiskInputs();
    let close = 100;
    for (let t = 0; t < bars; t++) {
      const { logReturn, ahead } = step();
      close *= Math.exp(DRIFT + logReturn);
      closes[t] = close;
      if (history.deviations.back(0) > 0)
        odds[t] = eventOdds(riskInputs(inputs, close, history, track, Number.NaN), ahead);
      history.push({ date: '', open: close, high: close, low: close, close, volume: null });
      track.commit(close, track.evaluate(close, history.deviations.back(0), 0), 0);
    }
    return { frame: frameOf(closes), odds };
  });
}

/** Candidate bounds: probabilities for entering, and shares of them for leaving. */
const ENTER = [0.12, 0.15, 0.18, 0.21, 0.24, 0.27, 0.3, 0.33, 0.36, 0.4, 0.45, 0.5];
const LEAVE = [0.4, 0.55, 0.7, 0.85, 1];
const logOdds = (chance: number): number => Math.log(chance / (1 - chance));

function scoreOf(worlds: readonly Simulated[], enter: number, leave: number): Ceiling {
  const counts = worlds.map(({ frame, odds }) => {
    const alerts = trigger(odds, logOdds(enter), logOdds(enter * leave));
    const window = { from: WARM, to: frame.n - 1 };
    return { events: scoreEvents(frame, alerts, window), strict: scoreStrict(frame, alerts, window) };
  });
  const e = pool(
    counts.map(({ events }) => events),
    NO_EVENT_COUNTS,
  );
  const s = pool(
    counts.map(({ strict }) => strict),
    NO_STRICT_COUNTS,
  );
  return {
    f1: ratiosOf(e, e.events).f1,
    strict_f1: ratiosOf(s, s.episodes).f1,
    day_lift: dayLift(s) ?? Number.NaN,
  };
}

/**
 * The score of the ideal observer, who uses the two bounds with the best F1 in one simulated world in
 * another.
 */
function ceilingOf(world: WorldName, seed: number): Ceiling {
  const trained = simulate(world, seed);
  let best = { f1: -1, enter: 0, leave: 0 };
  for (const enter of ENTER) {
    for (const leave of LEAVE) {
      const { f1 } = scoreOf(trained, enter, leave);
      if (f1 > best.f1) best = { f1, enter, leave };
    }
  }
  return scoreOf(simulate(world, seed + 1), best.enter, best.leave);
}

for (const world of WORLDS) {
  const runs = CEILING_SEEDS.map((seed) => ceilingOf(world, seed));
  const mean = (figure: keyof Ceiling): number => runs.reduce((sum, run) => sum + run[figure], 0) / runs.length;
  console.log(world, { f1: mean('f1'), strict_f1: mean('strict_f1'), day_lift: mean('day_lift') });
}
