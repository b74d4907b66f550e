// Pure: English, the header of a symbol.
import type { Claim } from '../../domain/claims.ts';
import { type State, stateLabel } from '../../domain/states.ts';
import type { HeldBy } from '../../wire/records.ts';
import type { REGIME_WAITS } from '../../wire/regime.ts';
import { plural } from './plural.ts';

export const header = {
  state: 'State',
  regime: 'Regime',
  confidenceIn: (state: State) => `Confidence in ${stateLabel(state)}`,
  confidence: 'Confidence',
  since: (at: string) => `Since ${at}`,
  lasts: (clock: string, market: string) => `${clock}, ${market} of market time`,
  lastsAlwaysOpen: (clock: string, isSimulated: boolean) =>
    `${clock}, ${isSimulated ? 'simulated market' : 'market'} open around the clock`,
  sinceUnknown: 'Since when is not given',
  /** @param away percent of the price down to it; null: the price is past it */
  breachAt: (level: string, away: string | null) =>
    away === null ? `Past the breach level of ${level}.` : `Breach at ${level}, ${away} away.`,
  updatedUnknown: 'Time of the update not given',
  decision: (decided: string, next: string | null) =>
    next === null ? `Updated ${decided}` : `Updated ${decided}, next update ${next}`,
  /** @param kind which alerts the record belongs to; null: all */
  holdout: (symbol: string, kind: 'closes' | 'live' | null) =>
    kind === null
      ? `Hold-out record, ${symbol}`
      : `Record ${kind === 'live' ? 'within the day' : 'at closes'}, ${symbol}`,
  right: (right: number, calls: number) => `${right} of ${calls} right`,
  noCalls: 'No calls',
  caught: (caught: number, events: number) => `Caught ${caught} of ${events} ${plural(events, 'event', 'events')}`,
  caughtShare: (percent: number) => `Caught ${percent}\u00a0% of events`,
  sinceMonth: (month: string) => `since ${month}`,
  computed: (day: string, model: string) => `Computed ${day}${model === '' ? '' : `, model ${model}`}`,
  notScored: 'Not enough history to score',
  noRecord: 'Not available now',
  loadingRecord: 'Calculating...',
  timesBase: (times: string) => `${times} \u00d7 base`,
  baseRate: (base: string) => ` rate ${base}`,
  baseOf: (state: State, claim: Claim) =>
    `Base rate: share of all bars that ${state === 0 ? 'no' : 'an'} ${claim === 'event' ? 'event' : 'fall of half a threshold'} follows.`,
  /** Meaning of the confidence during an event. */
  furtherFall: (state: State) =>
    `Chance of ${state === 0 ? 'no fall' : 'a fall'} of half a threshold more within 21 bars. It means wider moves, not a lower price.`,
  noBase: 'Base rate not available',
  noConfidence: 'Not provided',
  noSignal: 'No signal',
  regimeOnly: 'Regime only',
  notCoveredNote: 'The service does not cover this symbol',
  unknownNote: 'No data yet',
  staleNote: (state: State, span: string) => `Was ${stateLabel(state)}, no update for ${span}`,
  priceAt: (at: string) => `at ${at}`,
  lastPriceOn: (day: string) => `last price of ${day}`,
  classes: { equity: 'Share', etf: 'ETF', index: 'Index', crypto: 'Crypto', fx: 'Currency' },
  choose: 'Choose a symbol in the watchlist.',
  /** @param confirmed null: the data favour it now; else the day on which they did last; empty: not known */
  regimeProbability: (percent: string, confirmed: string | null) =>
    confirmed === null
      ? `probability ${percent}`
      : confirmed === ''
        ? `${percent} when last confirmed`
        : `confirmed at the close of ${confirmed}, ${percent}`,
  regimeAsOf: (day: string) => `as of the close of ${day}`,
  noPriceFor: (span: string) => `no price for ${span}`,
  /** The part of the rule that holds a state whose chance is below its base rate. */
  heldBy: {
    probability: 'Held at its bound for entering',
    drawdown: 'Held by its drawdown',
    breach: 'Held past the breach level',
    exit_bounds: 'Held above the bounds for leaving',
    five_closes: 'Held for five closes',
    pending: 'Held until the next decision',
    question: 'Held until its price is decided on',
    request: 'Held by request',
  } satisfies Record<Exclude<HeldBy, 'none'>, string>,
  regimeSince: (day: string) => `since ${day}`,
  regimeFavoured: (label: string, percent: string) => `the data favour ${label}, ${percent}`,
  regimeNeeds: (closes: number | null, waitsFor: (typeof REGIME_WAITS)[number] | null) =>
    waitsFor === 'normal_state'
      ? 'Stress lasts until the state is Normal'
      : waitsFor === 'hold'
        ? 'set by request, for five minutes'
        : closes === null
          ? ''
          : `${closes === 1 ? 'one close' : `${closes} closes`} to go${waitsFor === 'closes' ? '' : ' at least'}`,
  otherRegime: (label: string, percent: string) => `then ${label}, ${percent}`,
  unknownRegime: 'Unknown',
} as const;
