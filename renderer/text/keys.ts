// Renderer: the English texts of the sheet of keys and symbols; part of en.ts.
export const keys = {
  button: 'Keys and marks',
  heading: 'Keys and marks',
  close: 'Close',
  singleKeys: 'Single keys are commands',
  singleKeysWhy:
    'Turn this off when you speak to your computer, or when single keys get in the way. Keys with Ctrl or Alt stay.',
  groups: [
    {
      name: 'Watchlist',
      keys: [
        { keys: ['J', 'K'], does: 'next, previous symbol, from anywhere' },
        { keys: ['↑', '↓', 'Page', 'Home', 'End'], does: 'move in the list' },
        { keys: ['Enter'], does: 'to the chart of the symbol' },
        { keys: ['Alt ↑', 'Alt ↓'], does: 'move the symbol up, down' },
        { keys: ['Del'], does: 'remove the symbol' },
        { keys: ['Ctrl Z'], does: 'undo the last change of the lists' },
      ],
    },
    {
      name: 'Charts',
      keys: [
        { keys: ['←', '→'], does: 'step by step, each step spoken' },
        { keys: ['Shift ←', 'Shift →'], does: 'by transition; by month in the factors' },
        { keys: ['Home', 'End'], does: 'first, last' },
        { keys: ['+', '-', '0'], does: 'zoom in, out, the whole range' },
        { keys: ['Wheel'], does: 'zoom; with Ctrl where the wheel scrolls the page' },
        { keys: ['Page'], does: 'a week, on the handles of the brush' },
      ],
    },
    {
      name: 'Alerts',
      keys: [
        { keys: ['J', 'K'], does: 'next, previous line' },
        { keys: ['Space'], does: 'choose the line; with Shift all up to it' },
        { keys: ['A', 'Shift A'], does: 'acknowledge; all that are shown' },
        { keys: ['S'], does: 'snooze, then:' },
        { keys: ['1', '2', 'O', 'C', 'N', 'T'], does: '15 min, 1 h, next open, change, Normal, a time' },
        { keys: ['W', 'Enter'], does: 'why, and why not' },
        { keys: ['↑', '↓', 'Home', 'End'], does: 'move in the inbox beside the chart' },
        { keys: ['/'], does: 'filter' },
      ],
    },
    {
      name: 'Briefings and news',
      keys: [
        { keys: ['J', 'K'], does: 'next, previous' },
        { keys: ['Enter'], does: 'to the text' },
        { keys: ['Space', 'Shift Space'], does: 'next page, then next unread; page back' },
        { keys: ['N'], does: 'next unread' },
        { keys: ['M'], does: 'mark read, unread' },
        { keys: ['F', 'L'], does: 'star; read later' },
        { keys: ['/'], does: 'search' },
        { keys: ['Ctrl F'], does: 'find in the text' },
      ],
    },
    {
      name: 'Webhooks and Connection',
      keys: [
        { keys: ['J', 'K', '↑', '↓'], does: 'next, previous row' },
        { keys: ['R'], does: 'send the delivery again' },
        { keys: ['D'], does: 'fire drill' },
      ],
    },
    {
      name: 'Everywhere',
      keys: [
        { keys: ['Ctrl K'], does: 'find anything: symbols, alerts, briefings, news, actions' },
        { keys: ['1', '…'], does: 'pages' },
        { keys: ['I'], does: 'alert inbox, where it is folded' },
        { keys: ['G S', 'G P', 'G U'], does: 'times of the exchange, of this place, of UTC' },
        { keys: ['?'], does: 'this sheet' },
        { keys: ['Esc'], does: 'close what is open' },
      ],
    },
  ],
  legend: 'Marks',
  normal: 'Normal: hollow circle, low outline',
  elevated: 'Elevated: half-filled triangle, hatched',
  high: 'High Risk: filled octagon, the only solid block',
  unknown: 'Unknown: struck dashed square',
  none: 'No signal: a dash',
  gap: 'Gap: hatched, nothing was seen; its cause stands on it',
} as const;
