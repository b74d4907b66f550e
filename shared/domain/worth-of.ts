// Pure: computes what acting on High Risk would have brought, from closes and their states.
// A state is known at its close and acted on at the next one, so that nothing looks ahead.
import { createRandom } from '../lib/random.ts';
import type { Band, Course, Difference, Result, Way, Worth } from './worth.ts';

/** Closes of a symbol, oldest first, and whether each was High Risk. */
export interface PastSeries {
  /** Days since 1970. */
  readonly days: ArrayLike<number>;
  readonly closes: ArrayLike<number>;
  readonly highRisk: ArrayLike<boolean | number>;
}

export interface Rule {
  readonly way: Way;
  /** Share of the moved money that a turn costs, 0..1. */
  readonly cost: number;
  /** What `hedge` sells. */
  readonly market: PastSeries | null;
}

/** The same random alerts wherever the figures are shown. */
export const WORTH_SEED = 7;
/** Random alerts, and resampled histories. */
export const SHIFTS = 400;
const RESAMPLES = 400;
/** Closes in a block: about a quarter of a year, longer than most alerts. */
const BLOCK = 63;
/** Least closes of a year, and least distance of a random alert from the true one. */
export const LEAST_CLOSES = 252;
const LEAST_SHIFT = 21;
const TAIL = 0.05;
const POINTS = 240;
/** Share of a symbol's days on which the market must have a close. */
const LEAST_COMMON = 0.98;
const DAYS_A_YEAR = 365.25;

/** One symbol on the days of all: the factor of its money from each close to the next. */
interface Track {
  /** Index of each interval among all days. */
  readonly at: Int32Array;
  readonly held: Float64Array;
  /** The factor while the rule is out. */
  readonly away: Float64Array;
  /** 1: the rule is out over this interval. */
  readonly out: Uint8Array;
}

interface Tracks {
  readonly days: readonly number[];
  readonly tracks: readonly Track[];
  /** Number of symbols that share the money of this day: from the day after their first close to their last. */
  readonly sharing: Float64Array;
  /** How many of these have no close on this day, and stay as they are. */
  readonly resting: Float64Array;
  readonly toll: number;
}

/**
 * One symbol, or several that are weighted equally every day. In steps, because random alerts take a while.
 * @param withCourse also computes the course of the money
 * @returns null with less than a year of closes, or where the market of a hedge has no closes of these days
 * @yields after at most some milliseconds
 */
export function* worthOf(
  all: readonly PastSeries[],
  rule: Rule,
  seed: number,
  withCourse = false,
): Generator<void, { readonly worth: Worth; readonly course: Course | null } | null> {
  const tracks = yield* tracksOf(all, rule);
  if (tracks === null || tracks.days.length < LEAST_CLOSES) return null;
  const { days } = tracks;
  const years = ((days.at(-1) as number) - (days[0] as number)) / DAYS_A_YEAR;
  const held = new Float64Array(days.length);
  const acted = new Float64Array(days.length);
  factors(tracks, 'none', held);
  yield;
  const { turns, paid } = factors(tracks, 'own', acted);
  const [holding, acting] = [resultOf(held, years), resultOf(acted, years)];
  const alerts = all.reduce((sum, { highRisk }) => sum + beginnings(highRisk), 0);
  const isSame = turns === 0;
  const shown = withCourse ? pointsOf(days.length) : [];
  const shifted = isSame ? null : yield* randomAlerts(tracks, seed, years, shown);
  const resampled = isSame ? null : yield* resamples(held, acted, years, seed);
  const intervals = tracks.tracks.reduce((sum, { out }) => sum + out.length, 0);
  const worth: Worth = {
    from: days[0] as number,
    to: days.at(-1) as number,
    alerts,
    out: tracks.tracks.reduce((sum, { out }) => sum + out.reduce((some, one) => some + one, 0), 0) / intervals,
    turns,
    paid,
    holding,
    acting,
    random: shifted && {
      money: bandOf(shifted.results.map(({ money }) => money)),
      yearly: bandOf(shifted.results.map(({ yearly }) => yearly)),
      fall: bandOf(shifted.results.map(({ fall }) => fall)),
    },
    gain: differenceOf(
      acting.yearly - holding.yearly,
      resampled?.gains ?? null,
      shifted?.results.map(({ yearly }) => yearly - holding.yearly) ?? null,
    ),
    cut: differenceOf(
      holding.fall - acting.fall,
      resampled?.cuts ?? null,
      shifted?.results.map(({ fall }) => holding.fall - fall) ?? null,
    ),
  };
  return { worth, course: withCourse ? courseOf(days, shown, held, acted, shifted?.courses ?? null) : null };
}

/** The days of all, and each symbol on them; null where a hedge is impossible. */
function* tracksOf(all: readonly PastSeries[], { way, cost, market }: Rule): Generator<void, Tracks | null> {
  const known = new Set<number>();
  for (const series of all) {
    for (let i = 0; i < series.days.length; i++) known.add(series.days[i] as number);
    yield;
  }
  const days = [...known].sort((a, b) => a - b);
  const indexOf = new Map(days.map((day, index) => [day, index]));
  const [sharing, resting] = [new Float64Array(days.length), new Float64Array(days.length)];
  const tracks: Track[] = [];
  for (const series of all) {
    const sold = way === 'hedge' ? marketFactors(series, market) : null;
    if (way === 'hedge' && sold === null) return null;
    const length = Math.max(0, series.closes.length - 1);
    const track = {
      at: new Int32Array(length),
      held: new Float64Array(length),
      away: new Float64Array(length),
      out: new Uint8Array(length),
    };
    for (let i = 0; i < length; i++) {
      const factor = (series.closes[i + 1] as number) / (series.closes[i] as number);
      const at = indexOf.get(series.days[i + 1] as number) as number;
      track.at[i] = at;
      track.held[i] = factor;
      track.away[i] = sold === null ? (way === 'half' ? (1 + factor) / 2 : 1) : 1 + factor - (sold[i] as number);
      // Known at the close before the one at which this interval begins.
      track.out[i] = i > 0 && Number(series.highRisk[i - 1]) === 1 ? 1 : 0;
      resting[at] = (resting[at] as number) - 1;
    }
    const first = indexOf.get(series.days[0] as number) ?? 0;
    for (let day = first + 1; day <= (track.at[length - 1] ?? first); day++) {
      sharing[day] = (sharing[day] as number) + 1;
      resting[day] = (resting[day] as number) + 1;
    }
    tracks.push(track);
    yield;
  }
  return { days, tracks, sharing, resting, toll: way === 'half' ? cost / 2 : cost };
}

/** The market's factor over each interval of a symbol; null where its days differ from the symbol's. */
function marketFactors({ days, closes }: PastSeries, market: PastSeries | null): Float64Array | null {
  if (market === null) return null;
  const factors = new Float64Array(Math.max(0, closes.length - 1));
  let common = 0;
  let last: number | null = null;
  for (let i = 0, m = -1; i < days.length; i++) {
    while (m + 1 < market.days.length && (market.days[m + 1] as number) <= (days[i] as number)) m += 1;
    const known = m < 0 ? null : (market.closes[m] as number);
    if (m >= 0 && market.days[m] === days[i]) common += 1;
    if (i > 0) factors[i - 1] = known === null || last === null ? 1 : known / last;
    last = known;
  }
  return common < LEAST_COMMON * days.length ? null : factors;
}

/**
 * Writes the factor of each day, the first of which is 1.
 * @param alerts a number: the own ones, later by at least LEAST_SHIFT closes, in a circle
 */
function factors({ tracks, sharing, resting, toll }: Tracks, alerts: 'none' | 'own' | number, into: Float64Array) {
  into.fill(0);
  let turns = 0;
  const tolls = new Float64Array(into.length);
  for (const { at, held, away, out } of tracks) {
    const { length } = at;
    let from = typeof alerts === 'number' && length > 0 ? length - shiftOf(alerts, length) : 0;
    let before = 0;
    for (let i = 0; i < length; i++) {
      const now = alerts === 'none' ? 0 : (out[from] as number);
      from = from + 1 === length ? 0 : from + 1;
      const day = at[i] as number;
      const factor = now === 1 ? (away[i] as number) : (held[i] as number);
      if (now === before) into[day] = (into[day] as number) + factor;
      else {
        turns += 1;
        into[day] = (into[day] as number) + factor * (1 - toll);
        tolls[day] = (tolls[day] as number) + toll;
        before = now;
      }
    }
  }
  let money = 1;
  let paid = 0;
  for (let day = 0; day < into.length; day++) {
    const count = sharing[day] as number;
    if (count > 0) paid += (money * (tolls[day] as number)) / count;
    // A sold market may rise by more than the symbol is worth: then nothing is left.
    into[day] = count === 0 ? 1 : Math.max(0, ((into[day] as number) + (resting[day] as number)) / count);
    money *= into[day] as number;
  }
  return { turns, paid };
}

/** 1 to `length`; a symbol of few closes is shifted by another number of them than the others. */
const shiftOf = (drawn: number, length: number): number => {
  const free = length - 2 * LEAST_SHIFT;
  return free <= 0 ? 1 + (drawn % length) : LEAST_SHIFT + (drawn % free);
};

function resultOf(daily: Float64Array, years: number): Result {
  let money = 1;
  let highest = 1;
  let least = 1;
  for (const factor of daily) {
    money *= factor;
    if (money > highest) highest = money;
    else if (money < least * highest) least = money / highest;
  }
  return { money, yearly: money ** (1 / years) - 1, fall: 1 - least };
}

interface Shifted {
  readonly results: readonly Result[];
  /** Money and part below the highest, of each random alert at the shown points. */
  readonly courses: readonly { readonly money: Float64Array; readonly below: Float64Array }[];
}

function* randomAlerts(
  tracks: Tracks,
  seed: number,
  years: number,
  shown: readonly number[],
): Generator<void, Shifted> {
  const random = createRandom(seed);
  const longest = Math.max(...tracks.tracks.map(({ at }) => at.length));
  const daily = new Float64Array(tracks.days.length);
  const results: Result[] = [];
  const courses: Shifted['courses'][number][] = [];
  for (let n = 0; n < SHIFTS; n++) {
    factors(tracks, Math.floor(random() * (longest - 2 * LEAST_SHIFT)), daily);
    results.push(resultOf(daily, years));
    if (shown.length > 0) courses.push(moneyAt(daily, shown));
    if (n % 20 === 0 || tracks.tracks.length > 1) yield;
  }
  return { results, courses };
}

/** Histories of as many closes, of blocks that begin anywhere, in a circle: both ways on the same days. */
function* resamples(
  held: Float64Array,
  acted: Float64Array,
  years: number,
  seed: number,
): Generator<void, { readonly gains: number[]; readonly cuts: number[] }> {
  const random = createRandom(seed + 1);
  const { length } = held;
  const [drawnHeld, drawnActed] = [new Float64Array(length), new Float64Array(length)];
  const gains: number[] = [];
  const cuts: number[] = [];
  for (let n = 0; n < RESAMPLES; n++) {
    for (let i = 0, from = 0; i < length; i++, from++) {
      // The first day has no return.
      if (i % BLOCK === 0) from = 1 + Math.floor(random() * (length - 1));
      if (from === length) from = 1;
      drawnHeld[i] = held[from] as number;
      drawnActed[i] = acted[from] as number;
    }
    const [holding, acting] = [resultOf(drawnHeld, years), resultOf(drawnActed, years)];
    gains.push(acting.yearly - holding.yearly);
    cuts.push(holding.fall - acting.fall);
    if (n % 20 === 0) yield;
  }
  return { gains, cuts };
}

function differenceOf(value: number, resampled: number[] | null, random: number[] | null): Difference {
  if (resampled === null || random === null) return { value, interval: null, random: null, beats: null };
  const worse = random.filter((one) => one < value).length;
  return {
    value,
    interval: bandOf(resampled),
    random: { ...bandOf(random), median: quantile(random, 0.5) },
    beats: worse / random.length,
  };
}

function courseOf(
  days: readonly number[],
  shown: readonly number[],
  held: Float64Array,
  acted: Float64Array,
  random: Shifted['courses'] | null,
): Course {
  const [holding, acting] = [moneyAt(held, shown), moneyAt(acted, shown)];
  const bands = (of: 'money' | 'below'): Band[] =>
    shown.map((_, index) => bandOf((random ?? []).map((course) => course[of][index] as number)));
  return {
    days: shown.map((index) => days[index] as number),
    holding: [...holding.money],
    acting: [...acting.money],
    holdingBelow: [...holding.below],
    actingBelow: [...acting.below],
    random: random === null ? null : { money: bands('money'), below: bands('below') },
  };
}

/** The money at some days, and the deepest fall below the highest since the point before. */
function moneyAt(daily: Float64Array, shown: readonly number[]) {
  const course = { money: new Float64Array(shown.length), below: new Float64Array(shown.length) };
  let money = 1;
  let highest = 1;
  let deepest = 0;
  for (let day = 0, point = 0; day < daily.length; day++) {
    money *= daily[day] as number;
    highest = Math.max(highest, money);
    deepest = Math.max(deepest, 1 - money / highest);
    if (day !== shown[point]) continue;
    course.money[point] = money;
    course.below[point] = deepest;
    deepest = 0;
    point += 1;
  }
  return course;
}

/** Indices from the first to the last of `length`, evenly. */
function pointsOf(length: number): number[] {
  const points = Math.min(POINTS, length);
  return Array.from({ length: points }, (_, index) => Math.round((index * (length - 1)) / (points - 1)));
}

function beginnings(highRisk: PastSeries['highRisk']): number {
  let count = 0;
  for (let i = 0; i < highRisk.length; i++)
    if (Number(highRisk[i]) === 1 && (i === 0 || Number(highRisk[i - 1]) !== 1)) count += 1;
  return count;
}

const bandOf = (values: readonly number[]): Band => {
  const sorted = Float64Array.from(values).sort();
  return { low: atShare(sorted, TAIL), high: atShare(sorted, 1 - TAIL) };
};
const quantile = (values: readonly number[], share: number): number => atShare(Float64Array.from(values).sort(), share);
const atShare = (sorted: Float64Array, share: number): number =>
  sorted[Math.round(share * (sorted.length - 1))] as number;
