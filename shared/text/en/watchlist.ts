// Pure: English, the watchlist.
import type { PriceFaultKind } from '../../domain/data-health.ts';
import { type State, stateLabel } from '../../domain/states.ts';
import { distance } from '../format.ts';
import { plural } from './plural.ts';

export const watchlist = {
  lists: 'Watchlist',
  symbol: 'Symbol',
  state: 'State',
  columns: { toBreach: 'To breach', chance: 'Chance', risk: 'My risk', price: 'Last', change: 'Change' },
  /** @param percent, as `breachDistance` has it: "1.9 %", "past 8.1 %" */
  toBreach: (percent: number) => (percent > 0 ? distance(percent) : `past ${distance(percent)}`),
  /** @param size of the fall, at least; @param times multiple of the usual chance; null: not known */
  fallChance: (percent: string, isFurther: boolean, size: string | null, times: string | null) => {
    const of =
      size === null
        ? isFurther
          ? ' of half its threshold more'
          : ''
        : ` of ${isFurther ? 'a further ' : ''}${size} or more`;
    return `${percent}\u00a0% chance of a fall${of}${times === null ? '' : `, ${times} times usual`}`;
  },
  fallHeld: 'below the usual one: held by the rule',
  priceOf: (day: string) => `Last price, of ${day}`,
  priceLate: (span: string) => `Last price, no update for ${span}`,
  priceOld: 'Last price, not of now',
  priceBehind: 'The price is from before the state',
  /** How many symbols of the list were High Risk, per day. */
  market: {
    title: (of: number, days: number) =>
      `High Risk of ${of}${days === 0 ? '' : `, ${days} ${plural(days, 'day', 'days')}`}`,
    most: (most: number, day: string) => `most: ${most} on ${day}`,
    now: (number: number | null) => (number === null ? 'now unknown' : `now ${number}`),
    of: (of: number) => `of ${of}`,
    day: (day: string, number: number | null, of: number) =>
      number === null ? `${day}: no record` : `${day}: ${number} of ${of} High Risk`,
  },
  behind: (span: string) => `${span} behind`,
  /** Faults of a symbol's prices; the service's sentence beside them says why. */
  fault: {
    delayed: 'Delayed prices',
    halted: 'Trading halted',
    gap: 'Gap in prices',
    question: 'Price needs a decision',
    quarantined: 'Price not used',
    unlisted: 'No longer traded',
  } satisfies Record<PriceFaultKind, string>,
  unknown: 'Unknown',
  regime: 'Regime',
  notCovered: 'Not covered',
  // The name of a row for screen readers.
  rowName: (symbol: string, parts: readonly string[]) => [symbol, ...parts].join(', '),
  rowSince: (span: string) => `for ${span}`,
  rowCost: (cost: string) => `it would cost me ${cost}`,
  rowBreach: (percent: number) => `${distance(percent)} ${percent > 0 ? 'above' : 'past'} the breach level`,
  rowChange: (change: string) => `change ${change}`,
  rowStale: (span: string, state: State) => `unknown, no update for ${span}, was ${stateLabel(state)}`,
  rowRegimeOnly: (regime: string) => `no signal, regime ${regime}`,
} as const;
