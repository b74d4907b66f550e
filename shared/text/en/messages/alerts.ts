// Pure: the English of messages about alerts, their actions and pages.

export const alertsMessages = {
  'alert.unknown': ({ ids }: { ids: string }) => `There is no alert ${ids} in this ledger.`,
  'alert.no_event': ({ id }: { id: number }) => `There is no event ${id} in this ledger.`,
  'alert.no_alert': ({ name }: { name: string }) => `The event ${name} is no alert.`,
  'alert.not_named': ({ name, symbol }: { name: string; symbol: string }) =>
    `${name} is no event of this ledger, and no alert of a symbol ${symbol} needs attention. barograph alerts list prints the alerts.`,
  'list.unknown': ({ list, lists }: { list: string; lists: string }) =>
    `There is no watchlist ${list}. Watchlists: ${lists}.`,
  'list.without': ({ list, symbols }: { list: string; symbols: string }) => `The watchlist ${list} has no ${symbols}.`,
  'list.full': ({ list }: { list: string }) =>
    `The watchlist ${list} is full: it has at most 100 sections, and 2,000 symbols in each.`,
  'snooze.none_active': () => 'None of these alerts is still active: there is nothing to snooze.',
  'snooze.past': ({ at, now }: { at: string; now: string }) => `${at} is past: it is ${now} there.`,
  'snooze.too_long': () => 'A snooze lasts 30 days at most. For longer, add a silence.',
  'silence.past': ({ until, now }: { until: string; now: string }) =>
    `The silence would end at ${until}, before it begins. It is ${now} there.`,
  'silence.too_long': () => 'A silence lasts a year at most. For longer, disable the rule.',
  'trace.taken_back': () => 'taken back',
  'trace.until': ({ at }: { at: string }) => `until ${at}`,
  'trace.until_change': () => 'until its next change',
  'trace.until_recovery': () => 'until it recovers',
  'trace.repeated': ({ source, id, proof }: { source: string; id: string; proof: string | null }) =>
    `by ${source}, as ${id}${proof === null ? '' : `, ${proof}`}`,
  'downtime.no_window': () => 'No window was open.',
  'trace.seen': () => 'seen in the summary of an absence',
  'note.gone': () => 'This note was removed.',
  'mute.ended': () => 'This snooze or silence has ended already.',
};
