// Pure: the English texts of profiles and keys: environment menu, dialogs, first steps.
import { type AppFeed, FEED_LABELS } from '../../domain/price-feeds.ts';
import type { MarketScenario } from '../../domain/scenarios.ts';
import type { Environment } from '../../wire/keys.ts';
import { firstOf } from './plural.ts';

const quotedList = (words: readonly string[]): string => words.map((word) => `“${word}”`).join(', ');

export const profiles = {
  menuName: (name: string) => `Profiles. This window shows ${name}`,
  menuHeading: 'Profiles, one window each',
  thisWindow: 'This window',
  shownHere: (status: string) => `${status}, this window`,
  environment: { sandbox: 'SANDBOX', production: 'PRODUCTION' } satisfies Record<Environment, string>,
  status: {
    connected: 'Connected',
    stale: 'Nothing fresh',
    offline: 'Offline',
    off: 'Off',
    elsewhere: 'In use by another program',
    failed: 'Failed',
    opening: 'Opening',
  },
  /** Barograph itself is gone, so the status is unknown. */
  statusUnknown: 'Not known now',
  high: (count: number) => `${count} High Risk`,
  replay: 'REPLAY',
  addKey: 'Add a production key',
  dialog: 'The dialog',
  addPrices: 'Add your own prices',
  manage: 'Profiles and keys in Settings',
  openWindow: (name: string) => `Open the window of ${name}`,

  intro: {
    label: 'First steps',
    of: (step: number, of: number) => `Step ${step} of ${of}`,
    steps: [
      {
        heading: 'What a state is',
        text: 'Each symbol is Normal, Elevated or High Risk: how likely a fall is that is large for it. High Risk notifies you, once. This market is simulated: nothing here is real.',
      },
      {
        heading: 'Make one happen',
        text: 'The symbol in view becomes High Risk, as in a real market. Then acknowledge it in the inbox (A), or ask why it reached you (W).',
      },
      {
        heading: 'Follow a real market',
        text: 'Coins need no account. Or take your own price files, or the key of a service. The sandbox stays.',
      },
    ],
    legend: 'Legend',
    raise: (symbol: string) => `Make ${symbol} High Risk`,
    raised: (symbol: string) => `${symbol} is High Risk.`,
    back: 'Back',
    next: 'Next',
    done: 'Done',
    hide: 'Leave the first steps',
  },

  source: {
    simulated: 'Simulated market, inside the app',
    prices: (folder: string) => `Own prices, ${folder}`,
    feed: (feed: AppFeed) => `Live prices of ${FEED_LABELS[feed]}, inside the app`,
    remote: (host: string) => host,
  },

  scenario: {
    burst: 'Most symbols enter High Risk in the same minute, every half an hour.',
    flap: 'SPY turns High Risk and back every six minutes.',
    crash: 'The market falls as in spring 2020, within two minutes, at 2, 22 and 42 minutes past every hour.',
  } satisfies Record<MarketScenario, string>,

  crashMarket: {
    act: 'Rehearse a crash',
    why: 'What Barograph does on the worst day, before it comes. In a simulated market of its own, in a window of its own; this one stays as it is.',
    look: 'See how many notifications you get, how the list and the alerts look, and what you would do. Remove the profile when you have seen enough.',
    next: (time: string) => `The next fall begins at ${time}.`,
    begin: 'Begin',
    beginning: 'The simulated market is set up. This takes some seconds.',
  },

  coins: {
    act: 'Follow coins, without an account',
    why: 'Real prices of twelve coins from the public market data of Binance: no account, no key, no file. In a profile of its own, in a window of its own; this one stays as it is.',
    terms:
      'This computer asks data-api.binance.vision and data-stream.binance.vision. Check that their terms allow your use, and that they serve your country.',
    history: 'Five years of history come first, which takes a minute; states are Unknown until then.',
    begin: 'Follow coins',
    beginning: 'The history of the coins is fetched. This takes up to half a minute.',
  },

  shares: {
    act: 'Follow shares, with a key of your account',
    why: 'Real prices of shares and funds of the United States from Alpaca, whose free account is enough. In a profile of its own, in a window of its own; this one stays as it is.',
    terms:
      'Check that the terms of the vendor allow your use. Five years of history come first; states are Unknown until then.',
    vendor: 'Vendor',
    account: 'The key of your account',
    accountWhy: 'The dashboard of Alpaca shows both parts when a key is made. They go to Alpaca, and to nobody else.',
    id: 'Key ID',
    secret: 'Secret',
    noId: 'Paste the key ID.',
    noSecret: 'Paste the secret.',
    symbols: 'Symbols (optional)',
    symbolsWhy: (count: number) => `Without any: ${count} funds of the market and its sectors, and bonds and gold.`,
    noSymbol: (text: string) => `"${text.slice(0, 30)}" is no symbol. Use 1 to 15 of A-Z 0-9 . ^ = -`,
    tooMany: 'At most 500 symbols.',
    tryIt: 'Try it',
    tryAct: 'Try it',
    trying: 'Asking the vendor: key, plan, clock, symbols, newest prices.',
    beginning: 'The first prices are fetched. This takes up to half a minute.',
    foot: 'The key is never written to a log or a command line.',
  },

  clipboard: {
    cleared: 'The key was cleared from the clipboard.',
    other: 'The clipboard already holds something else.',
    ask: 'The clipboard may still hold the key.',
    clear: 'Clear the clipboard',
    cannot: 'The clipboard may still hold the key, and this window cannot check. Copy something else.',
  },

  tiers: {
    label: 'Where the key is stored',
    session: 'Only until Barograph quits',
    passphrase: 'A file protected by a passphrase',
  },

  stateWords: {
    banner: (words: readonly string[]) => `The service writes ${quotedList(words)} for a state`,
    bannerWhy: 'Barograph does not know what that means: it counts as High Risk until you say it.',
    act: 'Say what it means',
    heading: (name: string) => `What the states of ${name} mean`,
    why: 'Each word counts as High Risk until it has a meaning. What is recorded under it is read again.',
    undecided: 'Not known: counts as High Risk',
    meaning: (word: string) => `“${word}” means`,
    missing: 'Say what at least one of them means.',
    command: (command: string) => `The same from a command line: ${command}`,
    submit: 'Save',
    cancel: 'Later',
  },
  priceFolder: {
    problems: (count: number) => `Lines to check in your folders: ${count}.`,
    added: (symbols: readonly string[]) => `New in the price folder, no signals before a restart: ${firstOf(symbols)}.`,
    unwatched: (symbols: readonly string[]) => `Not watched, list full: ${firstOf(symbols)}. Add to another list.`,
    restart: 'Restart it',
    showAll: 'Show all',
  },
  remove: {
    heading: (name: string) => `Remove ${name}`,
    text: 'Barograph stops watching it, and deletes its key and its own watchlist. Its ledger and archive stay in the data folder, unless you delete them here.',
    files: 'Delete its ledger and archive too. This cannot be undone.',
    act: (name: string) => `Remove ${name}`,
    cancel: 'Keep it',
  },
} as const;
