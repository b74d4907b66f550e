// Pure: the English texts of the watchlists and their edits.
import type { Contributor, HoldingsRisk } from '../../domain/holdings.ts';
import { type State, stateLabel } from '../../domain/states.ts';
import { profileOfList } from '../../domain/watchlists.ts';
import { count, percent } from '../format.ts';
import { plural } from './plural.ts';

/** The name of a list that this profile does not have: another profile's list, or a deleted one. */
export function missingList(id: string): string {
  const profile = profileOfList(id);
  return profile === null ? `${id} (deleted)` : `the list of ${profile}`;
}

const columns = {
  toBreach: 'Distance to the breach level',
  chance: 'Chance of a fall',
  risk: 'My risk',
  price: 'Last price',
  change: 'Change',
};

const some = (symbols: readonly string[]): string =>
  symbols.length <= 4 ? symbols.join(', ') : `${symbols.slice(0, 3).join(', ')} and ${symbols.length - 3} more`;

const leftOut = (why: string, cells: readonly string[]): string =>
  cells.length === 0 ? '' : ` Left out, ${why}: ${cells.slice(0, 3).join(', ')}${cells.length > 3 ? ' …' : ''}`;

/** Texts of holdings and their risk. Never advice: they state the signals, by weight. */
const holdings = {
  menu: 'My book\u2026',
  heading: (list: string) => `My book: ${list}`,
  intro:
    'Alerts then say what is at stake. Type, paste lines, or import the file of a broker. Symbols are added to the list; positions never leave this computer.',
  unit: 'Amounts are',
  units: { weight: 'Weights', quantity: 'Quantities' },
  table: 'My positions',
  symbol: 'Symbol',
  amount: { weight: 'Weight', quantity: 'Quantity' },
  cellOf: (name: string, row: number) => `${name}, row ${row}`,
  cost: 'Cost of one',
  currency: 'Currency',
  removeRow: (name: string) => `Remove ${name}`,
  removeNumber: (row: number) => `row ${row}`,
  remove: 'Remove',
  add: 'Add a position',
  heldTwice: (symbol: string) => `${symbol} has a row above: change its amount.`,
  costWrong: 'A cost of one like 98.50, or nothing.',
  invalid: (fields: number) => `${fields} ${plural(fields, 'field needs', 'fields need')} a change.`,
  total: (rows: number, sum: string | null) =>
    `${count(rows)} ${plural(rows, 'position', 'positions')}${sum === null || rows === 0 ? '' : `, weights add up to ${sum}`}.`,
  importFile: 'Import CSV',
  exportFile: 'Export CSV',
  cancel: 'Cancel',
  save: 'Save book',
  saved: (list: string, rows: number) => `My book in ${list} saved: ${rows}`,
  tooLarge: (file: string) => `${file} is larger than 1 MB, the limit of a file of positions.`,
  beyond: (beyond: number, most: number) =>
    `Left out: the last ${count(beyond)}; a list has at most ${count(most)} positions.`,
  replaced: (rows: number) =>
    `The file replaces ${count(rows)} ${plural(rows, 'position', 'positions')}, once the book is saved.`,
  imported: (rows: number, unread: readonly string[], costs: readonly string[]) =>
    `${rows === 0 ? 'Without positions' : `With ${count(rows)} ${plural(rows, 'position', 'positions')}`}.${leftOut('no positions', unread)}${leftOut('costs that are no numbers', costs)}`,
  removed: (list: string) => `My book in ${list} removed`,
  label: 'Risk of my book',
  offline: 'The risk of my book is not known while no data is received.',
  nothing: 'No position can be weighed: no price is known.',
  share: (share: number, state: State) => `${percent(share)} ${stateLabel(state)}`,
  expected: ({ expected, base, assessed, fallen }: HoldingsRisk) =>
    [
      expected === null
        ? 'No chance of the warned fall is known.'
        : `Chance of the warned fall by weight: ${percent(expected)}${base === null ? '' : `, base rate ${percent(base)}`}.`,
      expected !== null && assessed < 99.95 ? `Known for ${percent(assessed)} of the weight.` : '',
      fallen > 0 ? `${percent(fallen)} has had this fall already.` : '',
    ]
      .filter((part) => part !== '')
      .join(' '),
  contributors: (all: readonly Contributor[]) =>
    `Most from ${all.map(({ symbol, part }) => `${symbol} ${percent(part)}`).join(', ')}.`,
  uncovered: (share: number, symbols: readonly string[], unweighed: readonly string[]) =>
    [
      symbols.length === 0 ? '' : `Not covered: ${percent(share)} of the weight (${some(symbols)}).`,
      unweighed.length === 0 ? '' : `Without a price, so in no share: ${some(unweighed)}.`,
    ]
      .filter((part) => part !== '')
      .join(' '),
};

export const lists = {
  holdings,
  menu: (name: string) => `Watchlist: ${name}`,
  menuOf: (symbol: string) => `Actions for ${symbol}`,
  menuFor: (section: string) => `Section ${section}`,
  show: 'Show list; profiles share their lists',
  newList: 'New list',
  newListName: 'Name of the new list',
  renameList: 'Rename list',
  listName: 'Name of the list',
  deleteList: (name: string) => `Delete ${name}`,
  newSection: 'New section',
  sectionName: 'Name of the section',
  renameSection: 'Rename',
  sectionUp: 'Move up',
  sectionDown: 'Move down',
  removeSection: 'Remove heading',
  firstSection: 'Symbols',
  columns: 'Columns',
  columnNames: columns,
  ownOrder: 'Back to my order',
  importFile: 'Import CSV or TXT',
  exportCsv: 'Export as CSV',
  exportTxt: 'Export as TXT',
  undo: 'Undo',
  add: 'Add',
  addTo: (section: string) => `Add symbols to ${section}`,
  addHint: 'Symbol or name: AAPL, Tesla',
  suggestions: 'Matching instruments',
  listed: 'in this list',
  notCovered: 'This service has no signal for it. Add it anyway.',
  uncovered: (symbols: readonly string[]) =>
    `This service has no signal for ${symbols.slice(0, 5).join(', ')}${symbols.length > 5 ? ' …' : ''}.`,
  symbolUp: (symbol: string) => `Move ${symbol} up`,
  symbolDown: (symbol: string) => `Move ${symbol} down`,
  symbolTo: (symbol: string) => `Move ${symbol} to`,
  removeSymbol: (symbol: string) => `Remove ${symbol}`,
  save: 'Save',
  cancel: 'Cancel',
  sortBy: (column: string) => `Sort by ${column}`,
  sortNames: { symbol: 'Symbol', state: 'State', ...columns },
  /** Which symbols of the list are shown; with their number. */
  views: {
    label: 'View',
    all: (number: number) => `All ${count(number)}`,
    near: (percent: number, number: number) => `Within ${percent}\u00a0% ${count(number)}`,
    mine: (number: number) => `Mine ${count(number)}`,
    of: (name: string, number: number) => `${name} ${count(number)}`,
    regimeAlone: 'Regime alone',
    more: 'More',
    kinds: { state: 'State', class: 'Class', regime: 'Regime' },
    none: 'No symbol of this list is in this view.',
  },

  // The last edit: announced, and shown with Undo.
  added: (symbols: readonly string[], section: string) =>
    symbols.length === 1 ? `${symbols[0]} added to ${section}.` : `${symbols.length} symbols added to ${section}.`,
  alreadyListed: (symbols: readonly string[]) =>
    `${symbols.join(', ')} ${plural(symbols.length, 'is', 'are')} in this list already.`,
  noSymbol: (tokens: readonly string[]) =>
    `${tokens.slice(0, 5).join(', ')} ${plural(tokens.length, 'is not a symbol', 'are not symbols')}: use 1 to 15 letters, digits or . ^ = -`,
  nameMissing: 'Enter a name.',
  removed: (symbol: string) => `${symbol} removed.`,
  moved: (symbol: string, section: string, position: number, of: number) =>
    `${symbol} moved: ${section}, ${position} of ${of}.`,
  ownOrderOnly: 'The rows are sorted or filtered. Go back to all rows in your own order to move them.',
  sectionAdded: (name: string) => `Section ${name} added.`,
  sectionRenamed: (name: string) => `Section renamed to ${name}.`,
  sectionRemoved: (name: string) => `Heading ${name} removed; its symbols stay.`,
  sectionMoved: (name: string) => `Section ${name} moved.`,
  listAdded: (name: string) => `List ${name} added.`,
  listRenamed: (name: string) => `List renamed to ${name}.`,
  listDeleted: (name: string) => `List ${name} deleted.`,
  imported: (
    name: string,
    symbols: number,
    unread: readonly string[],
    full: { readonly beyond: number; readonly most: number },
  ) =>
    `${count(symbols)} ${plural(symbols, 'symbol', 'symbols')} imported as ${name}.${
      full.beyond === 0
        ? ''
        : ` Left out: ${count(full.beyond)} more; a section holds ${count(full.most)}. Split it with ###Name lines.`
    }${leftOut('not symbols', unread)}`,
  importEmpty: (file: string) =>
    `${file} holds no symbols. A CSV needs a column called symbol; a TXT needs symbols, one a line.`,
  importTooLarge: (file: string) => `${file} is larger than 1 MB, the limit of a watchlist file.`,
  emptyHow: 'This list has no symbols. Add some, or import a file.',
  changedSince: (edit: string) => `Not undone, the list was changed since: ${edit}`,
  notSaved: (why: string) => `Not saved: ${why}`,
  tooMany: (most: number) => `The limit is ${most} lists. Delete one first.`,
  undone: (edit: string) => `Undone: ${edit}`,
} as const;
