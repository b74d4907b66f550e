// Renderer, pure: watchlists as files: CSV with a row per symbol, or the TXT of charting programs.
// TXT has one symbol per line, and ###Name for a section.
import Papa from 'papaparse';
import type { Holdings } from '../../../shared/domain/holdings.ts';
import { isSymbol, symbolIn } from '../../../shared/domain/instruments.ts';
import type { Watchlist } from '../../../shared/domain/watchlists.ts';
import { fieldsOf, filledFields } from './holdings-file.ts';
import { namesPositions, positionsIn, readSheet, type SheetPositions } from './position-sheet.ts';

export type ListFormat = 'csv' | 'txt';
type Section = Watchlist['sections'][number];

export interface ReadFile {
  readonly sections: Section[];
  readonly symbols: number;
  /** Cells that are no symbols, as written. */
  readonly unread: readonly string[];
  /** Number of symbols that were left out because their section was full. */
  readonly beyond: number;
}

/** Limits of a stored list: symbols of a section, and sections. */
export const MAX_SYMBOLS = 2000;
const MAX_SECTIONS = 100;
const NAME_LENGTH = 80;

/** A cell that a spreadsheet could take for a formula is marked as text. */
export function writeList(list: Watchlist, format: ListFormat): string {
  if (format === 'txt')
    return `${list.sections.map(({ name, symbols }) => [`###${name.replaceAll(/[,\r\n]+/g, ' ')}`, ...symbols].join('\n')).join('\n')}\n`;
  const { holdings } = list;
  const held = new Map(holdings?.rows.map((row) => [row.symbol, fieldsOf(row, holdings.unit)]));
  const rows = list.sections.flatMap(({ name, symbols }) =>
    symbols.map((symbol) => ({ section: name, symbol, ...held.get(symbol) })),
  );
  const fields = ['section', 'symbol', ...(holdings === undefined ? [] : filledFields(holdings))];
  return `${Papa.unparse({ fields, data: rows }, { escapeFormulae: true, newline: '\n' })}\n`;
}

/**
 * Reads either form, whatever the file name. Duplicate symbols count once. @param unnamed name of symbols
 * without a section
 */
export function readList(text: string, unnamed: string): ReadFile {
  const seen = new Set<string>();
  const beyond = new Set<string>();
  const unread: string[] = [];
  const sections: Section[] = [];
  const into = (name: string): Section => {
    const short = name.trim().slice(0, NAME_LENGTH) || unnamed;
    const known = sections.find((section) => section.name === short);
    if (known !== undefined || sections.length === MAX_SECTIONS) return known ?? (sections.at(-1) as Section);
    const made = { name: short, symbols: [] };
    sections.push(made);
    return made;
  };
  const take = (cell: string, section: () => Section): void => {
    const symbol = symbolIn(cell);
    if (symbol === '' || seen.has(symbol)) return;
    if (!isSymbol(symbol)) unread.push(cell.trim());
    else {
      const { symbols } = section();
      if (symbols.length === MAX_SYMBOLS) {
        beyond.add(symbol);
        return;
      }
      seen.add(symbol);
      beyond.delete(symbol);
      symbols.push(symbol);
    }
  };
  const body = text.replace(/^\uFEFF/, '');
  const table = readTable(body);
  if (table === null) readTokens(body, into, take);
  else for (const { section, symbol } of table) take(symbol, () => into(section));
  return { sections, symbols: seen.size, unread, beyond: beyond.size };
}

/** The positions of a CSV, with their unit; null: its header has no column of weights or quantities. */
export function holdingsIn(text: string): (SheetPositions & { readonly unit: Holdings['unit'] }) | null {
  const sheet = readSheet(text);
  if (sheet?.columns == null || !namesPositions(sheet)) return null;
  return { ...positionsIn(sheet, sheet.columns), unit: sheet.columns.unit };
}

/** Decodes by the byte order mark, as UTF-8, or else as spreadsheets under Windows save it. */
export function decodeList(bytes: Uint8Array): string {
  const encodingFromBom =
    bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : null;
  if (encodingFromBom !== null) return new TextDecoder(encodingFromBom).decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** Rows of a CSV whose header has a column of symbols; null if it has none. */
function readTable(text: string): { section: string; symbol: string }[] | null {
  const { data, meta } = Papa.parse<Record<string, string>>(text, {
    header: true,
    skipEmptyLines: 'greedy',
    transformHeader: (name) => name.trim().toLowerCase(),
  });
  const column = (...names: string[]): string | undefined => names.find((name) => meta.fields?.includes(name));
  const symbol = column('symbol', 'ticker', 'instrument');
  const section = column('section', 'group', 'list', 'sector');
  if (symbol === undefined) return null;
  return data.map((row) => ({ section: section === undefined ? '' : (row[section] ?? ''), symbol: row[symbol] ?? '' }));
}

function readTokens(
  text: string,
  into: (name: string) => Section,
  take: (cell: string, section: () => Section) => void,
): void {
  let name = '';
  for (const word of text.split(/[,;\t\r\n]+/)) {
    const heading = /^\s*###(.*)$/.exec(word);
    if (heading === null) take(word.trim(), () => into(name));
    else {
      name = heading[1] ?? '';
      into(name);
    }
  }
}
