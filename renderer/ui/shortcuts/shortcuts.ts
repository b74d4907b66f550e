// Renderer: every shortcut of the window, declared once, for the registry and the key sheet.

/** Commands of a line with their keys (alternatives), or keys that a list, menu or drawing handles itself. */
type Line = Readonly<Record<string, readonly string[]>> | readonly string[];

/**
 * A key is the value of `KeyboardEvent.key`: `A` is Shift and A. `Ctrl+` is Cmd on a Mac; `Shift+` is written
 * with Ctrl and Space only. `g s` is a sequence of two keys. Groups and lines are in the order of the key
 * sheet.
 */
export const SHORTCUTS = {
  watchlist: {
    step: { next: ['j'], previous: ['k'] },
    move: ['↑', '↓', 'Page', 'Home', 'End'],
    open: ['Enter'],
    moveSymbol: ['Alt ↑', 'Alt ↓'],
    remove: ['Del'],
    undo: { undo: ['Ctrl+z'] },
  },
  charts: {
    step: ['←', '→'],
    far: ['Shift ←', 'Shift →'],
    ends: ['Home', 'End'],
    zoom: { zoomIn: ['+', '='], zoomOut: ['-'], zoomAll: ['0'] },
    note: { note: ['n'] },
    wheel: ['Wheel'],
  },
  alerts: {
    step: { next: ['j'], previous: ['k'] },
    choose: ['Space'],
    acknowledge: { acknowledge: ['a'], acknowledgeAll: ['A'] },
    snooze: { snooze: ['s'] },
    snoozeFor: ['1', '2', 'O', 'C', 'N', 'T'],
    why: { why: ['w'], open: ['Enter'] },
    copy: { copy: ['c'] },
    inbox: ['↑', '↓', 'Home', 'End'],
    filter: { filter: ['/'] },
  },
  reading: {
    step: { next: ['j'], previous: ['k'] },
    open: ['Enter'],
    page: { pageOn: [' '], pageBack: ['Shift+ '] },
    nextUnread: { nextUnread: ['n'] },
    unread: { unread: ['m'] },
    flags: { star: ['f'], later: ['l'] },
    search: { search: ['/'] },
    find: { find: ['Ctrl+f'] },
  },
  service: {
    step: ['J', 'K', '↑', '↓'],
    replay: { replay: ['r', 'R'] },
    selfTest: { selfTest: ['d', 'D'] },
  },
  everywhere: {
    find: { find: ['Ctrl+k'] },
    page: { page: ['1', '2', '3', '4', '5', '6'] },
    inbox: { inbox: ['i'] },
    zone: { zoneMarket: ['g s', 'g S'], zoneLocal: ['g p', 'g P'], zoneUtc: ['g u', 'g U'] },
    sheet: { sheet: ['?'] },
    close: { close: ['Escape'] },
  },
} as const satisfies Record<string, Record<string, Line>>;

export type Group = keyof typeof SHORTCUTS;

/** Names of the lines of a group. */
export type LineOf<Of extends Group> = keyof (typeof SHORTCUTS)[Of] & string;

type Commands<Value> = Value extends readonly string[] ? never : keyof Value & string;
/** Commands of a group that have actions. */
export type CommandOf<Of extends Group> = { [Name in LineOf<Of>]: Commands<(typeof SHORTCUTS)[Of][Name]> }[LineOf<Of>];

/** The keys of every command of a group. */
export function bindingsOf(group: Group): readonly { readonly command: string; readonly keys: readonly string[] }[] {
  return Object.values<Line>(SHORTCUTS[group]).flatMap((line) =>
    isShown(line) ? [] : Object.entries(line).map(([command, keys]) => ({ command, keys })),
  );
}

/** The keys of a line on the key sheet: the first key of each command. */
export function shownKeys(line: Line): readonly string[] {
  if (isShown(line)) return line;
  return Object.values(line).flatMap(([first = '', ...others]) =>
    others.length > 1 ? [label(first), '…'] : [label(first)],
  );
}

const isShown = (line: Line): line is readonly string[] => Array.isArray(line);

const label = (keys: string): string =>
  keys
    .split(/(?<=.) (?=.)/)
    .map((key) => {
      const [, modifier = '', name = key] = /^(Ctrl|Shift)\+(.+)$/s.exec(key) ?? [];
      const named = NAMES[name] ?? (name.length === 1 && name !== name.toLowerCase() ? `Shift ${name}` : undefined);
      return `${modifier} ${named ?? (name.length === 1 ? name.toUpperCase() : name)}`.trim();
    })
    .join(' ');

const NAMES: Readonly<Record<string, string>> = { ' ': 'Space', Escape: 'Esc' };
