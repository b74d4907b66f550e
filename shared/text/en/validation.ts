// Pure: the English texts of the page Record.
import { plural } from './plural.ts';

const number = new Intl.NumberFormat('en-US');

/** Names of the baselines. Unknown ones are shown as received. */
const BASELINES: Readonly<Record<string, string>> = {
  always_on: 'Always on',
  sma200: 'Below the 200-day mean',
  vol_ratio: 'Volatility rises',
  dd_scaled: 'Fall, scaled',
  dd_fixed4: 'Fall of 4 %',
  dd_tuned: 'Best simple rule, fall',
  ewma_z: 'Volatility against its past',
  shifted: 'Same alerts, other times',
  shuffled: 'Same rule, shuffled days',
  random_walk: 'Ceiling: ideal observer, random walk',
  gjr_garch: 'Ceiling: ideal observer, changing volatility',
};

export const validation = {
  heading: 'Record',
  question: 'How often High Risk was right, and how many events it caught.',
  computed: (at: string) => `Computed ${at}`,
  exportName: 'Export the record',
  loading: 'The service is calculating its record. The first time takes a while.',
  failed: 'The record could not be loaded',
  stopped: 'Loading was stopped.',
  again: 'Reload',
  empty: 'The service scored no symbol: none has enough history.',
  otherModel: (live: string, record: string) =>
    `The signals shown now come from model ${live}, and this record is of ${record}. They are not compared. The record of ${live} appears when the service has calculated it.`,
  asOf: (at: string) => `As of ${at}. No data is arriving: this is the last record received.`,

  kind: 'Which alerts',
  kinds: (kind: 'closes' | 'live', precision: string | null) =>
    `${kind === 'live' ? 'Within the day' : 'At closes'}${precision === null ? '' : `, precision ${precision}`}`,
  belongsLive: (symbols: number) =>
    `Belongs to alerts of the ${symbols} ${plural(symbols, 'symbol', 'symbols')} with prices within the day. Each day counts by its first High Risk, at the price of that moment, and at most once in 21 days.`,
  belongsCloses: (symbols: number) =>
    symbols === 0
      ? 'Belongs to no alert here: all symbols have prices within the day, and their alerts are announced then. It shows what High Risk at the close is worth.'
      : `Belongs to alerts of the ${symbols} ${plural(symbols, 'symbol', 'symbols')} without prices within the day: they are announced at the close.`,
  strictPrecision: 'Strict precision, hold-out',
  lasting: 'Alerts last, hold-out',
  livePrecisionNote: (right: number, evaluated: number, chance: string | null) =>
    `${number.format(right)} of ${number.format(evaluated)} scored calls were right${chance === null ? '' : `; by chance ${chance}`}`,
  strictNote: (chance: string | null) =>
    `no credit for a fall already made${chance === null ? '' : `; by chance ${chance}`}`,
  lastingNote: (held: number, all: number) =>
    `median; ${number.format(held)} of ${number.format(all)} lasted to the close`,

  precision: 'Precision, hold-out',
  recall: 'Recall, hold-out',
  lift: 'Day lift, hold-out',
  full: (value: string) => `full ${value}`,
  notProvided: 'Not provided by this service',
  precisionNote: (right: number, evaluated: number) =>
    `${number.format(right)} of ${number.format(evaluated)} scored calls were right`,
  recallNote: (caught: number, events: number) =>
    `${number.format(caught)} of ${number.format(events)} events caught in time`,
  liftNote: (times: string) => `bad days are ${times} times as likely`,

  bySymbol: (count: number) => `${count} ${plural(count, 'symbol', 'symbols')}`,
  legendFull: (from: string | null) => (from === null ? 'Full window' : `Full, ${from} on`),
  legendHoldout: (share: number | null) => (share === null ? 'Hold-out' : `Hold-out, last ${share} %`),
  legendLine: 'Line: 90 % interval',
  tableName: 'Record by symbol',
  columns: {
    symbol: 'Symbol',
    events: 'Events',
    signals: 'Signals',
    right: 'Right, hold-out',
    recall: 'Recall',
    precision: 'Precision',
    f1: 'F1',
  },
  scale: '0 to 1',
  rightOf: (right: number, calls: number) => (calls === 0 ? 'no calls' : `${right} of ${calls}`),
  late: (late: number) => `${late} late`,
  lateWhy: 'Came after more than half of the fall: counted neither right nor wrong.',
  noise: (low: number, high: number, step: string) =>
    `${low === high ? `With ${low}` : `With ${low} to ${high}`} hold-out events a symbol, one event moves recall by about ${step}. Differences below .03 in F1 are noise: read the line, not the dot.`,

  calibration: 'Does the chance mean what it says?',
  groups: (count: number, window: string) => `${count} groups, ${window}`,
  windows: { full: 'full window', holdout: 'hold-out' },
  windowLabel: 'Window',
  chartName: 'Predicted against observed',
  chartSummary: (
    groups: number,
    low: string,
    lowObserved: string,
    high: string,
    highObserved: string,
    base: string,
    error: string,
  ) =>
    `${groups} groups of days by predicted probability. Lowest: ${low} predicted, ${lowObserved} observed. Highest: ${high} predicted, ${highObserved} observed. Base rate ${base}. On average the two differ by ${error}.`,
  chartPoint: (predicted: string, observed: string, low: string, high: string, days: string) =>
    `${predicted} predicted, ${observed} observed (${low} to ${high}), ${days} days`,
  chartStep: 'Groups of days, from the lowest probability to the highest',
  perfect: 'perfect: predicted = observed',
  base: (rate: string, days: 'high_risk' | 'reliability') =>
    days === 'high_risk' ? `observed on average ${rate}` : `base rate ${rate}`,
  error: (error: string, within: readonly [string, string] | null) =>
    `Calibration error ${error}${within === null ? '' : ` (90 %: ${within[0]} to ${within[1]})`}. The band has 90 % of resamples of symbols and years.`,
  daysLabel: 'Days',
  daysOf: { high_risk: 'High Risk: published chance', reliability: 'All days: a new event' },
  across: 'across: predicted',
  up: 'up: observed',
  brier: (skill: string) => `Brier skill ${skill}`,
  view: 'View',
  chart: 'Chart',
  table: 'Table',
  tableOf: 'Predicted and observed, by group',
  predicted: 'Predicted',
  observed: 'Observed',
  days: 'Days',
  within: '90 % interval',
  range: (low: string, high: string) => `${low} to ${high}`,
  noCalibration: 'This service provides no calibration.',

  outcomes: {
    heading: 'What to expect of an alert',
    which: 'Symbols',
    all: (count: number) => `All ${count} ${plural(count, 'symbol', 'symbols')}`,
    figure: 'At closes',
    quartiles: (median: string, lower: string, upper: string) => `${median} (${lower} to ${upper})`,
    signals: 'Signals a year',
    falseAlarms: 'False alarms a year',
    length: 'Length, days (quartiles)',
    toBreach: 'Days to the breach',
    toTrough: 'Days to the lowest close',
    halfAhead: 'Events announced with half of the threshold ahead',
    beforeHalf: 'First alert before half of the whole fall',
    onEve: 'In alert on the eve of the breach',
    after: 'The 21 days after, hold-out',
    inAlert: 'in alert',
    otherwise: 'otherwise',
    loss: 'Fell by the threshold',
    halfLoss: 'Fell by half of it',
    meanReturn: 'Mean return',
    volatility: 'Volatility over the usual',
    times: (factor: string) => `× ${factor}`,
    wider:
      'An alert says that moves get wider, not that prices fall: losses are likelier, and so are gains. It is no signal to sell.',
  },

  uncertain: (low: string, high: string, years: number) =>
    `F1, hold-out: 90 % of resamples of symbols and ${years} years lie from ${low} to ${high}.`,
  difference: (name: string, low: string, high: string, comparison: 'better' | 'worse' | 'same') =>
    `Minus “${name}”: ${low} to ${high}. ${
      {
        better: 'The difference is more than chance.',
        worse: 'It scores less than the simple rule.',
        same: 'The two cannot be told apart.',
      }[comparison]
    }`,

  against: 'Compared with baselines',
  againstSub: 'F1, pooled: full, hold-out',
  thisModel: 'This model',
  baseline: (name: string) => BASELINES[name] ?? name.replaceAll('_', ' '),
  noBaselines: 'This service provides no baselines.',

  side: 'What the figures mean',
  provenance: 'Provenance',
  fields: {
    model: 'Model',
    event: 'Event',
    right: 'A call is right',
    strict: 'Strict score',
    undecided: 'Not counted',
    short: 'Not scored',
    fit: 'Fit',
    prices: 'Prices',
    parameters: 'Parameters',
    notes: 'Notes',
  },
  modelUnknown: 'not provided',
  model: (version: string, isOwn: boolean) =>
    isOwn ? `${version}: the operator’s own model, not the one that Barograph ships` : version,
  event: (times: string, bars: string) =>
    `a fall of ${times} standard deviations over ${bars} bars, scaled to each symbol`,
  rightIf: (share: string) => `if at least ${share} of that fall still lay ahead`,
  strict: (full: string, holdout: string, shuffled: string | null) =>
    `${full} full, ${holdout} hold-out, with no credit for a fall already made${shuffled === null ? '' : `; shuffled days ${shuffled}`}`,
  undecided: (late: number, open: number) =>
    `hold-out: ${number.format(late)} calls that came late, ${number.format(open)} not decided yet`,
  seen: (count: number) =>
    count === 0
      ? 'no series is exactly one of the fit, which may have had earlier rows of it (see the notes); each year is scored with weights fitted to earlier years'
      : `used ${count} of these series as they are, and maybe earlier rows of others (see the notes); each year is scored with weights fitted to earlier years`,
  spanOf: (from: string, to: string, hash: string | null) =>
    `${from} to ${to}${hash === null ? '' : `, SHA-256 ${hash.slice(0, 12)}`}`,

  silent: 'Limitations',
  silentLines: (symbols: number, events: number | null) => [
    `Events of one market come together: ${symbols} ${plural(symbols, 'symbol is', 'symbols are')} not as many independent trials${events === null ? '' : `, nor are ${events} events`}.`,
    'A good part of F1 is mechanical: an event is itself a fall, and the rule looks at falls. Compare it with shuffled days.',
    'It scores warnings of falls only. What acting on them brought, with rises and costs, is under Worth it.',
    'Past calls being right does not make the next one right.',
  ],
  foot: 'Metrics of different model versions are never mixed. Cached for 15 min.',
} as const;
