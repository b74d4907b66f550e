// Pure: the English texts that pages share; each page has a file of its own beside this one.
// Ready for translation. Short, plain, present tense; first the fact, then why, then what to do. Numbers and
// times arrive formatted.
import { type State, stateLabel } from '../../domain/states.ts';
import { plural } from './plural.ts';

interface TitleParts {
  /** Name of the profile. */
  readonly name: string;
  readonly environment: 'sandbox' | 'production';
  readonly replay: boolean;
  /** No data arrives; "starting": not yet. */
  readonly connection: 'online' | 'offline' | 'starting';
  readonly page: string;
  /** Alerts that need attention. */
  readonly waiting: number;
}

export const common = {
  product: 'Barograph',
  /**
   * Begins with what needs attention, because a tab shows only the beginning; then the profile, and whether
   * its market is real.
   */
  documentTitle: ({ name, environment, replay, connection, page, waiting }: TitleParts) => {
    const profile = name === 'sandbox' && environment === 'sandbox' ? '' : `${name} · `;
    const market = environment === 'sandbox' ? '' : replay ? 'REPLAY · ' : 'PRODUCTION · ';
    return `${waiting === 0 ? '' : `(${waiting}) `}${environment === 'sandbox' ? '[SANDBOX] ' : ''}${profile}${market}${
      { online: '', offline: 'Offline · ', starting: 'Starting · ' }[connection]
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
    record: 'Record',
    settings: 'Settings',
  },
  pagesLabel: 'Pages',
  find: 'Find anything',
  environmentLabel: 'Environment',
  toLight: 'Light theme',
  toDark: 'Dark theme',
  showList: 'Watchlist',
  close: 'Close',
  stop: 'Stop',
  stopped: 'Stopped.',
  tryAgain: 'Try again',
  keySheet: 'Shortcuts and legend',
  unread: (count: number) => `${count} unread`,
  keysDue: (count: number) => (count === 1 ? '1 key needs attention' : `${count} keys need attention`),
  update: {
    failed: 'The update failed.',
    byHand: 'Download manually',
    settings: 'Application',
    changes: 'What changed',
    done: (version: string) => `Barograph is now version ${version}.`,
    hide: 'Hide this notice',
  },
  lazy: {
    timeline: 'The timeline',
    menu: 'The menu',
    listFiles: 'List import and export',
    schemas: 'The checks of messages',
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

  // Before the page has any code but this: values stand in braces.
  notLoaded: {
    heading: 'Barograph did not load',
    cut: '{file} did not arrive whole.',
    status: '{file} was answered with {status}.',
    again: 'It is loaded again in {seconds} s.',
    now: 'Load it now',
  },

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
    seesAll: 'Seeing everything',
    seesNothing: 'Seeing nothing',
    openConnection: 'Open Connection',
    indicator: { open: 'Open', bytes: 'Bytes', fresh: 'Fresh', verified: 'Verified' },
    indicatorState: { ok: 'works', degraded: 'partly works', down: 'down' },
    ledger: 'Ledger',
    events: (count: number) => plural(count, 'event', 'events'),
    openGaps: (count: number) => (count === 0 ? 'no gap' : `${count} ${plural(count, 'gap', 'gaps')} open`),
    unproved: 'Completeness not verified',
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
    meanwhile: 'What is stored here can be read; the rest comes by itself.',
    storedOnly: 'Not connected to the service. Only what is stored on this computer is shown.',
    storedUntilStarted: 'The service starts. Until then, only what is stored on this computer is shown.',
    /** Cures by code of the problem: what the user can do, and the label of the button that leads there. */
    cures: {
      'connection.bad_key': { text: 'Replace the key of this profile.', act: 'Replace the key' },
      'connection.without_key': { text: 'Save the key of this profile.', act: 'Save a key' },
      'connection.forbidden': { text: 'Use a key whose plan includes the stream.', act: 'Replace the key' },
      'connection.unpaid': { text: 'Pay for the plan of this key, or use another key.', act: 'Replace the key' },
      'service.not_started': { text: '', act: 'Open profiles' },
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
      named.length === 0 && elevated === 0
        ? 'None was High Risk or Elevated.'
        : [
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
    lastKnownNever: 'Nothing received yet.',
    was: (state: State) => `was ${stateLabel(state)}`,
    notKnown: 'not known',
    /** @param at when it was last known; null: the service gave no time */
    wasAt: (state: string, at: string | null) => (at === null ? `Was ${state}` : `Was ${state} at ${at}`),
    mayHaveTurned: 'may have changed',
    regimeOnly: 'No signal',
  },

  secretsLater: 'Barograph is not running behind this window. Do not type a key or a passphrase here.',
  fileProblem: 'A file of Barograph needs you.',
  notWatched: 'A profile is not watched.',
  unwritten: 'Alerts are not written down.',

  notifier: {
    inApp: 'Desktop notifications are unavailable. Keep this window open to see High Risk alerts.',
    /** The permission of the browser, which is asked only where the desktop shows none. */
    inBrowser:
      'Desktop notifications are unavailable. While this window is in the background, its browser notifies you.',
    keepOpen: 'Keep the window open.',
    allow: 'Allow notifications in this browser',
    blocked: 'This browser blocks notifications here. Allow them in its settings for this page.',
  },

  oldPrices: {
    heading: (day: string, count: string, days: number) =>
      `No price is current. The newest is of ${day}, ${count} ${days === 1 ? 'day' : 'days'} ago`,
    folder: (folder: string) =>
      `Barograph cannot warn of anything until new rows arrive in ${folder}. You can replay these prices instead.`,
    service: 'The service answers, but has no newer prices. Barograph cannot warn of anything until it has.',
    replay: 'Replay prices',
  },

  spoken: {
    highRisk: (symbol: string, percent: string | null, times: string | null) =>
      `High Risk, ${[...symbol].join(' ')}${percent === null ? '' : `, chance of a fall ${percent} percent`}${times === null ? '' : `, ${times} times the usual one`}.`,
    held: (symbol: string, percent: string, reason: string) =>
      `High Risk, ${[...symbol].join(' ')}, chance of a fall ${percent} percent, below the usual one. ${reason}`,
    inQuestion: (symbol: string) => `High Risk, ${[...symbol].join(' ')}, if its price is right. It needs a decision.`,
    burst: (count: number, worst: string) => `${count} turned High Risk, worst ${[...worst].join(' ')}.`,
    outage: (at: string, cause: string) => `Not receiving data since ${at}. ${cause}`,
    online: 'Receiving data again.',
  },
} as const;
