// Pure: English, the watchlist.
import type { PriceFaultKind } from '../../domain/data-health.ts';
import { type State, stateLabel } from '../../domain/states.ts';

export const watchlist = {
  lists: 'Watchlist',
  symbol: 'Symbol',
  spark: '60 d',
  change: 'Change',
  state: 'State',
  since: 'Since',
  confidence: 'Fall',
  price: 'Last',
  held: 'held',
  breach: 'Breach',
  past: 'past',
  /** @param times multiple of the base rate; empty: not stated */
  fallChance: (percent: string, times: string) =>
    `Chance of the warned fall ${percent} %${times === '' ? '' : `, ${times} times base`}`,
  fallHeld: 'below base: held by the rule',
  priceOf: (day: string) => `Last price, of ${day}`,
  age: 'Age',
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
  tally: (parts: string) => parts,
  // The name of a row for screen readers.
  rowName: (symbol: string, parts: readonly string[]) => [symbol, ...parts].join(', '),
  rowSince: (span: string) => `for ${span}`,
  rowFallChance: (percent: string, times: string) =>
    `chance of the warned fall ${percent} percent${times === '' ? '' : `, ${times} times base`}`,
  /** @param away of the price down to the breach level; null: past it */
  rowBreach: (away: string | null) => (away === null ? 'past the breach level' : `${away} above the breach level`),
  rowChange: (change: string) => `change ${change}`,
  rowStale: (span: string, state: State) => `unknown, no update for ${span}, was ${stateLabel(state)}`,
  rowRegimeOnly: (regime: string) => `no signal, regime ${regime}`,
} as const;
