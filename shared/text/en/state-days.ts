// Pure: the English texts of the states of a list on the last 30 days.
import { DASH, wholePercent } from '../format.ts';
import { plural } from './plural.ts';

/** @param share 0 to 1 */
const partText = (share: number): string =>
  `${share > 0 && share < 0.01 ? 'under 1' : wholePercent(share * 100)}\u00a0%`;

export const stateDays = {
  label: (list: string) => `${list}: time at High Risk and Elevated on each of the last 30 trading days`,
  loading: 'Loading the states of 30 days',
  failed: 'The states could not be loaded',
  empty: 'This list has no symbols.',
  symbol: 'Symbol',
  today: 'Today',
  noData: 'No record',
  /** @param share of the known time at High Risk, 0 to 1; null: nothing is known */
  verdict: (most: number, of: number, day: string, share: number | null) => {
    if (share === null) return 'No record of these 30 days yet';
    if (most === 0) return 'None was High Risk in 30 days';
    return `At most ${most} of ${of} were High Risk, on ${day}; ${partText(share)} of the time`;
  },
  hint: 'Arrow keys choose a symbol and a day, Enter opens it on Watch. Before the ledger of this computer: states at each close.',
  legend: {
    whole: 'High Risk all day',
    half: 'half the day',
    elevated: 'Elevated',
    normal: 'Normal',
    none: 'No record',
  },
  breadth: (day: string, high: number, elevated: number, of: number) =>
    `${day}: ${high} of ${of} High Risk, ${elevated} Elevated`,
  highTime: 'High Risk',
  /** @param sessions as a sum of shares */
  highDays: (sessions: number) =>
    sessions === 0 ? DASH : sessions < 0.05 ? '< .1\u00a0d' : `${sessions.toFixed(1)}\u00a0d`,
  alerts: 'Alerts',
  alertsLong: 'Alerts of High Risk in the ledger of this computer',
  count: (alerts: number) => (alerts === 0 ? DASH : String(alerts)),
  fell: 'Fall came',
  fellLong: 'How many of the decided alerts the warned fall followed',
  fellOf: ({ alerts, fell, decided, open }: { alerts: number; fell: number; decided: number; open: number }) => {
    if (decided > 0) return `${fell} of ${decided}`;
    return alerts === 0 ? DASH : open > 0 ? 'open' : 'unknown';
  },
  /** `share`: 0 to 1. */
  partOf: (state: string, share: number) =>
    share === 1 ? `${state} all session` : `${state} for ${partText(share)} of the session`,
  afterClose: (state: string) => `${state} after the close`,
  cell: (symbol: string, day: string, state: string) => `${symbol}, ${day}: ${state}`,
  /** @param last the last such day, as text @param noData number of days without data */
  row: (symbol: string, state: string, on: number, of: number, last: string, noData: number) =>
    `${symbol}: ${state} on ${on} of ${of} days, last ${last}${noData === 0 ? '' : `, no record of ${noData}`}`,
  normal: (symbol: string, of: number, noData: number) =>
    noData === of
      ? `${symbol}: no record of ${of} days`
      : `${symbol}: Normal on ${of - noData} of ${of} days${noData === 0 ? '' : `, no record of ${noData}`}`,
  dayLabel: 'The chosen day',
  loadingDay: 'Loading the day',
  until: (day: string, time: string) => `${day}, until ${time}`,
  changes: 'Changes of state',
  /** @param begin number at High Risk at the opening */
  spread: (begin: number, most: number) => {
    if (most === 0) return 'None was High Risk';
    return begin === most ? `${most} at High Risk, not more` : `From ${begin} to ${most} at High Risk`;
  },
  first: 'First',
  last: 'Last',
  spared: 'Spared',
  sparedOf: (count: number, of: number) => `${count} of ${of}`,
  unknownAtOpen: (count: number) => `${count} ${plural(count, 'symbol', 'symbols')} at the opening`,
  noChange: 'No state changed.',
  change: (from: string | null, to: string) => (from === null ? `to ${to}` : `${from} to ${to}`),
  leftOut: (count: number) => `${count} later ${plural(count, 'change', 'changes')} not shown.`,
  openDay: 'Open this day on Watch',
};
