// Renderer: the English texts of the key sheet; part of en.ts.
import type { Group, LineOf } from '../ui/shortcuts/shortcuts.ts';

type GroupText = {
  readonly [Of in Group]: { readonly name: string; readonly lines: Readonly<Record<LineOf<Of>, string>> };
};

/** What each line of SHORTCUTS does. */
const groups: GroupText = {
  watchlist: {
    name: 'Watchlist',
    lines: {
      step: 'next, previous symbol, from anywhere',
      move: 'move in the list',
      open: 'to the chart of the symbol',
      moveSymbol: 'move the symbol up, down',
      remove: 'remove the symbol',
      undo: 'undo the last change of the lists',
    },
  },
  charts: {
    name: 'Charts',
    lines: {
      step: 'step by step, each step spoken',
      far: 'by transition; by month in the factors',
      ends: 'first, last',
      zoom: 'zoom in, out, the whole range',
      wheel: 'zoom; with Ctrl where the wheel scrolls the page',
      brush: 'a week, on the handles of the brush',
    },
  },
  alerts: {
    name: 'Alerts',
    lines: {
      step: 'next, previous line',
      choose: 'choose the line; with Shift all up to it',
      acknowledge: 'acknowledge; all that are shown',
      snooze: 'snooze, then:',
      snoozeFor: '15 min, 1 h, next open, change, Normal, a time',
      why: 'why, and why not',
      inbox: 'move in the inbox beside the chart',
      filter: 'filter',
    },
  },
  reading: {
    name: 'Briefings and news',
    lines: {
      step: 'next, previous',
      open: 'to the text',
      page: 'next page, then next unread; page back',
      nextUnread: 'next unread',
      unread: 'mark read, unread',
      flags: 'star; read later',
      search: 'search',
      find: 'find in the text',
    },
  },
  service: {
    name: 'Webhooks and Connection',
    lines: { step: 'next, previous row', replay: 'send the delivery again', selfTest: 'self-test' },
  },
  everywhere: {
    name: 'Everywhere',
    lines: {
      find: 'find anything: symbols, alerts, briefings, news, actions',
      page: 'pages',
      inbox: 'alert inbox, where it is folded',
      zone: 'times of the exchange, of this place, of UTC',
      sheet: 'this sheet',
      close: 'close what is open',
    },
  },
};

export const keys = {
  button: 'Keys and marks',
  heading: 'Keys and marks',
  close: 'Close',
  singleKeys: 'Single keys are commands',
  singleKeysWhy:
    'Turn this off when you speak to your computer, or when single keys get in the way. Keys with Ctrl or Alt stay.',
  groups,
  legend: 'Marks',
  normal: 'Normal: hollow circle, low outline',
  elevated: 'Elevated: half-filled triangle, hatched',
  high: 'High Risk: filled octagon, the only solid block',
  unknown: 'Unknown: struck dashed square',
  none: 'No signal: a dash',
  gap: 'Gap: hatched, no data; labelled with its cause',
} as const;
