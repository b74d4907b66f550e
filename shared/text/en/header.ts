// Pure: English, the header of a symbol.
import { EXCHANGES } from '../../domain/exchanges/exchanges.ts';
import type { SessionCalendar } from '../../domain/sessions.ts';
import { type State, stateLabel } from '../../domain/states.ts';
import type { HeldBy } from '../../wire/records.ts';
import type { REGIME_WAITS } from '../../wire/regime.ts';
import { distance } from '../format.ts';
import { plural } from './plural.ts';

const NO_EXCHANGE = 'No known exchange: nothing counts as closed. Name it in the column exchange of instruments.csv';

export const header = {
  state: 'State',
  regime: 'Regime',
  more: 'More',
  moreAbout: (symbol: string) => `More about ${symbol}`,
  since: (at: string) => `since ${at}`,
  sinceUnknown: 'since when is not given',
  lasts: (clock: string, market: string) => `for ${clock}, ${market} of market time`,
  lastsAlwaysOpen: (clock: string, isSimulated: boolean) =>
    `for ${clock}, ${isSimulated ? 'simulated market' : 'market'} open around the clock`,
  /** @param percent, as `breachDistance` has it */
  toBreach: (percent: number) => `${distance(percent)} ${percent > 0 ? 'to' : 'past'} its breach`,
  /** @param away percent of the price down to it; null: the price is past it */
  breachAt: (level: string, away: string | null) =>
    away === null ? `Past the breach level of ${level}.` : `Breach at ${level}, ${away} away.`,
  updatedUnknown: 'Time of the update not given',
  decision: (decided: string, next: string | null) =>
    next === null ? `Updated ${decided}` : `Updated ${decided}, next update ${next}`,
  /** A sentence that begins with the number: "24 % chance of a fall of 4.6 % or more, to 524.76, within 21 sessions, 1.6 × usual." */
  fall: {
    term: 'chance of a fall',
    /** @param size percent of the price; null: unknown */
    size: (size: string | null, level: string, isFurther: boolean) => {
      if (size === null) return isFurther ? ' of half its threshold more,' : ', how far is not known,';
      return ` of ${isFurther ? 'a further ' : ''}${size} or more, to ${level},`;
    },
    within: (sessions: number) => ` within ${sessions} sessions, `,
    times: (times: string) => `${times} \u00d7 `,
    usual: 'usual',
    noUsual: 'how usual is not stated.',
    says: (isFurther: boolean) =>
      `${isFurther ? 'The warned fall has begun, so this is the chance that the price falls once more by half of its threshold.' : 'The chance that the price falls at least this far below its present level.'} It means wider moves, not a lower price on average. How often such calls were right is under More.`,
    usualSays: (usual: string) => `Such a fall follows ${usual} of all sessions.`,
    notStated: 'The service states no chance of a fall.',
    notKnown: 'No chance of a fall is known.',
  },
  reason: 'Reason',
  updated: 'Update',
  instrument: 'Instrument',
  market: 'Market',
  /** Empty: it has no exchange, and its currency is not known. */
  marketOf: (calendar: SessionCalendar, currency: string | undefined) => {
    const said = currency === undefined ? [] : [`prices in ${currency}`];
    if (calendar === 'unknown') return [NO_EXCHANGE, ...said].join('; ');
    return [...(calendar === 'fx' || calendar === 'always' ? [] : [EXCHANGES[calendar].label]), ...said].join(', ');
  },
  breach: 'Breach',
  usual: 'Usual',
  noUsual: 'not stated',
  /** @param kind which alerts the record belongs to; null: all */
  holdout: (kind: 'closes' | 'live' | null) =>
    kind === null ? 'Hold-out record' : `Record ${kind === 'live' ? 'within the day' : 'at closes'}`,
  right: (right: number, calls: number) => `${right} of ${calls} right`,
  noCalls: 'No calls',
  caught: (caught: number, events: number) => `caught ${caught} of ${events} ${plural(events, 'event', 'events')}`,
  caughtShare: (percent: number) => `caught ${percent}\u00a0% of events`,
  sinceMonth: (month: string) => `since ${month}`,
  computed: (day: string, model: string) => `Computed ${day}${model === '' ? '' : `, model ${model}`}`,
  notScored: 'Not enough history to score',
  noRecord: 'Not available now',
  loadingRecord: 'Calculating...',
  noSignal: 'No signal',
  regimeOnly: 'Regime only',
  notCoveredNote: 'The service does not cover this symbol',
  unknownNote: 'No data yet',
  staleNote: (state: State, span: string) => `was ${stateLabel(state)}, no update for ${span}`,
  priceAt: (at: string) => `at ${at}`,
  lastPriceOn: (day: string) => `last price of ${day}`,
  classes: { equity: 'Share', etf: 'ETF', index: 'Index', crypto: 'Crypto', fx: 'Currency' },
  choose: 'Choose a symbol in the watchlist.',
  regimeSays: 'The kind of market, decided at closes: calm or volatile, up or down, or Stress. It changes slowly.',
  regimeIs: (label: string, since: string | null) => `: ${label}${since === null ? '' : ` since ${since}`}.`,
  /** During an outage. */
  regimeWas: (label: string) => `: was ${label}, may have flipped.`,
  /** @param confirmed null: the data favour it now; else the day on which they did last; empty: not known */
  regimeProbability: (percent: string, confirmed: string | null) =>
    confirmed === null
      ? `probability ${percent}`
      : confirmed === ''
        ? `${percent} when last confirmed`
        : `confirmed at the close of ${confirmed}, ${percent}`,
  regimeAsOf: (day: string) => `as of the close of ${day}`,
  noPriceFor: (span: string) => `no price for ${span}`,
  /** The part of the rule that holds a state whose chance is below the usual one. */
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
  unknownRegime: ': unknown.',
} as const;
