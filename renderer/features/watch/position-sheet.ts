// Renderer, pure: the positions in a broker's table: which columns they are in, and which rows are none.
import Papa from 'papaparse';
import { MAX_HOLDINGS } from '../../../shared/domain/holdings.ts';
import { hasCommaDecimals } from '../../../shared/lib/written-number.ts';
import { texts } from '../../../shared/text/texts.ts';
import type { SheetColumns } from '../../store/preferences.ts';
import { createPositions, type PositionRow, readRow } from './position-row.ts';

export interface Sheet {
  /** The names of its columns, as written. */
  readonly names: readonly string[];
  /** `row`: its number in the file, from 1. */
  readonly rows: readonly { readonly row: number; readonly cells: readonly string[] }[];
  /** null: no header says which. */
  readonly columns: SheetColumns | null;
  /** The broker; null: none that is known. */
  readonly source: string | null;
  /** Identifies files with the same columns. */
  readonly key: string;
  readonly isSemicolon: boolean;
  /** Columns with the kind of a row, its side, and its level of detail; -1: none. */
  readonly kindAt: number;
  readonly sideAt: number;
  readonly detailAt: number;
}

/** A row that is no position, or one whose cost could not be read. */
export interface LeftRow {
  readonly row: number;
  /** What it says it is. */
  readonly name: string;
  readonly why: string;
}

export interface SheetPositions {
  readonly rows: readonly PositionRow[];
  readonly left: readonly LeftRow[];
  /** Rows that are positions without their cost. */
  readonly notes: readonly LeftRow[];
  /** Number of symbols that were left out because a list holds no more. */
  readonly beyond: number;
}

interface Preset {
  readonly source: string;
  /** A header is its own if it has a name of each. */
  readonly header: readonly (readonly string[])[];
  readonly amount: readonly string[];
  readonly cost: readonly string[];
  readonly isCostTotal: boolean;
  readonly currency: readonly string[];
  readonly everyCurrency: string;
  readonly detail: readonly string[];
}

const NOTHING = { isCostTotal: false, currency: [], everyCurrency: '', detail: [] } as const;
const IB = 'Interactive Brokers';
/** Names of columns in lower case, as the exports of 2021 to 2026 have them. */
const PRESETS: readonly Preset[] = [
  {
    // The section Open Positions of an activity statement.
    ...NOTHING,
    source: IB,
    header: [['datadiscriminator'], ['asset category'], ['quantity'], ['cost price']],
    amount: ['quantity'],
    cost: ['cost price'],
    currency: ['currency'],
    detail: ['datadiscriminator'],
  },
  {
    // A flex query.
    ...NOTHING,
    source: IB,
    header: [['currencyprimary'], ['quantity'], ['costbasisprice', 'markprice', 'positionvalue']],
    amount: ['quantity'],
    cost: ['costbasisprice'],
    currency: ['currencyprimary'],
    detail: ['levelofdetail'],
  },
  {
    ...NOTHING,
    source: 'Schwab',
    header: [
      ['qty (quantity)', 'quantity'],
      ['mkt val (market value)', 'market value'],
      ['security type', 'asset type'],
    ],
    amount: ['qty (quantity)', 'quantity'],
    cost: ['cost basis'],
    isCostTotal: true,
    everyCurrency: 'USD',
  },
  {
    ...NOTHING,
    source: 'Fidelity',
    header: [['quantity'], ['current value'], ['average cost basis', 'cost basis per share', 'cost basis total']],
    amount: ['quantity'],
    cost: ['average cost basis', 'cost basis per share'],
    everyCurrency: 'USD',
  },
];

const SYMBOLS = ['symbol', 'ticker', 'instrument'];
const QUANTITIES = ['quantity', 'qty', 'shares', 'units', 'amount'];
const WEIGHTS = ['weight', 'weight %', 'weight_percent', 'share', 'value', 'market value'];
const COSTS = ['cost', 'cost price', 'average cost', 'avg cost', 'average price', 'unit cost', 'price paid'];
const TOTAL_COSTS = ['cost basis', 'cost basis total', 'total cost', 'book value', 'book cost'];
const CURRENCIES = ['currency', 'ccy'];
/** Never "type" alone: one broker has the kind of account there. */
const KINDS = ['asset class', 'assetclass', 'asset category', 'asset type', 'security type'];
const SIDES = ['side', 'long/short'];
/** Column names that a list without positions uses for other things. */
const AMBIGUOUS = ['share', 'value', 'market value', 'amount'];

const namesIn = (cells: readonly string[]): string[] => cells.map((cell) => cell.trim().toLowerCase());
const find = (names: readonly string[], known: readonly string[]): number =>
  names.findIndex((name) => known.includes(name));
const orNull = (index: number): number | null => (index === -1 ? null : index);
/** Rows in which a header is looked for, if no broker is known. */
const HEAD_ROWS = 30;

const presetOf = (names: readonly string[]): Preset | undefined =>
  PRESETS.find(({ header }) => find(names, SYMBOLS) !== -1 && header.every((known) => find(names, known) !== -1));

/** null: it is no table. */
export function readSheet(content: string): Sheet | null {
  const body = content.replace(/^\uFEFF/, '');
  // Blank lines count as rows, and would mislead the guess.
  const { delimiter } = Papa.parse(body.trim(), { skipEmptyLines: 'greedy', preview: HEAD_ROWS }).meta;
  const { data } = Papa.parse<string[]>(body, { delimiter });
  const all = data.map((cells, index) => ({ row: index + 1, cells: cells.map((cell) => cell.trim()) }));
  const first = all.slice(0, HEAD_ROWS);
  const width = Math.max(0, ...first.map(({ cells }) => cells.length));
  const head =
    all.find(({ cells }) => presetOf(namesIn(cells)) !== undefined) ??
    first.find(({ cells }) => columnsOf(namesIn(cells)) !== null) ??
    first.find(({ cells }) => cells.length === width);
  if (head === undefined || width < 2) return null;
  const names = namesIn(head.cells);
  const broker = presetOf(names);
  // A statement has many tables: each line begins with the name of its own.
  const section = names[1] === 'header' ? head.cells[0] : undefined;
  const rows = all.filter(
    ({ row, cells }) =>
      row > head.row &&
      (section === undefined || (cells[0] === section && cells[1] === 'Data')) &&
      namesIn(cells).join() !== names.join(),
  );
  return {
    names: head.cells,
    rows,
    columns: columnsOf(names, broker),
    source: broker?.source ?? null,
    key: names.join('|'),
    isSemicolon: delimiter === ';',
    kindAt: find(names, KINDS),
    sideAt: find(names, SIDES),
    detailAt: find(names, broker?.detail ?? []),
  };
}

function columnsOf(names: readonly string[], broker?: Preset): SheetColumns | null {
  const symbol = find(names, SYMBOLS);
  const quantity = find(names, broker?.amount ?? QUANTITIES);
  const amount = quantity === -1 ? find(names, WEIGHTS) : quantity;
  if (symbol === -1 || amount === -1) return null;
  const ofOne = find(names, broker?.cost ?? COSTS);
  const cost = ofOne === -1 ? find(names, TOTAL_COSTS) : ofOne;
  return {
    symbol,
    amount,
    unit: quantity === -1 ? 'weight' : 'quantity',
    cost: orNull(cost),
    isCostTotal: cost !== -1 && (ofOne === -1 || broker?.isCostTotal === true),
    currency: orNull(find(names, broker?.currency ?? CURRENCIES)),
    everyCurrency: broker?.everyCurrency ?? '',
  };
}

/** Reports whether a header names symbols and their weights or quantities, and nothing else by these names. */
export const namesPositions = ({ source, names, columns }: Sheet): boolean =>
  source !== null || (columns !== null && !AMBIGUOUS.includes(namesIn(names)[columns.amount] ?? ''));

/** Every row that is no position is in `left`, except lines of text. */
export function positionsIn(sheet: Sheet, columns: SheetColumns): SheetPositions {
  const { names, rows, source, kindAt, sideAt, detailAt } = sheet;
  const cell = (cells: readonly string[], at: number | null): string => cells[at ?? -1] ?? '';
  const isCommaDecimal = hasCommaDecimals(
    rows.flatMap(({ cells }) => [cell(cells, columns.amount), cell(cells, columns.cost)]),
    sheet.isSemicolon,
  );
  const hasSummaries = rows.some(({ cells }) => /^summary$/i.test(cell(cells, detailAt)));
  const positions = createPositions();
  const left: LeftRow[] = [];
  const notes: LeftRow[] = [];
  const read: { row: number; name: string; position: PositionRow; unreadCost: string | null }[] = [];
  for (const { row, cells } of rows) {
    const written = {
      symbol: cell(cells, columns.symbol),
      amount: cell(cells, columns.amount),
      cost: cell(cells, columns.cost),
      currency: cell(cells, columns.currency) || columns.everyCurrency,
    };
    const filled = cells.filter((one) => one !== '');
    if (filled.length < 2 && written.amount === '' && !/total$/i.test(filled[0] ?? '')) continue;
    const name = [...new Set([written.symbol || filled[0], written.amount])].join(' ').trim().slice(0, 40);
    if (hasSummaries && /^lot$/i.test(cell(cells, detailAt))) {
      left.push({ row, name, why: texts.book.left.lot });
      continue;
    }
    const kind = cell(cells, kindAt);
    const one = readRow(written, {
      // In the table of a user a fund of bonds or gold has their class.
      kind: source === null && /bond|fixed income|treasur|commodit/i.test(kind) ? '' : kind,
      isShort: /^(s|short|sell|sold)$/i.test(cell(cells, sideAt)),
      isCommaDecimal,
      isCostTotal: columns.isCostTotal,
    });
    if (one.ok) read.push({ row, name, ...one.value });
    else left.push({ row, name, why: one.error.why });
  }
  // Sums of money are weights of one book only in one currency; percentages are in any.
  const isMoney = columns.unit === 'weight' && !/weight|share|percent|%/i.test(names[columns.amount] ?? '');
  const [most] = [...Map.groupBy(read, ({ position }) => position.currency).values()].toSorted(
    (a, b) => b.length - a.length,
  );
  const main = most?.[0]?.position.currency;
  for (const { row, name, position, unreadCost } of read) {
    const fault =
      isMoney && position.currency !== main
        ? { why: texts.book.left.mixed(position.currency ?? null, main ?? null) }
        : positions.add(position);
    if (fault !== null) left.push({ row, name, why: fault.why });
    else if (unreadCost !== null) notes.push({ row, name, why: texts.book.left.cost(unreadCost) });
  }
  const found = positions.all();
  return {
    rows: found.slice(0, MAX_HOLDINGS),
    left: left.toSorted((a, b) => a.row - b.row),
    notes,
    beyond: Math.max(0, found.length - MAX_HOLDINGS),
  };
}
