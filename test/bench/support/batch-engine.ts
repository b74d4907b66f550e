// Bench: computes the twelve dimensions (docs/model.md) over whole arrays, the plain way.
// It reads each window again at each bar. Loops over typed arrays keep the comparison with the engine fair.
// It gives the powers only, not state or regime. service/engine/factors/factors.test.ts holds the engine to it.
import { EigenvalueDecomposition, inverse, Matrix } from 'ml-matrix';
import type { Bar } from '../../../service/engine/types.ts';

type Column = Float64Array;
/** Bars of one symbol as columns. */
interface Columns {
  readonly open: Column;
  readonly high: Column;
  readonly low: Column;
  readonly close: Column;
  readonly volume: Column;
  readonly returns: Column;
}

const PANEL = ['SPY', 'QQQ', 'XLB', 'XLE', 'XLF', 'XLI', 'XLK', 'XLP', 'XLU', 'XLV', 'XLY'] as const;
const SPAN = 504;
const LEAST = 126;

const at = (values: Column, t: number): number => values[t] as number;
const make = (n: number, value: (t: number) => number): Column => {
  const column = new Float64Array(n);
  for (let t = 0; t < n; t++) column[t] = value(t);
  return column;
};
const finite = (value: number): number => (Number.isFinite(value) ? value : Number.NaN);

function meanAt(values: Column, t: number, n: number): number {
  let sum = 0;
  for (let i = t - n + 1; i <= t; i++) sum += at(values, i);
  return sum / n;
}

function deviationAt(values: Column, t: number, n: number): number {
  const mean = meanAt(values, t, n);
  let sum = 0;
  for (let i = t - n + 1; i <= t; i++) sum += (at(values, i) - mean) ** 2;
  return Math.sqrt(sum / (n - 1));
}

/** A measure at each bar from the `from`-th on; NaN before. */
const from = (n: number, first: number, measure: (t: number) => number): Column =>
  make(n, (t) => (t + 1 < first ? Number.NaN : finite(measure(t))));

/** Mid-rank among the last two years, by looking through them. */
function rank(values: Column): Column {
  return make(values.length, (t) => {
    const value = at(values, t);
    if (Number.isNaN(value)) return Number.NaN;
    let [less, equal, known] = [0, 0, 0];
    for (let i = Math.max(0, t - SPAN + 1); i <= t; i++) {
      const other = at(values, i);
      if (other < value) less++;
      else if (other === value) equal++;
      if (!Number.isNaN(other)) known++;
    }
    return known < LEAST ? Number.NaN : (less + 0.5 * equal) / known;
  });
}

/** Mean of what is known. */
function join(...columns: readonly Column[]): Column {
  return make((columns[0] as Column).length, (t) => {
    let [sum, count] = [0, 0];
    for (const column of columns) {
      const value = at(column, t);
      if (Number.isNaN(value)) continue;
      sum += value;
      count++;
    }
    return count === 0 ? Number.NaN : sum / count;
  });
}

const less = (values: Column): Column => values.map((value) => 1 - value);
const change = (close: Column, span: number): Column =>
  make(close.length, (t) => (t < span ? Number.NaN : Math.log(at(close, t) / at(close, t - span))));

export function columnsOf(bars: readonly Bar[]): Columns {
  const pick = (value: (bar: Bar) => number): Column => make(bars.length, (t) => value(bars[t] as Bar));
  const close = pick((bar) => bar.close);
  return {
    open: pick((bar) => bar.open),
    high: pick((bar) => bar.high),
    low: pick((bar) => bar.low),
    close,
    volume: pick((bar) => bar.volume ?? Number.NaN),
    returns: make(close.length, (t) => (t === 0 ? 0 : Math.log(at(close, t) / at(close, t - 1)))),
  };
}

/** What all symbols share, once. */
export interface BatchPanel {
  readonly moves: readonly Column[];
  readonly economics: Column;
  readonly protection: Column;
  readonly premium: Column;
  readonly fear: Column;
  readonly absorption: Column;
  readonly turbulence: Column;
}

/** @param market with the panel, AGG, GLD and VIX, a bar each on every day */
export function batchPanel(market: ReadonlyMap<string, Columns>): BatchPanel {
  const of = (symbol: string): Columns => market.get(symbol) as Columns;
  const days = of('SPY').close.length;
  const members = PANEL.map((symbol) => of(symbol).returns);
  const basket = (symbols: readonly string[], span: number): Column =>
    join(...symbols.map((symbol) => change(of(symbol).close, span)));
  const minus = (a: Column, b: Column): Column => a.map((value, t) => value - at(b, t));
  const cyclical = (span: number): Column =>
    minus(basket(['XLY', 'XLI', 'XLF', 'XLB', 'XLK'], span), basket(['XLP', 'XLU', 'XLV'], span));
  const over = (a: string, b: string, span: number): Column =>
    minus(change(of(a).close, span), change(of(b).close, span));
  const vix = of('VIX').close;
  const squares = of('SPY').returns.map((value) => value * value);
  return {
    moves: PANEL.flatMap((_, index) => standardisedDays(members[index] as Column)),
    economics: join(rank(cyclical(63)), rank(over('SPY', 'AGG', 63))),
    protection: join(
      rank(cyclical(21).map((value) => -value)),
      rank(over('AGG', 'SPY', 21)),
      rank(over('GLD', 'SPY', 21)),
    ),
    premium: rank(from(days, 22, (t) => (at(vix, t) / 100) ** 2 - 252 * meanAt(squares, t, 21))),
    fear: rank(from(days, 50, (t) => at(vix, t) / meanAt(vix, t, 50))),
    absorption: rank(absorption(members)),
    turbulence: rank(smoothed(turbulence(members))),
  };
}

/** Mean and deviation of the last 63 returns of each day: with them a window is standardised as it is read. */
const standardisedDays = (returns: Column): Column[] => [
  returns,
  from(returns.length, 64, (t) => meanAt(returns, t, 63)),
  from(returns.length, 64, (t) => deviationAt(returns, t, 63)),
];

/** The powers D-01 to D-12 of one symbol at every bar; NaN where there is no value. */
export function batchPowers(symbol: string, columns: Columns, panel: BatchPanel): readonly Column[] {
  const { open, high, low, close, volume, returns } = columns;
  const days = close.length;
  const before = make(days, (t) => (t === 0 ? at(open, 0) : at(close, t - 1)));
  const mean = (values: Column, n: number, first = n): Column => from(days, first, (t) => meanAt(values, t, n));
  const each = (value: (t: number) => number): Column => make(days, value);

  const illiquidity = each((t) => Math.abs(at(returns, t)) / (at(close, t) * at(volume, t)));
  const spread = each((t) => (t === 0 ? Number.NaN : corwinSchultz(columns, t)));
  const sd252 = from(days, 252, (t) => deviationAt(returns, t, 252));
  const wander = each(
    (t) =>
      Math.log(at(high, t) / at(close, t)) * Math.log(at(high, t) / at(open, t)) +
      Math.log(at(low, t) / at(close, t)) * Math.log(at(low, t) / at(open, t)),
  );
  const overnight = each((t) => Math.log(at(open, t) / at(before, t)));
  const body = each((t) => Math.log(at(close, t) / at(open, t)));
  const k = 0.34 / (1.34 + 22 / 20);
  const yangZhang = from(days, 22, (t) =>
    Math.log(
      Math.sqrt(
        deviationAt(overnight, t, 21) ** 2 + k * deviationAt(body, t, 21) ** 2 + (1 - k) * meanAt(wander, t, 21),
      ),
    ),
  );
  const averages = [10, 21, 50, 100, 200].map((n) => mean(close, n)) as [Column, Column, Column, Column, Column];
  const flow = each(
    (t) => ((2 * at(close, t) - at(high, t) - at(low, t)) / (at(high, t) - at(low, t))) * at(volume, t),
  );
  const ranges = each((t) => Math.max(at(high, t), at(before, t)) - Math.min(at(low, t), at(before, t)));
  const logs = close.map(Math.log);
  const worst = from(days, 22, (t) => {
    let least = 0;
    for (let i = t - 20; i <= t; i++) least = Math.min(least, at(returns, i));
    return -least / at(sd252, t - 21);
  });
  return [
    less(join(rank(from(days, 22, (t) => Math.log(meanAt(illiquidity, t, 21)))), rank(mean(spread, 21, 22)))),
    join(rank(correlation(symbol, returns, panel)), panel.absorption),
    rank(yangZhang),
    panel.economics,
    panel.premium,
    join(rank(from(days, 22, (t) => efficiencyAt(close, t))), less(rank(from(days, 64, (t) => entropyAt(returns, t))))),
    panel.protection,
    rank(from(days, 253, (t) => Math.log(at(close, t - 21) / at(close, t - 252)) / at(sd252, t))),
    join(order(close, averages), rank(from(days, 64, (t) => fitAt(logs, t)))),
    join(
      strength(close),
      rank(from(days, 125, (t) => at(close, t) / meanAt(close, t, 125))),
      rank(from(days, 22, (t) => meanAt(flow, t, 21) / meanAt(volume, t, 21))),
      less(panel.fear),
    ),
    join(
      rank(
        from(
          days,
          64,
          (t) => Math.abs(Math.log(at(close, t) / at(close, t - 5))) / (deviationAt(returns, t, 63) * Math.sqrt(5)),
        ),
      ),
      rank(from(days, 64, (t) => meanAt(ranges, t, 5) / meanAt(ranges, t, 63))),
    ),
    join(
      rank(from(days, 253, (t) => hillAt(returns, t))),
      rank(from(days, 22, (t) => jumpsAt(returns, t))),
      rank(worst),
      panel.turbulence,
    ),
  ];
}

function corwinSchultz({ high, low, close }: Columns, t: number): number {
  const prior = at(close, t - 1);
  const gap = at(low, t) > prior ? at(low, t) - prior : at(high, t) < prior ? at(high, t) - prior : 0;
  const [top, foot] = [at(high, t) - gap, at(low, t) - gap];
  const beta = Math.log(at(high, t - 1) / at(low, t - 1)) ** 2 + Math.log(top / foot) ** 2;
  const gamma = Math.log(Math.max(top, at(high, t - 1)) / Math.min(foot, at(low, t - 1))) ** 2;
  const scale = 3 - 2 * Math.SQRT2;
  const alpha = (Math.sqrt(2 * beta) - Math.sqrt(beta)) / scale - Math.sqrt(gamma / scale);
  return Math.max(0, (2 * (Math.exp(alpha) - 1)) / (1 + Math.exp(alpha)));
}

/** Mean correlation with the other members of the panel over 63 days. */
function correlation(symbol: string, returns: Column, { moves }: BatchPanel): Column {
  return from(returns.length, 64, (t) => {
    const own = meanAt(returns, t, 63);
    const deviation = deviationAt(returns, t, 63);
    let [sum, count] = [0, 0];
    for (let member = 0; member < PANEL.length; member++) {
      if (PANEL[member] === symbol) continue;
      const other = moves[3 * member] as Column;
      const mean = at(moves[3 * member + 1] as Column, t);
      let product = 0;
      for (let i = t - 62; i <= t; i++) product += (at(returns, i) - own) * (at(other, i) - mean);
      sum += product / deviation / at(moves[3 * member + 2] as Column, t) / 62;
      count++;
    }
    return sum / count;
  });
}

function efficiencyAt(close: Column, t: number): number {
  let path = 0;
  for (let i = t - 20; i <= t; i++) path += Math.abs(at(close, i) - at(close, i - 1));
  return Math.abs(at(close, t) - at(close, t - 21)) / path;
}

/** Of equals the earlier counts as the smaller. Summed in order of size, so that ties stay ties. */
function entropyAt(returns: Column, t: number): number {
  const counts = new Float64Array(8);
  for (let i = t - 60; i <= t; i++) {
    const [a, b, c] = [at(returns, i - 2), at(returns, i - 1), at(returns, i)];
    const order = (a <= b ? 4 : 0) + (b <= c ? 2 : 0) + (a <= c ? 1 : 0);
    counts[order] = at(counts, order) + 1;
  }
  let entropy = 0;
  for (const count of counts.sort()) if (count > 0) entropy -= (count / 61) * Math.log(count / 61);
  return entropy / Math.log(6);
}

function fitAt(logs: Column, t: number): number {
  const mean = meanAt(logs, t, 63);
  let [xy, yy, xx] = [0, 0, 0];
  for (let i = 0; i < 63; i++) {
    const y = at(logs, t - 62 + i) - mean;
    xy += (i - 31) * y;
    yy += y * y;
    xx += (i - 31) ** 2;
  }
  return (Math.sign(xy) * xy * xy) / (xx * yy);
}

function order(close: Column, [s10, s21, s50, s100, s200]: readonly [Column, Column, Column, Column, Column]): Column {
  return from(close.length, 200, (t) => {
    const holds = [
      at(close, t) > at(s21, t),
      at(s10, t) > at(s21, t),
      at(s21, t) > at(s50, t),
      at(s50, t) > at(s100, t),
      at(s100, t) > at(s200, t),
    ];
    return holds.filter((one) => one).length / 5;
  });
}

/** Wilder's recursion is of its nature an increment. */
function strength(close: Column): Column {
  let [gain, loss] = [0, 0];
  return make(close.length, (t) => {
    const move = t === 0 ? 0 : at(close, t) - at(close, t - 1);
    const keep = t <= 14 ? 1 : 13 / 14;
    if (t > 0) [gain, loss] = [keep * gain + Math.max(move, 0) / 14, keep * loss + Math.max(-move, 0) / 14];
    return t < 14 ? Number.NaN : gain / (gain + loss);
  });
}

function hillAt(returns: Column, t: number): number {
  const losses = returns.slice(t - 251, t + 1).sort();
  const threshold = -at(losses, 13);
  let sum = 0;
  for (let i = 0; i < 13; i++) sum += Math.log(-at(losses, i) / threshold);
  return sum / 13;
}

function jumpsAt(returns: Column, t: number): number {
  let realised = at(returns, t - 20) ** 2;
  let bipower = 0;
  for (let i = t - 19; i <= t; i++) {
    realised += at(returns, i) ** 2;
    bipower += Math.abs(at(returns, i) * at(returns, i - 1));
  }
  return 1 - ((Math.PI / 2) * (21 / 20) * bipower) / realised;
}

function covariance(members: readonly Column[], t: number, weights: Column): Matrix {
  const n = weights.length;
  const total = weights.reduce((sum, value) => sum + value, 0);
  const windows = members.map((member) => member.subarray(t - n + 1, t + 1));
  const means = windows.map((window) => window.reduce((sum, value, i) => sum + value * at(weights, i), 0) / total);
  return new Matrix(
    windows.map((a, i) =>
      windows.map((b, j) => {
        let sum = 0;
        for (let s = 0; s < n; s++)
          sum += at(weights, s) * (at(a, s) - (means[i] as number)) * (at(b, s) - (means[j] as number));
        return sum;
      }),
    ),
  );
}

/** Refitted every fifth day, as in the model. */
function absorption(members: readonly Column[]): Column {
  const weights = make(500, (t) => 0.5 ** ((499 - t) / 250));
  let absorbed = Number.NaN;
  return make((members[0] as Column).length, (t) => {
    if (t >= 500 && (Number.isNaN(absorbed) || (t + 1) % 5 === 0)) {
      const values = new EigenvalueDecomposition(covariance(members, t, weights), {
        assumeSymmetric: true,
      }).realEigenvalues.sort((a, b) => b - a);
      const largest = values.slice(0, Math.round(members.length / 5)).reduce((sum, value) => sum + value, 0);
      absorbed = largest / values.reduce((sum, value) => sum + value, 0);
    }
    return absorbed;
  });
}

/** Squared distance of each day from the two years before its model was last renewed, every 21 days. */
function turbulence(members: readonly Column[]): Column {
  const weights = new Float64Array(SPAN).fill(1);
  let model: { readonly means: number[]; readonly precision: number[][] } | null = null;
  return make((members[0] as Column).length, (t) => {
    let value = Number.NaN;
    if (model !== null) {
      const offsets = members.map((member, i) => at(member, t) - (model?.means[i] as number));
      value = 0;
      for (const [i, row] of model.precision.entries())
        for (const [j, weight] of row.entries()) value += weight * (offsets[i] as number) * (offsets[j] as number);
      value /= members.length;
    }
    if (t >= SPAN && (model === null || (t + 1) % 21 === 0)) {
      const matrix = covariance(members, t, weights).div(SPAN - 1);
      for (let i = 0; i < members.length; i++)
        for (let j = 0; j < members.length; j++) if (i !== j) matrix.set(i, j, 0.9 * matrix.get(i, j));
      model = { means: members.map((member) => meanAt(member, t, SPAN)), precision: inverse(matrix, true).to2DArray() };
    }
    return value;
  });
}

function smoothed(values: Column): Column {
  let state = Number.NaN;
  return values.map((value) => {
    if (!Number.isNaN(value)) state = Number.isNaN(state) ? value : 0.8 * state + 0.2 * value;
    return state;
  });
}
