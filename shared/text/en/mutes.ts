// Pure: the English texts of mutes, silences and quiet hours.

import type { AssetClass } from '../../domain/instruments.ts';
import { type Matcher, type MatcherName, type Matchers, type Operator, sectionKey } from '../../domain/matchers.ts';
import { stateLabel } from '../../domain/states.ts';
import type { Watchlist } from '../../domain/watchlists.ts';
import { missingList } from './lists.ts';
import { plural } from './plural.ts';

const silenceTitle = (symbols: readonly string[]): string =>
  `Silence ${symbols.length <= 3 ? symbols.join(', ') : `${symbols.length} symbols`}`;
export const CLASSES: Readonly<Record<AssetClass, string>> = {
  equity: 'Shares',
  etf: 'ETFs',
  index: 'Indices',
  crypto: 'Crypto',
  fx: 'Currencies',
};
export const classNames = (classes: readonly AssetClass[]): string => classes.map((one) => CLASSES[one]).join(', ');

export const shortened = (symbols: readonly string[]): string =>
  symbols.length <= 4 ? symbols.join(', ') : `${symbols.slice(0, 3).join(', ')} and ${symbols.length - 3} more`;

/** Names of sections by key; with the name of their list, if there are several lists. */
function sectionName(key: string, lists: readonly Watchlist[]): string {
  for (const list of lists)
    for (const { name } of list.sections)
      if (sectionKey(list.id, name) === key) return lists.length > 1 ? `${list.name}: ${name}` : name;
  return `${key} (deleted)`;
}

function matcherValues(matcher: Matcher, lists: readonly Watchlist[]): string {
  switch (matcher.name) {
    case 'symbol':
      return shortened(matcher.values);
    case 'list':
      return matcher.values.map((id) => lists.find((list) => list.id === id)?.name ?? missingList(id)).join(', ');
    case 'section':
      return matcher.values.map((key) => sectionName(key, lists)).join(', ');
    case 'class':
      return classNames(matcher.values);
    case 'state':
      return matcher.values.map(stateLabel).join(', ');
  }
}

const MATCHER_NAMES: Readonly<Record<MatcherName, string>> = {
  symbol: 'Symbol',
  list: 'List',
  section: 'Section',
  class: 'Class',
  state: 'State',
};
const OPERATORS: Readonly<Record<Operator, string>> = { is: 'is', is_not: 'is not' };

/** The scope of a silence: "SPY, QQQ", "Core, not XLF, Elevated". */
const matchersText = (matchers: Matchers, lists: readonly Watchlist[], every: string): string =>
  matchers.length === 0
    ? every
    : matchers
        .map((matcher) => `${matcher.operator === 'is_not' ? 'not ' : ''}${matcherValues(matcher, lists)}`)
        .join(' · ');

export const silences = {
  every: 'Every symbol',
  ends: { hour: 'for 1 hour', close: 'until the close', next_open: 'until the next open' },
  until: (at: string) => `until ${at}`,
  /** Text beside the name of an end. The name says "until", except for an hour. */
  endsAt: {
    hour: (at: string) => `until ${at}`,
    close: (at: string) => at,
    next_open: (at: string) => at,
  },
  untilState: { change: 'until its next change', recovery: 'until it is Normal' },
  /** @param from when it begins; null: now */
  done: (what: string, at: string, from: string | null) =>
    `${what} silenced ${from === null ? '' : `from ${from} `}until ${at}.`,
  ended: (what: string) => `${what} ${what.includes(',') ? 'are' : 'is'} no longer muted.`,
  muted: (kind: string, end: string) => `${kind}, ${end}`,
  matchers: matchersText,
  sectionName,
  edited: (what: string) => `The silence of ${what} was changed.`,
  extended: (what: string, at: string) => `${what} silenced until ${at}.`,
  menu: 'Silence',
  open: 'Silence\u2026',
  title: silenceTitle,
  editTitle: 'Edit the silence',
  cancel: 'Cancel',
  dialog: (symbols: readonly string[]) => `${silenceTitle(symbols)}\u2026`,
  dialogNote: 'later changes too',
  end: 'End the mute',
  presets: 'Silence now',
  covers: (of: { watched: number; other: number; high: number; waiting: number }) =>
    [
      `Covers ${of.watched} watched ${plural(of.watched, 'symbol', 'symbols')}`,
      of.other === 0 ? '' : `${of.other} not watched`,
      of.high === 0 ? 'none High Risk now' : `${of.high} High Risk now`,
      of.waiting === 0 ? '' : `${of.waiting} ${plural(of.waiting, 'alert needs', 'alerts need')} attention`,
    ]
      .filter((part) => part !== '')
      .join(', ')
      .concat('.'),
  coversEveryEvent: 'Events without a symbol too.',
  preview: 'Alerts that it covers now',
  previewMore: (count: number) => `and ${count} more`,
  previewSince: (state: string, at: string) => `${state} since ${at}`,
} as const;

export const mutes = {
  heading: 'What is muted now',
  list: 'Snoozes and silences',
  make: 'Silence and quiet hours',
  none: 'Nothing is muted. You are notified of everything your rules match.',
  columns: {
    what: 'What',
    symbols: 'Covers',
    made: 'Created',
    ends: 'Ends',
    suppressed: 'Suppressed',
    comment: 'Comment',
    end: 'End',
  },
  kinds: { snooze: 'Snooze', silence: 'Silence' },
  every: 'every symbol',
  ago: (span: string) => `${span} ago`,
  in: (at: string, span: string) => `${at}, in ${span}`,
  starts: (at: string) => `begins ${at}`,
  change: 'with its next change',
  recovery: 'when it is Normal',
  holds: (count: number, names: readonly string[]) =>
    count === 0
      ? 'none'
      : `${count}${names.length === 0 ? '' : `: ${names.slice(0, 6).join(', ')}${names.length > 6 ? ', …' : ''}`}`,
  edit: 'Edit',
  editOf: (what: string) => `Edit the silence: ${what}`,
  extend: 'Extend',
  extendOf: (what: string) => `Extend the silence: ${what}`,
  extensions: { hour: 'by 1 hour', close: 'until the close', next_open: 'until the next open' },
  change_save: 'Save silence',
  coversNow: (symbols: number, high: number) =>
    `${symbols} ${plural(symbols, 'symbol', 'symbols')}${high === 0 ? '' : `, ${high} High Risk`}`,
  matchers: 'Conditions: all must hold',
  matcherName: 'Label',
  matcherNames: MATCHER_NAMES,
  operator: 'Comparison',
  operators: OPERATORS,
  values: (name: MatcherName) => MATCHER_NAMES[name],
  addMatcher: 'Add a condition',
  removeMatcher: (name: MatcherName) => `Remove the condition ${MATCHER_NAMES[name]}`,
  noMatchers: 'No condition: every alert is covered.',
  end: 'End now',
  endOf: (what: string) => `End now: ${what}`,
  endNote: 'When a mute ends, you are notified at once of what is still active.',
  suppressedCount: (count: number) =>
    `${count} ${plural(count, 'alert waits', 'alerts wait')} for a mute or quiet hours to end.`,
  add: 'Add a silence',
  symbols: 'Symbols, with spaces between (empty: every symbol)',
  from: (zone: string) => `From (${zone}; empty: now)`,
  until: (zone: string) => `Until (${zone})`,
  comment: 'Comment (reason)',
  save: 'Silence',
  saved: 'Silenced.',
  quiet: 'Quiet hours',
  quietIntro:
    'You are not notified in quiet hours. Matches are listed as suppressed; you are notified at the end if they are still active.',
  quietOn: 'Quiet hours are active now',
  quietOff: 'Quiet hours are not active now',
  quietKinds: { none: 'None', inside: 'Quiet in these hours', outside: 'Quiet outside of these hours' },
  quietSave: 'Save quiet hours',
  quietSaved: 'Saved.',
} as const;
