// Pure: English, the chart of a symbol.
import { type State, stateLabel } from '../../domain/states.ts';
import { plural } from './plural.ts';

export const chart = {
  range: 'Range',
  days: (days: number) => `${days}\u00a0D`,
  price: 'Price',
  gap: 'Gap',
  transitions: 'Transitions',
  state: 'State',
  name: (symbol: string) => `${symbol}: price with regimes, transitions and states`,
  byDay: (symbol: string) => `${symbol}, day by day`,
  summary: (
    symbol: string,
    from: string,
    to: string,
    prices: { readonly low: string; readonly high: string; readonly last: string } | null,
    turns: number,
    state: string | null,
    regime: string,
  ) =>
    `${symbol} from ${from} to ${to}: ${
      prices === null
        ? `no prices, regime ${regime} now.`
        : `price between ${prices.low} and ${prices.high}, last ${prices.last}; ${turns} ${plural(turns, 'transition', 'transitions')}; ${state ?? 'state not known'} now.`
    }`,
  dayRange: (open: string, high: string, low: string) => `open ${open}, high ${high}, low ${low}`,
  volume: (traded: string) => `volume ${traded}`,
  style: 'Prices as',
  styles: { line: 'Line', candles: 'Candles' },
  candles: 'Rose, fell',
  /** @param trading open, high, low and volume of a day */
  point: (time: string, price: string | null, trading: string | null, state: State | null, regime: string) =>
    [
      `${time}:`,
      [price, trading, state === null ? null : stateLabel(state), regime].filter((part) => part !== null).join(', '),
    ].join(' '),
  closed: 'market closed',
  resolution: 'Time step',
  resolutions: { minute: 'Minute', hour: 'Hour', day: 'Day' },
  own: 'Custom',
  ownRange: 'Custom range',
  ownFrom: 'From',
  ownTo: 'To',
  ownShow: 'Show',
  ownOutside: (from: string, to: string) => `The history reaches from ${from} to ${to}.`,
  loadingRegimes: (resolution: string) => `Loading regimes by ${resolution.toLowerCase()}`,
  stepNotes: {
    minutes_too_many: 'Minutes fit two days; hours are shown.',
    days_too_few: 'Fewer than four days; hours are shown.',
    minutes_refused: 'Minute steps require the Institutional plan. Hours are shown.',
    closes_only: 'Daily closes only; days are shown.',
  },
  dailyCloses: 'Daily closes',
  transition: (from: State, to: State, at: string) => `${stateLabel(from)} to ${stateLabel(to)}, ${at}`,
  /** @param chance of a fall; null: not stated */
  transitionDetails: (chance: string | null, regime: string) =>
    `${chance === null ? '' : `${chance} chance of a fall, `}${regime} at the last close`,
  /** "Due Thu 4 Feb: Earnings before the open". */
  dueOn: (day: string, what: string) => `Due ${day}: ${what}`,
  moreTransitions: (count: number) => `and ${count} earlier ${plural(count, 'transition', 'transitions')} that day`,
  fromHistory: 'From the daily history, which has no time of day and no reason.',
  showTransition: (at: string) => `Show ${at} in the chart`,
  notes: {
    add: 'Write a note',
    addTitle: (symbol: string) => `New note on ${symbol}`,
    editTitle: (symbol: string) => `Note on ${symbol}`,
    at: (zone: string) => `At (${zone})`,
    atWrong: 'A date and time, like 2026-03-04 15:30.',
    text: 'Note',
    textMissing: 'Enter a text.',
    textLong: 'At most 500 characters.',
    ofAlert: (at: string) => `On the alert of ${at}.`,
    save: 'Save note',
    remove: 'Remove',
    removed: 'Note removed.',
    note: (text: string) => `Note: ${text}`,
    heading: (kind: 'symbol' | 'alert', at: string) => (kind === 'alert' ? `Note on the alert, ${at}` : `Note, ${at}`),
    more: (count: number) => `and ${count} earlier ${plural(count, 'note', 'notes')}`,
  },
  breach: 'Breach',
  exportName: 'Export timeline',
  pictureCaption: (symbol: string, from: string, to: string, zone: string) =>
    `${symbol}, ${from} to ${to}, times of ${zone}`,
  regimeOnlyName: (symbol: string) => `${symbol}: regimes`,
  noRegime: 'no regime',
  loading: (symbol: string) => `Waiting for the history of ${symbol}.`,
  failed: (symbol: string) => `The history of ${symbol} could not be loaded`,
  empty: (symbol: string) => `The service has no history of ${symbol}.`,
  /** A past moment is shown. */
  unknownThen: (symbol: string) => `Nothing is known of ${symbol} then.`,
  noticeBy: 'Charts by',
  notice: 'TradingView',
  noticeLong: 'TradingView Lightweight Charts\u2122, Copyright (c) TradingView, Inc.',
  gapFrom: (from: string, to: string) => `Gap: ${from} to ${to}`,
  gapOpen: (from: string) => `Gap: since ${from}`,
  /** Text of a range without prices. */
  holeStands: 'Nothing was made up for it, and the state stood.',
  gapStays: 'This gap stays open until it is filled.',
} as const;
