// Pure: the English texts of the key sheet.

/** Descriptions of the lines of SHORTCUTS. */
const groups = {
  watchlist: {
    name: 'Watchlist',
    lines: {
      step: 'next, previous symbol, from anywhere',
      move: 'move in the list',
      open: 'go to the chart of the symbol',
      moveSymbol: 'move the symbol up, down',
      remove: 'remove the symbol',
      undo: 'undo the last watchlist change',
    },
  },
  charts: {
    name: 'Charts',
    lines: {
      step: 'step by step, each step spoken',
      far: 'by transition; by month in the factors',
      ends: 'first, last',
      zoom: 'zoom in, out, to the whole range',
      note: 'write a note at the pointed day',
      wheel: 'zoom; with Ctrl where the wheel scrolls the page',
    },
  },
  alerts: {
    name: 'Alerts',
    lines: {
      step: 'next, previous line',
      choose: 'select the line; with Shift, all lines up to it',
      acknowledge: 'acknowledge; acknowledge all shown that need you',
      snooze: 'snooze, then:',
      snoozeFor: '15 min, 1 h, next open, change, Normal, a time',
      why: 'show why it notified or not',
      copy: 'copy a picture of the symbol',
      inbox: 'move in the inbox beside the chart',
      filter: 'filter',
    },
  },
  reading: {
    name: 'Briefings and news',
    lines: {
      step: 'next, previous',
      open: 'go to the text',
      page: 'next page, then next unread; page back',
      nextUnread: 'next unread',
      unread: 'mark read, unread',
      flags: 'star; read later',
      search: 'search',
      find: 'find in the text',
    },
  },
  service: {
    name: 'Settings: Connection, Webhooks',
    lines: { step: 'next, previous row', replay: 'send the delivery again', selfTest: 'self-test' },
  },
  everywhere: {
    name: 'Everywhere',
    lines: {
      find: 'find anything: symbols, alerts, briefings, news, actions',
      page: 'pages',
      inbox: 'alert inbox, when it is collapsed',
      zone: 'times: exchange, local, UTC',
      sheet: 'this sheet',
      close: 'close the open dialog or panel; back to now',
    },
  },
};

export const keys = {
  singleKeys: 'Single keys are commands',
  singleKeysWhy:
    'Turn this off if you use speech input, or press single keys by accident. Shortcuts with Ctrl or Alt keep working.',
  groups,
  legend: 'Legend',
  normal: 'Normal: hollow circle, low outline',
  elevated: 'Elevated: half-filled triangle, hatched',
  high: 'High Risk: filled octagon, the only solid block',
  unknown: 'Unknown: dashed square, crossed out',
  none: 'No signal: a dash',
  gap: 'Gap: hatched, no data; labelled with its cause',
  reading: 'How to read it',
  /** Terms on the page Watch, with their meanings. */
  terms: [
    ['Chance of a fall', 'that the price falls at least so far within 21 sessions'],
    ['1.6 × usual', 'how many times as likely as after any session'],
    ['5 of 47 right', 'under More: how many such calls were right, in a time that the model was not fitted to'],
    ['Regime', 'the ribbon above the prices: calm or volatile, up or down, or Stress'],
    ['Breach', 'the dashed line: the price at which the warned fall has happened'],
    ['Transitions', 'glyphs below the prices, one for each change of state; point at one for its reason'],
    ['Open, Bytes', 'the stream is open, and data arrives'],
    ['Fresh, Verified', 'the signals are current, and the last round trip was verified'],
  ] as readonly (readonly [string, string])[],
} as const;
