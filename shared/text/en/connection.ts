// Pure: the English texts of the settings' section Connection.

import { plural } from './plural.ts';

export const connection = {
  heading: 'Connection',
  sheet: 'Quota, keys, outages',
  question: 'Is data arriving?',
  copyReport: 'Copy report',
  copied: 'Copied',
  reportHeading: 'Connection report',
  reportNote: 'Everything on this page as text, without keys or secrets.',
  reportFile: 'barograph-connection.txt',
  problemReport: 'Problem report',
  problemNote: 'Read it before you share it, and remove anything private. Nothing has been sent.',
  problemFile: 'barograph-report.md',
  reconnect: 'Reconnect',
  loading: 'Loading connection details.',
  failed: 'The connection details could not be loaded',
  asOf: (at: string) => `As of ${at}. Nothing on this page is newer.`,

  indicators: 'Connection health',
  open: {
    up: (span: string) => `Stream up ${span}`,
    down: (detail: string) => `No stream: ${detail}`,
    reconnects: (count: number) =>
      count === 0 ? 'no reconnect in 24 h' : `${count} ${plural(count, 'reconnect', 'reconnects')} in 24 h`,
    attempt: (attempt: number, wait: string) => `attempt ${attempt}, next in ${wait}`,
  },
  bytes: {
    last: (span: string) => `Last byte ${span} ago`,
    none: 'No byte yet',
    heartbeat: (span: string) => `heartbeat every ${span}`,
    unknown: 'interval not known yet',
    dead: (span: string) => `disconnects after ${span} of silence`,
  },
  fresh: {
    label: (detail: string) => (/^\d+ of \d+$/.test(detail) ? `${detail} symbols` : detail),
    stale: (list: string) => `stale: ${list}`,
    all: 'up to date',
  },
  verified: {
    label: (detail: string, isVerified: boolean) => (isVerified ? `Answered in ${detail}` : `Not answered: ${detail}`),
    since: (at: string, isVerified: boolean) => (isVerified ? `without a failure since ${at}` : `since ${at}`),
  },

  beats: {
    label:
      'Heartbeat lateness, last 24 min. Taller is later; amber is over 2.5 intervals, when the stream counts as dead',
    name: 'Heartbeat lateness',
    none: 'No heartbeat received yet. Two are needed to measure the interval.',
    summary: (beats: number, late: number, worst: string) =>
      `${beats} ${plural(beats, 'heartbeat', 'heartbeats')} in 24 minutes, ${late === 0 ? 'none' : late} late; longest silence ${worst}.`,
    point: (at: string, gap: string, late: boolean) => `${at}: after ${gap}${late ? ', late' : ''}`,
  },

  feeds: {
    heading: 'Prices',
    sub: 'the feeds that the service follows',
    feed: 'Feed',
    status: {
      following: 'answers',
      failing: 'does not answer, and is tried again',
      refused: 'refuses; see the last error',
    },
    notKnown: 'not known while the service is away',
    age: 'Newest price',
    noPrice: 'none since the service started',
    ago: (span: string) => `came ${span} ago`,
    delayed: (span: string) => `delayed by ${span} by the plan`,
    history: 'History',
    complete: (all: number) => `complete, ${all} ${plural(all, 'symbol', 'symbols')}`,
    progress: (done: number, all: number, isStopped: boolean) =>
      `${done} of ${all} symbols${isStopped ? ', stopped' : ''}`,
    goOn: 'Go on',
    budget: 'Calls left',
    left: (left: number, perMinute: number) => `${left} at once, ${perMinute} a minute`,
    quiet: (span: string) => `The vendor asked for silence for ${span}.`,
    fault: 'Last error',
    noFault: 'none since the service started',
    without: 'Without prices',
  },

  stream: {
    heading: 'Stream',
    sub: 'main process, one connection',
    address: 'Address',
    filter: 'Subscribed to',
    allKinds: (count: number) => `all ${count} kinds of event, all symbols; Barograph filters here`,
    lastId: 'Last event id',
    cursor: 'Cursor',
    cursorAt: (at: string, seq: number | null, isProvable: boolean) =>
      `${isProvable ? 'contiguous' : 'read'} up to ${at}${seq === null ? '' : `, event ${seq.toLocaleString('en-US')} of the log`}`,
    notYet: 'not verified yet',
    unproved: 'The service offers no way to verify completeness.',
    gaps: 'Gaps',
    gapCount: (open: number, filled: number) => `${open === 0 ? 'none' : open} open, ${filled} filled`,
    reconnects: 'Reconnects, 24 h',
    noReconnect: 'none',
    broke: (at: string, cause: string, back: string | null) =>
      `${at}: ${cause} ${back === null ? 'Not back yet.' : `Back in ${back}.`}`,
    more: (count: number) => `and ${count} more`,
    clock: 'Clock',
    skew: (span: string, isAhead: boolean, within: string) =>
      `this computer is ${span} ${isAhead ? 'ahead of' : 'behind'} the service (within ${within})`,
    even: (within: string) => `this computer and the service agree (within ${within})`,
    skewUnknown: 'not measured yet',
    world: (text: string) => `; its market ${text}`,
    worldRuns: (span: string, isAhead: boolean) => `runs ${span} ${isAhead ? 'ahead' : 'behind'}`,
    worldSpeed: (speed: number) => (speed === 0 ? 'is paused' : `runs ${Number(speed.toPrecision(2))} times as fast`),
    proxy: 'Proxy',
    certificate: 'Certificate',
  },

  compatibility: {
    heading: 'Service compatibility',
    sub: 'as observed',
    factors: 'Factor format',
    factorForms: { map: 'map of powers', rows: 'rows', map_and_rows: 'map of powers, plus rows' },
    signature: 'Signature',
    signatureForm: (form: string) =>
      ({ hex: 'hex, no prefix', base64: 'base64, no prefix' })[form] ??
      `${form.replace(/(hex|base64)$/, '')} and ${form.includes('hex') ? 'hex' : 'base64'}`,
    reset: 'Rate-limit reset',
    resets: { epoch_seconds: 'epoch seconds', epoch_ms: 'epoch milliseconds', seconds: 'seconds from now' },
    codes: 'Error codes',
    codeForms: (lower: readonly string[], upper: readonly string[]) => {
      if (lower.length === 0 && upper.length === 0) return null;
      if (upper.length === 0) return 'lower case';
      if (lower.length === 0) return 'upper case';
      return `lower case; upper case on ${upper.join(', ')}`;
    },
    list: 'List key, cursor',
    bare: 'bare array',
    noCursor: 'no cursor',
    versions: 'Versions',
    interface: (version: string) => `interface ${version}`,
    model: (version: string) => `model ${version}`,
    notReceived: 'not received yet',
  },

  gaps: {
    heading: 'Gaps',
    sub: 'every period without data, with its cause',
    from: 'From',
    to: 'To',
    market: 'Market time',
    marketLong: 'Time that the markets of the symbols were open; of several the longest',
    cause: 'Cause',
    now: 'Now',
    open: 'open, filled after reconnecting',
    filling: 'open, being filled',
    lost: 'open: the service has no record',
    unreadable: 'open: it could not be read',
    recorded: 'recorded, as the cause says',
    filled: (events: number) => `filled, ${events} ${plural(events, 'event', 'events')}`,
    none: (isProvable: boolean, isOffline: boolean) =>
      isOffline
        ? 'No gap is known yet. What is missed now is known after reconnecting.'
        : isProvable
          ? 'No gaps: nothing was missed.'
          : 'No gaps are known. This service offers no way to verify that nothing was missed.',
    until: 'until now',
    older: 'Show older gaps',
    olderFailed: 'Older gaps could not be loaded',
  },

  ledger: {
    heading: 'Ledger',
    size: 'On this disk',
    sizeText: (megabytes: string, count: string, events: number) =>
      `${megabytes} MB, ${count} ${plural(events, 'event', 'events')}`,
    oldest: 'Oldest event',
    empty: 'no event yet',
    removed: 'Removed so far',
    removedText: (count: string, events: number) =>
      events === 0 ? 'nothing' : `${count} ${plural(events, 'event', 'events')}`,
    days: 'Keep events for',
    megabytes: 'Largest size',
    unit: { days: 'days', megabytes: 'MB' },
    ever: 'forever',
    daysWrong: 'Whole days, from 30 to 36,500.',
    megabytesWrong: 'Whole megabytes, from 50 to 100,000.',
    kept: 'Alerts that you have not acknowledged (the newest 10,000), your notes, the newest events and the last state of every symbol are kept. For all profiles.',
    save: 'Save',
    saved: 'Saved.',
  },

  selfTest: {
    heading: 'Self-test',
    sub: 'a signed test event, end to end',
    run: 'Run',
    running: 'Running',
    acknowledge: 'I saw it',
    steps: {
      sent: 'Signed and sent by the service',
      stream: 'Received on the stream',
      webhook: 'Received by webhook',
      written: 'Recorded once, duplicate detected',
      matched: 'Rule matched',
      dispatched: 'Sent to the desktop',
      shown: 'Shown by the desktop',
      acknowledged: 'Acknowledged',
    },
    outcome: { waits: 'waiting', passed: 'passed', failed: 'failed', skipped: 'skipped' },
    never: 'No self-test yet. It sends one test event all the way to you, takes a few seconds and costs one call.',
    when: (at: string) => `${at}.`,
    step: 'Step',
    outcomeHead: 'Outcome',
    after: 'After',
    detail: 'Detail',
  },

  quota: {
    heading: 'Quota',
    notCounted: 'sandbox: calls are not counted',
    counted: 'as the service reports it',
    notProvided: 'The service reports no quota.',
    month: 'This month',
    monthEnd: 'Month-end, at this pace',
    perDay: 'Remaining per day',
    burst: 'Burst',
    minute: 'Sustained, per minute',
    of: (used: string, limit: string) => `${used} of ${limit}`,
    overage: (count: string) => `${count} calls over the plan this month; they are billed.`,
    over: (count: string) => `At this pace the month ends ${count} calls over the plan.`,
    capped: (at: string) => `The hard cap is reached. Calls are accepted again from ${at}.`,
    slowed: (span: string) =>
      `Signals are polled every ${span} so that the quota lasts the month. Events still arrive at once.`,
    costs: 'Usage, calls per hour now',
    costsSoFar: (span: string) => `Usage, calls since the start, ${span}`,
    costsWhy: 'Starting uses more calls than an hour of running. Calls per hour are shown after ten minutes.',
    notYet: 'after ten minutes',
    none: 'No calls yet.',
    causes: {
      signals: 'Signals, safety poll',
      events: 'Events, back-fill',
      stream: 'Stream, connecting',
      factors: 'Factors of open alerts',
      regimes: 'Regimes and history',
      briefings: 'Briefings, news',
      validation: 'Validation record',
      webhooks: 'Webhooks',
      other: 'Other',
    },
  },

  keys: { heading: 'Keys', storage: 'Storage' },

  outageAlarm: {
    heading: 'If data stops arriving',
    after: 'Notify me after',
    how: 'How',
    meanwhile: 'Meanwhile',
    minutes: (market: number, other: number) => `${market} min in market hours, ${other} min otherwise`,
    change: 'Change',
    howText: (system: boolean) =>
      `${system ? 'desktop notification' : 'in this window or by its browser'}, banner, indicators; spoken once`,
    polls: (seconds: number) => `polls for events every ${seconds}\u00a0s and shows the last state, greyed out`,
  },
} as const;
