// Pure: the English texts that pages share; most pages have a file of their own beside this one.
// Ready for translation. Short, plain, present tense; first the fact, then why, then what to do. Numbers and
// times arrive formatted.
import type { Claim } from '../../domain/claims.ts';
import type { PriceFaultKind } from '../../domain/data-health.ts';
import { type State, stateLabel } from '../../domain/states.ts';
import type { HeldBy } from '../../wire/records.ts';
import type { REGIME_WAITS } from '../../wire/regime.ts';

const plural = (count: number, one: string, many: string): string => (count === 1 ? one : many);

interface TitleParts {
  /** Of the profile. */
  readonly name: string;
  readonly environment: 'sandbox' | 'production';
  readonly replay: boolean;
  readonly isOffline: boolean;
  readonly page: string;
  /** Alerts that need attention. */
  readonly waiting: number;
}

export const common = {
  product: 'Barograph',
  /** What needs attention first: a tab shows the beginning. Then which profile, and whether its market is real. */
  documentTitle: ({ name, environment, replay, isOffline, page, waiting }: TitleParts) => {
    const profile = name === 'sandbox' && environment === 'sandbox' ? '' : `${name} · `;
    const market = environment === 'sandbox' ? '' : replay ? 'REPLAY · ' : 'PRODUCTION · ';
    return `${waiting === 0 ? '' : `(${waiting}) `}${environment === 'sandbox' ? '[SANDBOX] ' : ''}${profile}${market}${
      isOffline ? 'Offline · ' : ''
    }${page} \u2013 Barograph`;
  },
  sandbox: 'SANDBOX',
  production: 'PRODUCTION',
  replay: 'REPLAY',
  pages: {
    watch: 'Watch',
    alerts: 'Alerts',
    briefings: 'Briefings',
    news: 'News',
    validation: 'Validation',
    webhooks: 'Webhooks',
    connection: 'Connection',
    settings: 'Settings',
  },
  pagesLabel: 'Pages',
  morePages: 'More',
  find: 'Find anything',
  environmentLabel: 'Environment',
  toLight: 'Light theme',
  toDark: 'Dark theme',
  showList: 'Watchlist',
  close: 'Close',
  stop: 'Stop',
  stopped: 'Stopped.',
  lazy: {
    timeline: 'The timeline',
    menu: 'The menu',
    listFiles: 'List import and export',
    loading: (what: string) => `${what} is loading.`,
    failed: (what: string) => `${what} could not be loaded.`,
    failedWhy: 'Barograph did not respond.',
    again: 'Reload window',
    dialogFailed: (what: string) => `${what} could not be loaded. Reload the window when Barograph responds.`,
  },
  text: {
    copy: 'Copy',
    copied: 'Copied.',
    copyByHand: 'Clipboard access is blocked. The text is selected: copy it with Ctrl C.',
    save: 'Save',
  },
  export: { csv: 'CSV', json: 'JSON', png: 'Picture (PNG)' },

  waiting: {
    heading: 'Opening Barograph',
    link: 'Waiting for Barograph to respond.',
    snapshot: 'Connected. Waiting for the watchlist and its signals.',
    noSession: 'This window has no session',
    noToken: 'The address has no token. Open a window from Barograph, or run: npm run barograph -- open',
    tokenRefused:
      'The address was already used or is older than a minute. Open a new window: npm run barograph -- open',
    unreachable: 'Barograph does not respond at this address. Start it, then open its window again: npm start',
  },

  status: {
    indicators: 'Connection',
    indicator: { open: 'Open', bytes: 'Bytes', fresh: 'Fresh', verified: 'Verified' },
    indicatorState: { ok: 'works', degraded: 'partly works', down: 'down' },
    ledger: 'Ledger',
    events: (count: number) => plural(count, 'event', 'events'),
    openGaps: (count: number) => (count === 0 ? 'no gap' : `${count} ${plural(count, 'gap', 'gaps')} open`),
    unproved: 'completeness not verified',
    model: 'Model',
    clock: 'Service clock',
    // Two digits, because the speed is measured.
    clockSpeed: (speed: number) => (speed === 0 ? 'paused' : `\u00d7${Number(speed.toPrecision(2))}`),
    changeZone: 'Change the zone of all times',
  },

  outage: {
    banner: (since: string, zone: string, span: string) => `Not receiving data since ${since} ${zone}, for ${span}`,
    nothingNewer: (since: string) => `Nothing below is newer than ${since}.`,
    tryNow: 'Try now',
    /** By the code of the reason: what the user can do, and the button that leads there. */
    cures: {
      'connection.bad_key': { text: 'Replace the key of this profile.', act: 'Replace the key' },
      'connection.forbidden': { text: 'Use a key whose plan includes the stream.', act: 'Replace the key' },
      'connection.unpaid': { text: 'Pay for the plan of this key, or use another key.', act: 'Replace the key' },
      'connection.bad_address': { text: 'Correct the address of this profile.', act: 'Open profiles' },
      'connection.unknown_peer': {
        text: 'Allow this address, if you know what runs there.',
        act: 'Send the key there',
      },
    },
    gone: (since: string) => `Barograph has not responded since ${since}`,
    goneWhy:
      'This window reconnects by itself. If Barograph was closed, start it (npm start) and open the address it prints.',
    polling: 'The service refuses the stream; Barograph polls instead, and alerts come up to 20 seconds later.',
    refused: 'Barograph keeps trying, every few minutes at least. "Try now" asks at once.',
    cannotSee: 'What you may be missing',
    symbols: (count: number) => `${count} ${plural(count, 'symbol', 'symbols')}`,
    couldTurn: 'could change state unnoticed.',
    barNothing: 'Any symbol could change state unnoticed.',
    /** @param named High Risk symbols that are named, @param more the number of others */
    were: (named: readonly string[], more: number, elevated: number) =>
      [
        named.length === 0
          ? ''
          : `${named.join(', ')}${more === 0 ? '' : ` and ${more} more`} ${named.length + more === 1 ? 'was' : 'were'} High Risk`,
        elevated === 0 ? '' : `${elevated} ${plural(elevated, 'was', 'were')} Elevated`,
      ]
        .filter((part) => part !== '')
        .join(', ')
        .replace(/$/, '.'),
    beingDone: 'Status',
    attempt: (attempt: number, wait: string) => `Stream: attempt ${attempt}, next in ${wait}`,
    attemptNow: (attempt: number) => `Stream: attempt ${attempt}, now`,
    returns: 'After reconnecting',
    returnsHow: (since: string) =>
      `Everything since ${since} is fetched first, then the stream resumes. You are notified of each symbol that is High Risk by then. The gap stays visible until it is filled.`,
    lastKnown: (since: string) => `Last known, ${since}`,
    lastKnownNone: 'Nothing needed attention.',
    was: (state: State) => `was ${stateLabel(state)}`,
    notKnown: 'not known',
    notStated: 'Not available while offline',
    wasAt: (state: string, at: string) => `Was ${state} at ${at}`,
    wasPlain: (state: string) => `Was ${state}`,
    mayHaveFlipped: 'may have flipped',
    mayHaveTurned: 'may have changed',
    age: 'offline',
    regimeOnly: 'No signal',
    gapLabel: (since: string) => `No data since ${since}`,
  },

  secretsLater: 'Barograph is not running behind this window. Do not type a key or a passphrase here.',
  settingsProblem: 'The settings file needs you.',
  unwritten: 'Alerts are not written down.',

  notifier: {
    inApp: 'Desktop notifications are unavailable. Keep this window open to see High Risk alerts.',
  },

  oldPrices: {
    heading: (day: string, count: string, days: number) =>
      `No price is current. The newest is of ${day}, ${count} ${days === 1 ? 'day' : 'days'} ago`,
    folder: (folder: string) =>
      `Barograph cannot warn of anything until new rows arrive in ${folder}. You can replay these prices instead.`,
    service: 'The service answers, but has no newer prices. Barograph cannot warn of anything until it has.',
    replay: 'Replay prices',
  },
  watch: {
    lists: 'Watchlist',
    symbol: 'Symbol',
    spark: '60 d',
    change: 'Change',
    state: 'State',
    since: 'Since',
    confidence: 'Fall',
    price: 'Last',
    held: 'held',
    /** @param times multiple of the base rate; empty: not stated */
    fallChance: (percent: string, times: string) =>
      `Chance of the warned fall ${percent} %${times === '' ? '' : `, ${times} times base`}`,
    fallHeld: 'below base: held by the rule',
    priceOf: (day: string) => `Last price, of ${day}`,
    confidenceWhole: 'Confidence, percent',
    age: 'Age',
    /** What is wrong with the prices of a symbol; the service's sentence beside it says why. */
    fault: {
      delayed: 'Delayed prices',
      halted: 'Trading halted',
      gap: 'Gap in prices',
      quarantined: 'Price in question',
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
    rowChange: (change: string) => `change ${change}`,
    rowStale: (span: string, state: State) => `unknown, no update for ${span}, was ${stateLabel(state)}`,
    rowRegimeOnly: (regime: string) => `no signal, regime ${regime}`,
  },

  header: {
    state: 'State',
    regime: 'Regime',
    confidenceIn: (state: State) => `Confidence in ${stateLabel(state)}`,
    confidence: 'Confidence',
    since: (at: string) => `Since ${at}`,
    /** @param market null: the market never closes, so both are equal */
    lasts: (clock: string, market: string | null) =>
      market === null ? `${clock}, clock and market` : `${clock} clock, ${market} market`,
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
    /** During an event, what the confidence is about. */
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
    /** @param isPresent false: the data favour another one now */
    regimeProbability: (percent: string, isPresent: boolean) =>
      isPresent ? `probability ${percent}` : `${percent} when last confirmed`,
    noPriceFor: (span: string) => `no price for ${span}`,
    /** Which part of the rule holds a state that is less likely than its base rate. */
    heldBy: {
      probability: 'Held at its bound for entering',
      drawdown: 'Held by its drawdown',
      breach: 'Held past the breach level',
      exit_bounds: 'Held above the bounds for leaving',
      five_closes: 'Held for five closes',
      pending: 'Held until the next decision',
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
  },

  chart: {
    range: 'Range',
    days: (days: number) => `${days}\u00a0D`,
    brushFrom: 'First day shown',
    brushTo: 'Last day shown',
    wholeDays: (days: number) => `${days} days`,
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
    point: (time: string, price: string | null, state: State | null, regime: string) =>
      [
        `${time}:`,
        [price, state === null ? null : stateLabel(state), regime].filter((part) => part !== null).join(', '),
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
    transitionFacts: (confidence: string | null, regime: string) =>
      `${confidence === null ? '' : `Confidence ${confidence}, `}${regime}`,
    moreTransitions: (count: number) => `and ${count} earlier ${plural(count, 'transition', 'transitions')} that day`,
    fromHistory: 'From the daily history, which has no time of day and no reason.',
    showTransition: (at: string) => `Show ${at} in the chart`,
    breach: 'Breach',
    exportName: 'Export timeline',
    pictureCaption: (symbol: string, from: string, to: string, zone: string) =>
      `${symbol}, ${from} to ${to}, times of ${zone}`,
    regimeOnlyName: (symbol: string) => `${symbol}: regimes`,
    noRegime: 'no regime',
    loading: (symbol: string) => `Waiting for the history of ${symbol}.`,
    failed: (symbol: string) => `The history of ${symbol} could not be loaded`,
    tryAgain: 'Try again',
    empty: (symbol: string) => `The service has no history of ${symbol}.`,
    noticeBy: 'Charts by',
    notice: 'TradingView',
    noticeLong: 'TradingView Lightweight Charts\u2122, Copyright (c) TradingView, Inc.',
    gapFrom: (from: string, to: string) => `Gap: ${from} to ${to}`,
    gapOpen: (from: string) => `Gap: since ${from}`,
    gapStays: 'This gap stays open until it is filled.',
  },

  record: {
    label: 'Record',
    transitions: 'Transitions',
    daily: 'Daily values',
    gaps: 'Gaps',
    time: 'Time',
    turned: 'To',
    from: 'From',
    lasted: 'Lasted',
    lastedMarket: 'Market',
    lastedMarketLong: 'Time the market was open',
    regime: 'Regime',
    confidence: 'Conf %',
    notified: 'Notified',
    day: 'Day',
    price: 'Price',
    state: 'State',
    cause: 'Cause',
    until: 'Until',
    now: 'until now',
    notKnown: 'not known',
    stillOpen: 'open',
    filled: 'filled',
    status: 'Status',
    noTransitions: (symbol: string) => `${symbol} has not changed its state in the days shown.`,
    noGaps: 'No gaps: nothing was missed.',
    dailyHistory: 'daily history',
  },

  inbox: {
    heading: 'Alert inbox',
    folded: 'Alert inbox, collapsed',
    needsYou: 'Needs attention',
    elevated: 'Elevated now',
    past: 'Ended',
    newestOf: (listed: number, all: number) => `${listed} of ${all}`,
    empty: 'No transitions yet. The first one appears here as soon as it is recorded.',
    nothing: 'Nothing needs attention.',
    from: (state: State) => `From ${stateLabel(state)}.`,
    fromUnknown: 'State before not given.',
    timeUnknown: 'Time not given; received then.',
    confidence: (percent: string) => `Confidence ${percent}`,
    timesBase: (times: string) => `, ${times} times base`,
    /** @param note of the service: why it is High Risk all the same */
    belowBase: (base: string, note: string) => `, below the base rate of ${base}.${note === '' ? '' : ` ${note}`}`,
    regime: (label: string) => `Regime ${label}.`,
    backToNormal: 'Back to Normal',
    lasted: (span: string) => `Lasted ${span}.`,
    overUnknown: 'Over; the change itself has not arrived yet.',
    over: (at: string, span: string) => `Over since ${at}, lasted ${span}.`,
    was: (state: State, span: string) => `Was ${stateLabel(state)} for ${span}.`,
    notification: {
      intent: 'Notifying.',
      shown: 'Shown on the desktop.',
      in_app: 'Shown in this window only.',
      failed: 'Not notified',
    },
    late: 'Found by back-fill.',
    show: 'Inbox',
    bar: (count: number, list: string) => `${count} ${plural(count, 'needs', 'need')} attention: ${list}`,
    barNone: 'Nothing needs attention',
    barCounts: (elevated: number, past: number) => `${elevated} Elevated now · ${past} ended`,
    open: (symbol: string) => `Show ${symbol}`,
    dismiss: 'Dismiss',
    dismissAll: (count: number) => `Dismiss all ${count}`,
    toastTitle: (symbol: string, state: State, still: boolean) =>
      `${symbol} ${still ? 'is' : 'turned'} ${stateLabel(state)}`,
    toastAt: (state: State, at: string) => `From ${stateLabel(state)} at ${at}.`,
    more: (list: string) => `Also needing attention: ${list.endsWith('…') ? list : `${list}.`}`,
    moreOver: (count: number) => `${count} ${plural(count, 'other', 'others')} ended.`,
  },

  spoken: {
    highRisk: (symbol: string, percent: string | null, times: string | null) =>
      `High Risk, ${[...symbol].join(' ')}${percent === null ? '' : `, confidence ${percent} percent`}${times === null ? '' : `, ${times} times the base rate`}.`,
    belowBase: (symbol: string, percent: string, reason: string) =>
      `High Risk, ${[...symbol].join(' ')}, confidence ${percent} percent, below the base rate. ${reason}`,
    outage: (at: string, cause: string) => `Not receiving data since ${at}. ${cause}`,
  },
} as const;
