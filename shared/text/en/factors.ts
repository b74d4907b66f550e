// Pure: the English texts of factors.
// A power is the share of the last two years' days with a lower value.
import type { FactorCode } from '../../domain/factors.ts';

/** The meaning of a low and a high power, as in "wilder than 94 % of days". */
const SENSE: Readonly<Record<FactorCode, readonly [low: string, high: string]>> = {
  'D-01': ['thinner', 'deeper'],
  'D-02': ['less in step', 'more in step'],
  'D-03': ['calmer', 'wilder'],
  'D-04': ['more defensive', 'more cyclical'],
  'D-05': ['risk paid less', 'risk paid more'],
  'D-06': ['harder to read', 'easier to read'],
  'D-07': ['less shelter', 'more shelter'],
  'D-08': ['weaker trend', 'stronger trend'],
  'D-09': ['more broken', 'better ordered'],
  'D-10': ['more fear', 'more greed'],
  'D-11': ['slower', 'faster'],
  'D-12': ['milder tails', 'wilder tails'],
};

/** Powers within this distance of the middle are usual. */
const USUAL = 0.1;

const listed = (names: readonly string[]): string =>
  names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;

export const factors = {
  label: 'Factors',
  moved: 'What moved',
  history: 'History',
  all: 'All twelve',
  movedMost: (sessions: number) => `Moved most in ${sessions === 1 ? 'one session' : `${sessions} sessions`}`,
  /** @param until of a past that is shown; null: now */
  since: (at: string, until: string | null) => (until === null ? `since ${at}` : `from ${at} to ${until}`),
  sessionsAgo: (sessions: number) => (sessions === 1 ? 'one session ago' : `${sessions} sessions ago`),
  fromTo: (before: string, now: string) => `${before} to ${now}`,
  /**
   * @param day when it was last as low or as high, as text; never: not on record; null: within these sessions
   */
  movedTo: (described: string, rose: boolean, day: string | 'never' | null) => {
    const extreme = rose ? 'highest' : 'lowest';
    if (day === null) return described;
    return `${described}; ${day === 'never' ? `${extreme} on record` : `${extreme} since ${day}`}`;
  },
  nothingMoved: 'No factor moved by 5 or more.',
  notCompared: (count: number) => `${count} of 12 cannot be compared: a value is missing.`,
  code: 'Code',
  dimension: 'Dimension',
  nowHead: 'Power',
  movedHead: 'Moved',
  fellRose: 'fell | rose',
  share: 'Of risk',
  description: 'Description',
  describe: (code: FactorCode | null, power: number | null): string => {
    if (power === null) return 'no value';
    if (code === null) return '';
    if (Math.abs(power - 0.5) < USUAL) return 'about usual';
    const [low, high] = SENSE[code];
    return power > 0.5
      ? `${high} than ${Math.floor(power * 100)} % of days`
      : `${low} than ${Math.floor((1 - power) * 100)} % of days`;
  },
  asOf: (at: string) => `As of ${at}. Kept for reference; these numbers do not describe the market now.`,
  noThen: 'No powers on record for that time.',
  noBase: 'No earlier powers on record to compare with.',
  radarName: (symbol: string) => `${symbol}: radar of the twelve factors`,
  radarSummary: (symbol: string, top: readonly string[]) => `${symbol}: strongest now are ${listed(top)}.`,
  radarStep: (symbol: string) => `${symbol}, factor by factor`,
  radarPoint: (name: string, now: string, before: string) => `${name}: now ${now}, before ${before}`,
  none: 'none',
  tableName: (symbol: string) => `${symbol}: what moved`,
  historyName: (symbol: string) => `${symbol}: the twelve factors over two years`,
  historySummary: (symbol: string, days: number, from: string, to: string, top: string) =>
    `${symbol}, ${days} days from ${from} to ${to}; strongest on the last of them is ${top}.`,
  historyStep: (symbol: string) => `${symbol}, factors day by day`,
  historyDay: (day: string, powers: string) => `${day}: ${powers}`,
  historyTable: 'Month by month',
  lines: 'Lines',
  table: 'Table',
  historyView: 'Show history as',
  day: 'Day',
  loading: (symbol: string) => `Waiting for the factors of ${symbol}.`,
  loadingHistory: (symbol: string) => `Loading two years of factors of ${symbol}`,
  failed: (symbol: string) => `The factors of ${symbol} cannot be shown`,
  noSignal: (symbol: string) => `${symbol} has a regime and no signal here, so it has no factors.`,
  emptyHistory: (symbol: string) => `The service has no factor history of ${symbol}.`,
  exportName: 'Export factors',
} as const;
