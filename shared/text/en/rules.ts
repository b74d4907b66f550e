// Pure: the English texts of alert rules.

import { EXCHANGE_IDS, EXCHANGES, type Exchange } from '../../domain/exchanges/exchanges.ts';
import type { SessionCalendar } from '../../domain/sessions.ts';
import { stateLabel } from '../../domain/states.ts';
import {
  ESCALATION_MINUTES,
  type Hours,
  LONGEST_REPEAT,
  REPEAT_SECONDS,
  type Rule,
  type Sound,
  type SoundName,
} from '../../settings/alert-rules.ts';
import { SIGNAL_EVENTS } from '../../wire/events.ts';
import { count } from '../format.ts';
import { breadthCondition } from './breadth.ts';
import { contradictions, EVENTS } from './contradictions.ts';
import { due } from './due.ts';
import { missingList } from './lists.ts';
import { CLASSES, classNames, shortened } from './mutes.ts';
import { plural } from './plural.ts';
import { conditionText } from './price-alerts.ts';

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const CALENDARS: Readonly<Record<Exclude<SessionCalendar, 'unknown'> | 'own', string>> = {
  ...(Object.fromEntries(EXCHANGE_IDS.map((id) => [id, `${EXCHANGES[id].label} shares`])) as Record<Exchange, string>),
  fx: 'currencies',
  always: 'around the clock',
  own: 'the symbol’s own market',
};

function hours(value: Hours): string {
  switch (value.kind) {
    case 'always':
      return 'at any time';
    case 'session':
      return `while ${CALENDARS[value.calendar]} ${value.calendar === 'own' || value.calendar === 'always' ? 'trades' : 'trade'}`;
    case 'daily':
      return `${value.days.length === 7 ? 'every day' : value.days.map((day) => DAYS[day]).join(' ')} ${value.from} to ${value.to}, ${value.zone}`;
  }
}

/** @param lists names of watchlists by id; null: unknown here */
function scope(value: Rule['scope'], lists: ReadonlyMap<string, string> | null): string {
  switch (value.kind) {
    case 'watched':
      return 'any watched symbol';
    case 'all':
      return 'every symbol';
    case 'lists':
      return lists === null
        ? `${value.ids.length} ${plural(value.ids.length, 'watchlist', 'watchlists')}`
        : value.ids.map((id) => lists.get(id) ?? missingList(id)).join(', ');
    case 'symbols':
      return shortened(value.symbols);
  }
}

function eventsText({ price, breadth, events }: Rule, lists: ReadonlyMap<string, string>): string {
  if (price !== null) return `Price ${conditionText(price)}`;
  if (breadth === null) return events.map((name) => EVENTS[name]).join(', ');
  return breadthCondition(breadth, lists.get(breadth.list) ?? missingList(breadth.list));
}

/** Whether the rule selects an event whose state is below the rule's minimum. */
const isBelow = ({ events, min_state }: Rule): boolean =>
  SIGNAL_EVENTS.some((name, state) => events.includes(name) && state < min_state);

const SOUND_NAMES: Readonly<Record<SoundName, string>> = { chime: 'chime', bell: 'bell', alarm: 'alarm' };
const soundText = ({ name, repeat_seconds }: Sound): string =>
  `sound: ${SOUND_NAMES[name]}${repeat_seconds === null ? '' : ` every ${repeat_seconds} s`}`;

export const rules = {
  contradictions,
  scope,
  classNames,
  hours,
  events: EVENTS,
  days: DAYS,
  calendars: CALENDARS,
  miss: {
    event: (expected: string, was: string) => `covers ${expected}; this is ${was}`,
    symbol: (expected: string) => `is about ${expected}`,
    excepted: 'leaves this symbol out',
    class: (expected: string) => `is about ${expected}`,
    state: (expected: string) => `asks for ${expected}`,
    confidence: (expected: number, was: number | null) =>
      `asks for ${expected} %; this was ${was === null ? 'not stated' : `${was} %`}`,
    regime: (expected: string, was: string | null) => `asks for ${expected}; this was ${was ?? 'not stated'}`,
    due: (expected: string) => `notifies ${expected}`,
    hours: (expected: string) => `notifies ${expected} only`,
    profile: (expected: readonly string[]) => `applies in ${expected.join(', ')} only`,
    disabled: 'is disabled',
    expired: 'had ended',
  },

  loading: 'Loading rules and mutes',
  notWorking: (count: number) => `${count} ${plural(count, 'rule does', 'rules do')} not notify`,
  copyOf: (name: string) => `${name}, copy`.slice(-80),
  heading: 'Alert rules',
  list: 'Rules in their order',
  intro:
    'The first rule that matches names the notification; every rule that matches sends to its channels. Rules are not rate-limited. A rule applies in every profile, unless it names some.',
  add: 'Add rule',
  columns: { order: 'No.', on: 'On', rule: 'Rule', conditions: 'Conditions', where: 'Channels', status: 'Status' },
  conditions: (rule: Rule, lists: ReadonlyMap<string, string>) =>
    [
      eventsText(rule, lists),
      rule.breadth === null ? scope(rule.scope, lists) : '',
      rule.profiles === null ? '' : `only in ${rule.profiles.join(', ')}`,
      rule.except.length === 0 ? '' : `except ${shortened(rule.except)}`,
      rule.classes === null ? '' : classNames(rule.classes),
      isBelow(rule) ? `${stateLabel(rule.min_state)} or more` : '',
      rule.min_confidence === null ? '' : `chance ${rule.min_confidence} % or more`,
      rule.regimes === null ? '' : `in ${rule.regimes.join(', ').replaceAll('_', ' ')}`,
      rule.due === null ? '' : due.condition(rule.due),
      rule.hours.kind === 'always' ? '' : hours(rule.hours),
      rule.hold_up_seconds > 0 ? `a rise held for ${rule.hold_up_seconds} s` : '',
      rule.hold_down_seconds > 0 ? `a fall held for ${rule.hold_down_seconds} s` : '',
      rule.sound === null ? '' : soundText(rule.sound),
    ]
      .filter((part) => part !== '')
      .join(' · '),
  /** @param names of the channels that the rule names, those of its escalation last */
  where: (names: readonly string[]) => ['Desktop', ...names].join(', '),
  works: 'Works',
  disabled: 'Disabled',
  enable: (name: string) => `Enable ${name}`,
  edit: 'Edit',
  editOf: (name: string) => `Edit ${name}`,
  duplicate: 'Duplicate',
  delete: 'Delete',
  more: (name: string) => `More for ${name}`,
  deleteAsk: (name: string) => `Delete the rule ${name}?`,
  deleteWhy:
    'You are no longer notified of what it matches, unless another rule matches it. Past alerts stay in the list.',
  deleteYes: 'Delete rule',
  leaveAsk: (name: string) => `Discard changes to ${name === '' ? 'the new rule' : `the rule ${name}`}?`,
  leaveWhy: 'Your unsaved changes are lost.',
  leaveYes: 'Discard changes',
  none: 'There are no rules. You are not notified.',
  broken: 'It cannot be edited here. Delete it and add it again, or fix it in the settings file.',

  editor: {
    newRule: 'New rule',
    editing: (name: string) => `Rule ${name}`,
    name: 'Name',
    events: 'These events',
    scope: 'Of these symbols',
    scopes: { watched: 'Any watched', lists: 'Watchlists', symbols: 'Symbols', all: 'Every symbol' },
    lists: 'Watchlists',
    listGone: missingList,
    symbols: 'Symbols, with spaces between',
    profiles: 'In these profiles (none chosen: all)',
    profileGone: (name: string) => `${name} (removed)`,
    except: 'Except these symbols',
    exceptHint: 'empty: none',
    classes: 'Of these classes (none chosen: any)',
    classNames: CLASSES,
    uncovered: (symbols: readonly string[]) =>
      `This service has no signal for ${symbols.slice(0, 5).join(', ')}${symbols.length > 5 ? ' …' : ''}.`,
    minState: 'At least',
    confidence: 'Chance, at least',
    confidenceUnit: '% of a fall; for Normal, of none',
    regimes: 'In these regimes (none chosen: any)',
    hours: 'When it happens',
    hourKinds: { always: 'At any time', session: 'While a market trades', daily: 'At times of day' },
    calendar: 'Market',
    days: 'Days',
    from: 'From',
    to: 'Until',
    zone: 'Zone',
    holdUp: 'A rise must hold, s',
    holdDown: 'A fall must hold, s',
    ends: (zone: string) => `Ends (${zone}; empty: never)`,
    channels: 'Besides the desktop',
    channelsNote: 'Every channel that is chosen gets it at once.',
    noChannels: 'Only this desktop: no channel is set up.',
    setUpChannels: 'Set up channels',
    channelGone: (id: string) => `${id} (removed)`,
    escalation: 'While nobody has dealt with it',
    addStep: 'Add a step',
    removeStep: 'Remove',
    removeStepOf: (step: number) => `Remove step ${step}`,
    stepAfter: (step: number) => `Step ${step}, after minutes`,
    stepChannels: (step: number) => `Step ${step} goes to`,
    escalationHours: 'Steps are sent',
    escalationNote:
      'No step is sent once the alert is acknowledged, snoozed or over. One that falls outside these hours waits for them.',
    sound: 'Sound',
    sounds: { none: 'The desktop’s', chime: 'Chime', bell: 'Bell', alarm: 'Alarm' },
    soundRepeat: 'Repeat, s (empty: once)',
    soundTest: 'Play it',
    soundTesting: 'Playing',
    soundNote: `Repeats until you acknowledge, the symbol is Normal or a mute begins, for ${LONGEST_REPEAT / 60_000} minutes at most. Quiet hours and mutes stay silent, and so do the sandbox and a replay.`,
    try: 'Test on the last 30 days',
    trying: 'Testing the rule on the last 30 days of the ledger',
    save: 'Save rule',
    saved: 'Saved.',
    cancel: 'Cancel',
    invalidFields: (count: number) => `${count} ${plural(count, 'field needs', 'fields need')} fixing.`,
  },
  backtest: {
    /** @param days how many of the last 30 days the ledger knows */
    notified: (notified: number, night: number, brief: number, days: number) =>
      `${days >= 30 ? 'Over the last 30 days' : `Over the ${days} ${plural(days, 'day', 'days')} known here`} it would ${
        notified === 0
          ? 'not have notified you'
          : `have notified you ${count(notified)} ${plural(notified, 'time', 'times')}, ${count(night)} at night, ${count(brief)} ${plural(brief, 'was', 'were')} brief`
      }.`,
    rest: (matched: number, tooShort: number, quiet: number) =>
      [
        `${matched === 0 ? 'No' : count(matched)} ${plural(matched, 'event matches', 'events match')}.`,
        tooShort === 0 ? '' : `${count(tooShort)} did not hold long enough.`,
        quiet === 0 ? '' : `${count(quiet)} fell into quiet hours.`,
      ]
        .filter((part) => part !== '')
        .join(' '),
    examined: (events: number, from: string) => `${count(events)} events checked, from ${from} on.`,
    also: (events: number, rule: string) =>
      `${count(events)} of these ${plural(events, 'is', 'are')} also notified by the rule ${rule}.`,
    invalid: 'The test waits until every field is valid.',
    nothing: 'The ledger has no events of the last 30 days.',
    night: 'Night: 22:00 to 7:00 on this computer. Brief: back within 20 minutes.',
    examples: 'The newest of them',
    symbol: 'Symbol',
    event: 'Event',
    at: 'At',
  },

  problems: {
    name: 'Enter a name of 1 to 80 characters.',
    events: 'Choose at least one event.',
    lists: 'Choose at least one watchlist.',
    listGone: 'One of these watchlists was deleted. Choose another.',
    symbols: (wrong: readonly string[]) =>
      wrong.length === 0
        ? 'Enter at least one symbol, like SPY.'
        : `${wrong.slice(0, 3).join(', ')} ${plural(wrong.length, 'is not a symbol', 'are not symbols')}. Write them like SPY or BRK.B.`,
    except: (wrong: readonly string[]) =>
      `${wrong.slice(0, 3).join(', ')} ${plural(wrong.length, 'is not a symbol', 'are not symbols')}. Write them like SPY or BRK.B.`,
    confidence: 'A percentage from 0 to 100, like 25, or nothing.',
    hold: 'Whole seconds from 0 to 3600.',
    days: 'Choose at least one day.',
    time: 'A time of day, like 09:30.',
    zone: 'A zone like Europe/Berlin or America/New_York.',
    ends: 'A date and time, like 2026-03-04 15:30, or nothing.',
    endsPast: 'This time is in the past: the rule would never notify. Choose a later end, or nothing.',
    minutes: `Whole minutes from ${ESCALATION_MINUTES.least} to ${ESCALATION_MINUTES.most}.`,
    order: 'Later than the step before.',
    stepChannels: 'Choose at least one channel.',
    repeat: `Whole seconds from ${REPEAT_SECONDS.least} to ${REPEAT_SECONDS.most}, or nothing.`,
    comment: 'At most 500 characters.',
    matcher: 'Choose at least one, or remove this condition.',
    until: 'A date and time, like 2026-03-04 15:30.',
    untilPast: 'This time is in the past. Choose a later end.',
    untilFirst: 'The end is before the beginning.',
    from: 'A date and time, like 2026-03-04 15:30, or nothing for now.',
  },
} as const;
