// Pure: the English texts of the page Alerts, of alert actions, and of why an alert notified.
import { type State, stateLabel } from '../../domain/states.ts';
import { count } from '../format.ts';
import { plural } from './plural.ts';

const alertsOf = (count: number): string => `${count} ${plural(count, 'alert', 'alerts')}`;

export const alerts = {
  title: 'Alerts',
  section: 'Section',
  sections: { inbox: 'Inbox', prices: 'Prices and others', days: '30 days', muted: 'Muted now', rules: 'Rules' },
  badge: (count: number) => `${count} ${plural(count, 'needs', 'need')} attention`,
  mode: 'Show as',
  modes: { episodes: 'Episodes', transitions: 'Transitions' },
  counted: (shown: number, all: number, mode: 'episodes' | 'transitions') =>
    `${shown === all ? '' : `${count(shown)} of `}${count(all)} ${nameOf(all, mode)}`,
  exportName: 'Export alerts',
  loading: (read: number) =>
    read === 0 ? 'Loading alerts from the ledger' : `Loading alerts from the ledger: ${read} so far`,
  failed: 'The alerts could not be loaded',
  older: (rows: number) => `${count(rows)} loaded. The ledger has older ones.`,
  notOlder: ', older ones not loaded',
  readOlder: 'Load older',
  none: 'No alerts yet. The first transition appears here as soon as it is recorded.',
  noMatch: 'No alerts match',
  hidden: (count: number, by: number, mode: 'episodes' | 'transitions') =>
    `${count} ${nameOf(count, mode)} ${plural(count, 'is', 'are')} hidden by ${by} ${plural(by, 'filter', 'filters')}.`,
  clear: 'Clear filters',

  filters: {
    label: 'Filters',
    states: 'States',
    list: (name: string) => `List: ${name}`,
    listLabel: 'Symbols',
    watched: 'any watched',
    all: 'every symbol',
    regime: (name: string) => `Regime: ${name}`,
    regimeLabel: 'Regime',
    class: (name: string) => `Class: ${name}`,
    classLabel: 'Asset class',
    any: 'any',
    days: (days: number | null) => (days === null ? 'All time' : days === 1 ? '24 hours' : `${days} days`),
    daysLabel: 'How far back',
    suppressed: 'Include suppressed',
    text: 'Filter by symbol or word',
    placeholder: 'Filter',
  },

  groups: {
    open_high: 'Open, High Risk',
    open_elevated: 'Open, Elevated',
    ended: 'Ended',
    needs_you: 'Needs attention',
    suppressed: 'Suppressed, with reason',
    taken_care: 'Handled',
    came_and_went: 'Ended',
    unmatched: 'No rule matched',
  } as Readonly<Record<string, string>>,

  columns: {
    choose: 'Select',
    symbol: 'Symbol',
    peak: 'Peak',
    state: 'State',
    history: 'History',
    started: 'Started',
    at: 'At',
    ended: 'Ended',
    clock: 'Clock',
    market: 'Market time',
    marketLong: 'Time the symbol’s market was open',
    chance: 'Chance',
    chanceLong: 'Chance of a fall in percent, and as a multiple of the usual one',
    right: 'Right',
    rightLong: 'Hold-out record: High Risk calls of this symbol that were right',
    regime: 'Regime',
    outcome: 'Outcome',
  },
  open: 'Open',
  before: (at: string) => `before ${at}`,
  closeOf: (day: string) => `close of ${day}`,
  beforeLog: 'It began before the log of the service: at this close, by its prices.',
  atLeast: (length: string) => `\u2265\u00a0${length}`,
  presently: (state: State) => `now ${stateLabel(state)}`,
  timesUsual: (times: string) => `${times}\u00d7`,
  right: (right: number, calls: number) => `${right} of ${calls}`,
  /** state null: before the first transition that was read */
  historyLabel: (segments: readonly { readonly state: State | null; readonly span: string }[]) =>
    segments
      .map(({ state, span }) => `${state === null ? 'Not listed here for' : stateLabel(state)} ${span}`)
      .join(', then '),
  rowName: (parts: readonly string[]) => parts.filter((part) => part !== '').join(', '),
  choose: (symbol: string, at: string) => `Select ${symbol}, ${at}`,

  outcome: {
    needs_you: 'Needs attention',
    acknowledged: (at: string, by: string | null) => `Acknowledged ${by === null ? '' : `by ${by} `}${at}`,
    snoozed: (left: string) => `Snoozed, ${left}`,
    suppressed: (reason: string) => `Suppressed: ${reason}`,
    came: 'Notified, ended',
    cameUnnotified: 'Ended',
    back: 'Back to Normal',
    unwatched: 'Not on a watchlist',
    before: 'Before Barograph was set up',
    noRule: 'No rule was set up',
  },
  left: (span: string) => `${span} left`,
  untilChange: 'until its next change',
  untilNormal: 'until it is Normal',
  noteLabel: 'has a note',

  misses: {
    disabled: 'The rule is disabled',
    expired: 'The rule had expired',
    other_profile: 'Your rule applies in other profiles',
    other_event: 'No rule covers such events',
    other_symbol: 'No rule covers this symbol',
    excepted: 'Your rule leaves this symbol out',
    other_class: 'No rule covers this class',
    below_state: 'Below your rule’s state',
    below_confidence: 'Below your rule’s least chance',
    other_regime: 'In a regime that your rule excludes',
    not_due: 'Nothing is due that your rule asks for',
    due: 'Your rule leaves out what is due',
    outside_hours: 'Outside your rule’s hours',
  } as Readonly<Record<string, string>>,

  acts: {
    acknowledge: 'Acknowledge',
    ack: 'Ack',
    acknowledgeCount: (count: number) => `Acknowledge ${count}`,
    acknowledgeNeeding: (count: number) =>
      count === 1 ? 'Acknowledge the one that needs you' : `Acknowledge all ${count} that need you`,
    acknowledgeOpen: (count: number) => `Acknowledge all ${count}`,
    snooze: 'Snooze',
    why: 'Why',
    whyFor: (symbol: string) => `Why: ${symbol}`,
    undo: 'Undo',
    done: {
      acknowledged: (names: string) => `Acknowledged ${names}.`,
      snoozed: (names: string, until: string) => `Snoozed ${names}, ${until}.`,
      undone: 'Undone.',
    },
    names: (symbols: readonly string[], count: number) =>
      symbols.length === 1 ? (symbols[0] ?? '') : symbols.length <= 3 ? symbols.join(', ') : alertsOf(count),
    chosen: (count: number) => `${count} selected`,
    chooseNone: 'Clear selection',
    exportChosen: 'Export selected',
    nothing: 'Select a line, or open one to see why.',
    keys: 'J K next, previous · Space select · A acknowledge · S snooze · W why',
    marketNote: 'Market time counts only hours when the symbol’s market was open.',
    sandbox: 'In the sandbox notifications are silent.',
    sandboxPause: (span: string) =>
      `Sandbox notifications are silent. While a production profile is on, at most one in ${span} is shown; the others are listed as suppressed.`,
  },

  snooze: {
    title: (names: string) => `Snooze ${names}`,
    minutes15: '15 minutes',
    hour: '1 hour',
    until: (at: string) => `until ${at}`,
    nextOpen: 'Next open',
    nextOpenAt: (at: string, span: string) => `${at}, in ${span}`,
    change: 'Next state change',
    changeNote: 'in either direction',
    normal: 'Until it is Normal',
    normalNote: 'ends by itself',
    time: 'Until a time\u2026',
    again: 'If it is still High Risk at the end, you are notified again.',
    timeLabel: (zone: string) => `Until (${zone})`,
    timeWrong: 'Enter a date and time, like 2026-03-04 15:30.',
    timePast: 'This time is in the past. Choose a later one.',
    timeFar: 'A snooze lasts at most 30 days. For longer, add a silence.',
    cancel: 'Cancel',
    save: 'Snooze',
  },

  why: {
    label: 'Why',
    delivery: 'Notification',
    heading: (symbol: string, state: State, at: string) => `${symbol} ${stateLabel(state)}, ${at}`,
    briefing: (title: string) => `Briefing: ${title}`,
    notified: (span: string) => `You were notified ${span} after it arrived.`,
    notifiedPlain: 'You were notified.',
    failed: (detail: string) => `The notification could not be shown: ${detail}`,
    waiting: (reason: string) => `You have not been notified yet: ${reason}.`,
    dropped: (reason: string) => `You were not notified: ${reason}.`,
    unmatched: 'You were not notified: no rule matched.',
    beforeBaseline: 'You were not notified: it was in the log before Barograph was set up.',
    path: 'Event history',
    silent: 'Rules that did not match',
    silentNone: 'Every rule matched.',
    ruleGone: 'a deleted rule',
    record: 'Track record',
    /** @param kind which alerts the record belongs to; null: all */
    holdOut: (symbol: string, kind: 'closes' | 'live' | null) =>
      kind === null ? `Hold-out, ${symbol}` : `${symbol}, alerts ${kind === 'live' ? 'within the day' : 'at closes'}`,
    chance: (share: string) => `. By chance ${share} are right, of all symbols`,
    calls: (right: number, calls: number) => `${right} of ${calls} High Risk calls right`,
    events: (caught: number, events: number) => `; ${caught} of ${events} ${plural(events, 'event', 'events')} caught`,
    noCalls: 'no High Risk calls yet',
    noRecord: 'not scored, or not loaded yet',
    fall: 'Chance of a fall',
    /** @param usual share of all sessions that such a fall follows; null: not stated */
    fallOf: (chance: string, isFurther: boolean, usual: string | null, times: string | null) =>
      `${chance}${isFurther ? ' of half its threshold more' : ''}${times === null ? '' : `, ${times} \u00d7 usual`}; ${usual === null ? 'how usual is not stated' : `such a fall follows ${usual} of all sessions`}`,
    below: 'High Risk by',
    noReason: 'the service does not say by which rule',
    model: 'Model',
    note: 'Your note, shown beside the chart too',
    noteSave: 'Save note',
    noteSaved: 'Saved.',
    noteFull: (most: number) => `At most ${most} characters. The rest was cut off.`,
    showSymbol: (symbol: string) => `Show ${symbol} on Watch`,
    loading: 'Loading the event history',
    traceFailed: 'The event history could not be loaded',
    steps: {
      received: 'Received',
      verified: 'Verified',
      repeated: 'Received again, not notified again',
      evaluated: 'Evaluated by your rules',
      waits: 'Waiting',
      escalated: 'Escalated',
      digest: 'Grouped in one notification',
      dropped: 'Not notified',
      dispatched: 'Sent',
      answered: 'Response',
      clicked: 'Opened',
      acknowledged: 'Acknowledged',
      snoozed: 'Snoozed',
      noted: 'Note',
      recovered: 'Left this state',
    },
  },

  downtime: {
    heading: (from: string, until: string, isDown: boolean) =>
      `${isDown ? 'While no data was received' : 'While no window was open'}, ${from} to ${until}`,
    changes: (count: number, symbols: number) =>
      count === 0
        ? 'Nothing changed.'
        : `${count} ${plural(count, 'change', 'changes')} of ${symbols} ${plural(symbols, 'symbol', 'symbols')}.`,
    net: (from: State, to: State) =>
      from === to ? `back in ${stateLabel(to)}` : `${stateLabel(from)} to ${stateLabel(to)}`,
    peak: (state: State) => `rose to ${stateLabel(state)}`,
    times: (count: number) => `${count} ${plural(count, 'change', 'changes')}`,
    seen: 'Seen',
    show: 'Show',
    open: (symbol: string) => `Why: ${symbol}`,
  },

  banner: {
    silent: 'No rule can notify you',
    silentHow: 'High Risk alerts are recorded and listed here, but you are not notified. Enable or fix a rule.',
    broken: (count: number) => `${count} ${plural(count, 'alert rule does', 'alert rules do')} not work.`,
    rules: 'Open rules',
  },
} as const;

const nameOf = (count: number, mode: 'episodes' | 'transitions'): string =>
  mode === 'episodes' ? plural(count, 'episode', 'episodes') : plural(count, 'transition', 'transitions');
