// Pure: the English texts of "Was it worth it?" on the page Record.
import type { Finding, Way, WORTH_GAPS } from '../../domain/worth.ts';
import { signed } from '../format.ts';
import { plural } from './plural.ts';

const DOING = { leave: 'Leaving', half: 'Halving', hedge: 'Hedging' } as const satisfies Record<Way, string>;
/** By what came of the falls, then of the money. */
const VERDICTS = {
  better: {
    better: 'Smaller falls and more money',
    worse: 'Smaller falls, and less money',
    unclear: 'Smaller falls, not more money',
  },
  unclear: {
    better: 'More money, falls no smaller than by chance',
    worse: 'Less money, falls no smaller than by chance',
    unclear: 'Neither smaller falls nor more money than by chance',
  },
  worse: {
    better: 'More money, and deeper falls',
    worse: 'Deeper falls, and less money',
    unclear: 'Deeper falls, not more money',
  },
} as const satisfies Record<Finding, Record<Finding, string>>;

const one = (value: number): string => signed(value, 1);

export const worth = {
  sections: { worth: 'Worth it', calls: 'Calls', reliability: 'Reliability', model: 'Model' },
  section: 'Section of the record',
  title: 'Was it worth it?',
  loading: 'Reading past closes and computing 400 random alerts a symbol...',
  failed: 'What acting on High Risk brought could not be computed',
  notGiven:
    'Not known: this service does not give the closes that it scored (GET /api/validation/closes), so what acting on its High Risk brought cannot be computed. How often its calls were right is under Calls.',
  noList: 'Add symbols to a watchlist to see what acting on their High Risk would have brought.',
  none: 'Not known: of no symbol of this list does the service give a year of closes.',
  noneHedged:
    'Not known: the service gives no closes of SPY or SPX on the days of these symbols, so nothing to sell short.',
  first: (symbols: number) => `The first ${symbols} symbols of the list.`,

  ways: { leave: 'Leave', half: 'Half', hedge: 'Hedge' },
  way: 'At High Risk',
  wayWhy: {
    leave: 'Sell all of it, buy it back afterwards.',
    half: 'Keep half of it.',
    hedge: 'Sell as much of SPY, or SPX, short.',
  },
  cost: 'Cost a turn',
  costWhy: 'In percent of the money that is moved, each time: leaving and returning are two turns.',
  costWrong: 'A percentage from 0 to 10.',

  verdict: (cut: Finding, gain: Finding) => VERDICTS[cut][gain],
  verdictSub: (way: Way, what: string, from: string, to: string) =>
    `${DOING[way]} ${what} at High Risk against holding, ${from} to ${to}, after costs`,
  theList: 'the list',
  pointsAYear: 'points a year',
  worstFall: 'worst fall',
  holdingFall: (fall: string) => `worst fall, holding ${fall}`,
  within: (low: number, high: number) => `${one(low)} to ${one(high)}`,
  /** What follows an interval. */
  tail: {
    nothing: ': may be nothing',
    chance: ': no more than random alerts',
    beyond: '',
    same: 'no alerts, so no difference',
  },
  random: (median: number) => `Random alerts: ${one(median)}`,
  saved: (value: number) => (value < 0 ? `${count1(-value)} points deeper` : `${count1(value)} points saved`),

  list: 'List',
  columns: {
    symbol: 'Symbol',
    alerts: 'Alerts',
    out: 'Days out',
    gain: 'Points a year: lost | won',
    cut: 'Worst fall: deeper | cut',
  },
  tableName: 'What acting on High Risk brought, by symbol',
  gaps: {
    no_closes: 'no closes from this service',
    short: 'less than a year of closes',
    no_market: 'the market has no closes on its days',
  } as const satisfies Record<(typeof WORTH_GAPS)[number], string>,
  summary: (cut: number, all: number, cutSurely: number, gained: number) =>
    `Worst fall cut on ${cut} of ${all}, on ${cutSurely} beyond chance. Return better on ${gained}`,
  surely: (better: readonly string[], worse: readonly string[]) =>
    `beyond chance on ${named(better)}, worse beyond chance on ${named(worse)}`,
  byChance: (number: number) =>
    `Chance alone gives about ${number} of each. Lines: 90 % intervals; dashed: random alerts.`,
  how: 'How it is computed',
  howLines: [
    'A state is known at its close and acted on at the next one. Money out of the market earns nothing; taxes are left out.',
    'The list is weighted equally every day. A list of today leaves out what was dropped from it: that flatters holding.',
    'Random alerts: the same alerts, moved together to 400 other times. Beyond chance: better than 95 of 100 of them, with an interval that excludes nothing.',
    'Intervals: 90 % of 400 histories made of quarters of this one. They do not say what comes next.',
  ],

  range: (from: string, to: string) => `${from} to ${to}`,
  money: (gain: number, years: string, fall: string, holding: string) =>
    [
      `${signed(gain)}`,
      ` for 100,000 held ${years} years, and a worst fall of `,
      fall,
      ` instead of ${holding}.`,
    ] as const,
  gainLine: (value: number, interval: string) => `Return ${one(value)} points a year, ${interval}.`,
  cutLine: (beats: number, isCut: boolean) =>
    isCut
      ? `The cut of the fall beats ${beats} of 100 random alerts of equal length.`
      : `The fall is no smaller; ${beats} of 100 random alerts of equal length did worse.`,
  chart: {
    name: (what: string) =>
      `100,000 in ${what}: holding, acting at High Risk, random alerts; and how far below the highest`,
    step: 'Points in time, from the first to the last',
    top: (what: string, hasBands: boolean) => `100,000 in ${what}${hasBands ? '; red: out of it at High Risk' : ''}`,
    bottom: 'Below its highest',
    point: (holding: string, acting: string, random: string | null) =>
      `holding ${holding}, acting ${acting}${random === null ? '' : `, random ${random}`}`,
  },
  results: {
    name: 'Holding, acting and random alerts',
    way: 'Way',
    holding: 'Holding',
    acting: { leave: 'Leaving at High Risk', half: 'Half at High Risk', hedge: 'Hedging at High Risk' },
    random: 'Random alerts, 90 %',
    became: '100,000 became',
    yearly: 'a year',
    fall: 'worst fall',
    out: 'days out',
    turns: 'turns',
    paid: 'their cost',
    same: 'the same',
  },

  own: {
    title: (number: number) =>
      `My ${number === 0 ? '' : `${number} `}${plural(number, 'alert', 'alerts')}, last 12 months`,
    loading: 'Reading your alerts...',
    failed: 'Your alerts could not be read',
    none: 'No High Risk of this list reached you in the last 12 months.',
    fell: (falls: number, decided: number, share: string, interval: string, usual: string | null) =>
      `A fall came after ${falls} of ${decided}, ${share} (${interval})${usual === null ? '' : `; after any day ${usual}`}.`,
    undecided: 'Of none is it decided yet whether a fall came.',
    rest: (open: number, other: number) =>
      [
        ...(open === 0 ? [] : [`${open} not decided yet`]),
        ...(other === 0 ? [] : [`${other} told after the fall, withdrawn or not known`]),
      ].join(', '),
    acked: (acked: number, median: string | null, never: number) =>
      `${acked} acknowledged${median === null ? '' : `, half of them within ${median}`}; ${never} never.`,
    each: 'Each alert',
    legend: { fall: 'a fall came', no_fall: 'no fall', other: 'open, or not known' },
    columns: { when: 'When', symbol: 'Symbol', followed: 'What followed', acked: 'Acknowledged' },
    after: (span: string) => `after ${span}`,
    never: 'never',
  },
} as const;

function count1(value: number): string {
  return signed(value, 1).replace('+', '');
}
function named(symbols: readonly string[]): string {
  return symbols.length === 0
    ? '0'
    : `${symbols.length} (${symbols.slice(0, 4).join(', ')}${symbols.length > 4 ? ' ...' : ''})`;
}
