// Pure: English, what is due.
import type { DueEvent, ScheduledKind, SessionPart } from '../../domain/scheduled-events.ts';
import type { DueCondition } from '../../settings/alert-rules.ts';
import { datePartsIn, type Zone } from '../format.ts';
import { instantText } from './notification-times.ts';
import { plural } from './plural.ts';

const KINDS: Readonly<Record<ScheduledKind, string>> = {
  earnings: 'Earnings',
  dividend: 'Ex-dividend day',
  split: 'Split',
  central_bank: 'Central bank decision',
  inflation: 'Inflation figures',
  other: 'Event',
};
const PARTS: Readonly<Record<SessionPart, string>> = {
  before_open: ' before the open',
  during: ' during the session',
  after_close: ' after the close',
};
/** Most events that a sentence names. */
const NAMED = 2;

/** "Earnings", "FOMC rate decision": what concerns every market has its title. */
const name = ({ kind, symbol, title }: Pick<DueEvent, 'kind' | 'symbol' | 'title'>): string =>
  (symbol === null || kind === 'other') && title !== '' ? title : KINDS[kind];

/** "Earnings before the open". */
const named = (event: Pick<DueEvent, 'kind' | 'symbol' | 'title' | 'part'>): string =>
  `${name(event)}${event.part === null ? '' : PARTS[event.part]}`;

const dayText = (day: string, days: number): string => {
  if (days < 2) return days === 0 ? 'today' : 'tomorrow';
  const { weekday, day: number, month } = datePartsIn(Date.parse(day), 'utc');
  return `on ${weekday} ${number} ${month}`;
};

/** "tomorrow before the open", "on Wed 9 Dec at 14:00 New York". @param now world ms */
function when({ at, part, day, days }: DueEvent, now: number, zone: Zone): string {
  return at !== null && part === null
    ? instantText(Date.parse(at), now, zone)
    : `${dayText(day, days)}${part === null ? '' : PARTS[part]}`;
}

const one = (event: DueEvent, now: number, zone: Zone): string => `${name(event)} ${when(event, now, zone)}`;

export const due = {
  kinds: KINDS,
  parts: PARTS,
  name,
  named,
  when,
  one,
  heading: 'Due',
  /** "Earnings tomorrow before the open. CPI at 14:30 New York." Empty for none. */
  sentences: (events: readonly DueEvent[], now: number, zone: Zone): string =>
    [
      ...events.slice(0, NAMED).map((event) => `${one(event, now, zone)}.`),
      ...(events.length > NAMED
        ? [`${events.length - NAMED} more ${plural(events.length - NAMED, 'is', 'are')} due.`]
        : []),
    ].join(' '),
  unread: (lists: readonly string[]) => `What is due is not known: ${lists.join(', ')} cannot be read.`,
  none: (sessions: number) =>
    `The lists name nothing that is due within ${sessions} ${plural(sessions, 'session', 'sessions')}.`,
  noLists: 'Not known: this service gives no list. It reads them from a folder (--events).',
  /** @param kinds of which no list covers the sessions */
  nothingElse: (kinds: readonly ScheduledKind[], sessions: number) =>
    kinds.length === 0
      ? `nothing else within ${sessions} sessions`
      : `not known of the next ${sessions} sessions: other ${kinds.map((kind) => KINDS[kind].toLowerCase()).join(', ')}`,
  letters: { earnings: 'E', dividend: 'D', split: 'S', central_bank: 'C', inflation: 'I', other: '!' },
  condition: ({ when: only, kinds, sessions }: DueCondition) =>
    `${only === 'only' ? 'only' : 'not'} with ${kinds.map((kind) => KINDS[kind].toLowerCase()).join(' or ')} due ${
      sessions === 0 ? 'today' : `within ${sessions} ${plural(sessions, 'session', 'sessions')}`
    }`,
  editor: {
    when: 'What is due',
    choices: { any: 'Does not matter', only: 'Only when due', not: 'Not when due' },
    kinds: 'Of these kinds',
    sessions: 'Within sessions',
    note: 'For the symbol or for every market, by the lists of the service. What no list covers counts as met, and the alert says so.',
    noLists:
      'This service gives no list of what is due, so this condition counts as met. It reads them from a folder (--events).',
    badSessions: (most: number) => `Whole sessions from 0 (today) to ${most}.`,
    noKinds: 'Choose at least one kind.',
  },
} as const;
