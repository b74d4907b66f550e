// Service, price files: one file in whatever form it is: its dialect, its rows, and what it leaves open.
import { DAY_MS } from '../../../shared/lib/time.ts';
import { inOneTurn, type Steps } from '../../steps.ts';
import { bareName, type ColumnRole, isHeader, type Positions, presetOf } from './columns.ts';
import { type DatedLine, type DateFormat, formatsOf, readWritten } from './dates.ts';
import { delimiterOf, type GivenFor, type Head, headOf, symbolAbove } from './header.ts';
import { type GivenFormat, MAPPING_FILE, type Mapping, NO_MAPPING } from './mapping.ts';
import { type Decimal, decimalOf, PRICES, writtenNumber } from './numbers.ts';
import { createRowReader, type Dialect, type PriceRow, type RowReader, whenText } from './row-reader.ts';
import { symbolOfNames } from './symbols.ts';
import {
  type Content,
  type CsvRow,
  CUT_ROW,
  type FileProblem,
  MAX_ROWS,
  readRowsInSteps,
  takeCutRow,
} from './table.ts';
import { textOf } from './text.ts';
import { EACH_COLUMN } from './wide.ts';

export const PRICE_HEADER = 'symbol,date,open,high,low,close,volume';
/** Rows whose numbers say what the decimal mark is, before all are asked. */
const SAMPLE_ROWS = 300;

/** Rows that are looked at between two turns of the event loop: some ms. */
const SLICE_ROWS = 16_384;

/** What a file leaves open. Its rows wait for the answer. */
export interface Question {
  readonly kind: 'dateFormat' | 'decimal' | 'zone' | 'columns' | 'symbol';
  /** One clause: what is open, with an example. */
  readonly what: string;
  /** `what`, and the setting that answers it. */
  readonly text: string;
  /** Values of the setting, with what the example is then; for zone and symbol others may be right. */
  readonly choices: readonly { readonly value: string; readonly means: string }[];
}

export interface OpenTable {
  readonly dialect: Dialect;
  readonly questions: readonly Question[];
  /** Rows below the header; they wait while there are questions. */
  readonly rows: readonly CsvRow[];
  readonly read: RowReader;
  /** Line of a last row that the file ends within, which is none of the rows; null: it ends after a row. */
  readonly cut: number | null;
}

/** A whole file. */
export interface PriceTable {
  readonly dialect: Dialect;
  readonly questions: readonly Question[];
  readonly rows: readonly (PriceRow & { readonly line: number })[];
  readonly problems: readonly FileProblem[];
}

/** @returns the file's prices, or one sentence about why it has none */
export function readPriceTable(content: Content, file: string, mapping = NO_MAPPING): PriceTable | string {
  const table = inOneTurn(openTableInSteps(content, file, givenBy(mapping, file)));
  if (typeof table === 'string') return table;
  const { dialect, questions } = table;
  const rows: PriceTable['rows'][number][] = [];
  const problems: FileProblem[] = table.cut === null ? [] : [{ line: table.cut, reason: CUT_ROW }];
  for (const row of questions.length > 0 ? [] : table.rows) {
    const prices = table.read(row);
    if (typeof prices === 'string') problems.push({ line: row.line, reason: prices });
    else rows.push({ ...prices, line: row.line });
  }
  return { dialect, questions, rows, problems };
}

/** What the mapping of a folder says of a file. */
export function givenBy({ formats, symbols }: Mapping, file: string): GivenFor {
  const symbol = symbols[file];
  return (header) => ({ ...formats[header], symbols, ...(symbol === undefined ? {} : { symbol }) });
}

/**
 * Finds the dialect of a file, or of a sheet, in steps.
 * @param givenFor what a person said of files with these columns
 * @returns the table, or one sentence about why there is none
 */
export function* openTableInSteps(content: Content, file: string, givenFor: GivenFor): Steps<OpenTable | string> {
  let [all, delimiter, isBare]: [readonly CsvRow[], string, boolean] = [[], '', true];
  let cut: number | null = null;
  if (content instanceof Uint8Array) {
    const text = textOf(content);
    if (!text.ok) return text.error;
    delimiter = givenFor('').delimiter ?? delimiterOf(text.value);
    // No comma can be in a cell where commas stand between the cells.
    isBare = delimiter === ',' && !text.value.includes('"');
    const rows = yield* readRowsInSteps(text.value, delimiter);
    cut = takeCutRow(text.value, rows);
    all = rows;
  } else all = content.rows;
  if (all.length > MAX_ROWS) return `it has more than ${MAX_ROWS} rows; split it`;
  if (all.length === 0) return `the file is empty; the first line must name its columns, like ${PRICE_HEADER}`;
  const head = headOf(all, givenFor, file);
  if (typeof head === 'string') return head;
  if (head.names.length < 2) return `it has no columns; separate them by commas, like ${PRICE_HEADER}`;
  if (head.rows.length === 0) return 'there is no row below the header';
  yield;
  const sheet = content instanceof Uint8Array ? null : content.name;
  const found = yield* new Finder(head, givenFor(head.header), delimiter, isBare).table(file, sheet);
  const table = { ...found, cut };
  if (table.dialect.isOwn || table.questions.length > 0) return { ...table, read: yield* readerOfFirst(table) };
  const period = periodOf(table);
  if (period !== null) return `its rows are of ${period}; fetch daily ones`;
  const twice = table.dialect.isIntraday ? null : twiceIn(table.rows.slice(0, SAMPLE_ROWS), table.dialect.positions);
  if (twice !== null) return `${twice}; keep one contract or series, with one row a day`;
  return { ...table, read: yield* readerOfFirst(table) };
}

/**
 * Reads the rows of the first table alone, if another one follows in the file: one with other columns, or one
 * below a title in a file whose rows do not say their symbol.
 */
function* readerOfFirst({ rows, dialect: { header, positions, symbol }, read }: OpenTable): Steps<RowReader> {
  const isOther = ({ cells }: CsvRow, index: number): boolean => {
    // Rows of prices have digits in their date.
    if (/\d/.test(cells[positions.date] ?? '')) return false;
    if (!isHeader(cells)) return symbol !== null && (symbolAbove([cells]) ?? symbol) !== symbol;
    const above = rows[index - 1];
    const isOnly = symbol === null || above === undefined || typeof read(above) !== 'string';
    return cells.map(bareName).join() !== header || !isOnly;
  };
  for (const [index, row] of rows.entries()) {
    if (isOther(row, index)) {
      const refusal = `another table begins in line ${row.line}; save it as a file of its own`;
      return (one) => (one.line < row.line ? read(one) : refusal);
    }
    if (index % SLICE_ROWS === 0) yield;
  }
  return read;
}

/** Finds the dialect of a table, and collects what is open. */
class Finder {
  readonly #head: Head;
  readonly #given: GivenFormat;
  readonly #delimiter: string;
  /** Whether a lone point can only be a decimal one. */
  readonly #isBare: boolean;
  readonly #questions: Question[] = [];

  constructor(head: Head, given: GivenFormat, delimiter: string, isBare: boolean) {
    this.#head = head;
    this.#given = given;
    this.#delimiter = delimiter;
    this.#isBare = isBare;
  }

  /** @param sheet its name, in a workbook */
  *table(file: string, sheet: string | null): Steps<Omit<OpenTable, 'cut'>> {
    const { header, names, positions, rows, isOwn } = this.#head;
    const preset = isOwn ? null : presetOf(header.split(','));
    if (positions.date === -1 || positions.close === -1) this.#askColumns();
    const symbol = this.#given.symbol ?? (positions.symbol === -1 ? this.#symbol(file, sheet) : null);
    const decimal = this.#decimal();
    yield;
    const { dateFormat, isIntraday } = yield* this.#dates(preset?.dateFormat ?? null);
    yield;
    const isOfOne = isIntraday || positions.symbol !== -1 || this.#given.symbol !== undefined;
    const twice = isOfOne ? null : twiceIn(rows, positions);
    if (twice !== null) this.#askColumns(`${twice}, and no column says their symbols`);
    const zone = this.#given.zone ?? ownZone(this.#head);
    const dialect = {
      ...{ source: preset?.source ?? null, delimiter: this.#delimiter, header, names, positions, dateFormat, decimal },
      ...{ zone, symbol, isIntraday, isOwn },
    };
    return { dialect, questions: this.#questions, rows, read: createRowReader(dialect, this.#given.symbols) };
  }

  get #place(): string {
    return this.#given.place ?? `${MAPPING_FILE}, formats "${this.#head.header}",`;
  }

  #ask(
    kind: Question['kind'],
    what: string,
    cure: string,
    choices: readonly string[],
    means: readonly (string | number | null | undefined)[] = [],
  ): void {
    const all = choices.map((value, index) => ({ value, means: String(means[index] ?? '') }));
    // Nothing else can be known without the columns.
    if (this.#questions[0]?.kind === 'columns') return;
    if (kind === 'columns') this.#questions.length = 0;
    this.#questions.push({ kind, what, text: `${what}; ${cure}`, choices: all });
  }

  #cell(cells: readonly string[], role: ColumnRole): string {
    return (cells[this.#head.positions[role]] ?? '').trim();
  }

  #askColumns(why?: string): void {
    const { positions, names, rows } = this.#head;
    const hasNames = names.some((name) => name !== '');
    const mayBeWide = hasNames && positions.date !== -1 && names.length > 2;
    const missing = (['date', 'close'] as const).filter((role) => positions[role] === -1).join(', ');
    const first = (hasNames ? names : (rows[0]?.cells ?? [])).join(this.#delimiter);
    this.#ask(
      'columns',
      why ?? `column ${missing} is missing; the first line is "${first.slice(0, 120)}"`,
      `name the columns like ${PRICE_HEADER}, or say in ${this.#place} which they are (columns)`,
      [
        ...names.map((name, at) => (name === '' ? String(at + 1) : bareName(name))),
        ...(mayBeWide ? [EACH_COLUMN] : []),
      ],
      hasNames ? [...names.map(() => ''), 'each of the others is a symbol'] : rows[0]?.cells,
    );
  }

  #symbol(file: string, sheet: string | null): string | null {
    const named = symbolOfNames(file, sheet);
    const symbol = this.#head.symbol ?? named.symbol;
    if (symbol === null) {
      const cure = `name the file like AAPL.csv, or say it in ${MAPPING_FILE} (symbols "${file}")`;
      this.#ask('symbol', 'neither a column nor the name of the file says its symbol', cure, named.candidates);
    }
    return symbol;
  }

  #decimal(): Decimal {
    const { rows, isOwn } = this.#head;
    if (this.#given.decimal !== undefined) return this.#given.decimal;
    if (isOwn && this.#isBare) return '.';
    const numbers = (some: readonly CsvRow[]): string[] =>
      some
        .flatMap(({ cells }) => [...PRICES, 'volume' as const].map((role) => this.#cell(cells, role)))
        .filter(Boolean);
    const found =
      decimalOf(numbers(rows.slice(0, SAMPLE_ROWS)), this.#isBare) ?? decimalOf(numbers(rows), this.#isBare);
    if (found !== null) return found;
    const example = numbers(rows).find((text) => /\d[.,]\d/.test(text)) ?? '';
    const cure = `say in ${this.#place} which sign stands before decimals (decimal "." or ",")`;
    const marks = ['.', ','] as const;
    const means = marks.map((mark) => writtenNumber(example, mark));
    this.#ask('decimal', `${example} may have decimals or thousands`, cure, marks, means);
    return '.';
  }

  *#dates(preset: DateFormat | null): Steps<Pick<Dialect, 'dateFormat' | 'isIntraday'>> {
    const { rows, positions, isOwn } = this.#head;
    const isOwnIntraday = isOwn && !this.#head.header.split(',').includes('date');
    const first = rows[0] === undefined ? '' : whenText(rows[0].cells, positions);
    if (isOwn && readWritten(first, 'YYYY-MM-DD') !== null)
      return { dateFormat: 'YYYY-MM-DD', isIntraday: isOwnIntraday };
    const lines: DatedLine[] = [];
    for (const { cells } of rows)
      if (lines.push({ symbol: this.#cell(cells, 'symbol'), text: whenText(cells, positions) }) % SLICE_ROWS === 0)
        yield;
    const formats = formatsOf(lines, this.#given.dateFormat ?? preset);
    const [dateFormat = 'YYYY-MM-DD'] = formats;
    if (formats.length > 1) this.#askDate(lines, formats);
    const isIntraday = isOwn ? isOwnIntraday : lines.some(hasTime) && hasTimesOfDay(lines, dateFormat);
    if (isIntraday && this.#given.zone === undefined && ownZone(this.#head) === null && !isOwn) {
      const local = lines.find(({ text }) => readWritten(text, dateFormat)?.instant === null);
      if (local !== undefined) this.#askZone(local.text);
    }
    return { dateFormat, isIntraday };
  }

  #askDate(lines: readonly DatedLine[], formats: readonly DateFormat[]): void {
    const days = (text: string) => formats.map((format) => readWritten(text, format)?.date);
    const example = lines.find(({ text }) => new Set(days(text)).size === formats.length) ?? lines[0];
    const means = days(example?.text ?? '');
    const settings = formats.map((format) => `"${format}"`).join(' or ');
    const cure = `say in ${this.#place} which it is (dateFormat ${settings})`;
    this.#ask('dateFormat', `${example?.text} may be ${means.join(' or ')}`, cure, formats, means);
  }

  #askZone(example: string): void {
    const cure = `say in ${this.#place} which it is (zone "America/New_York", "UTC" or another)`;
    this.#ask('zone', `the time ${example} is of no zone`, cure, ['America/New_York', 'UTC']);
  }
}

/** The zone that the name of the column says. */
const ownZone = ({ header }: Head): string | null =>
  /(^|,)(time utc|gmt time)(,|$)/.test(header) ? 'UTC' : /(^|,)time et(,|$)/.test(header) ? 'America/New_York' : null;

/** Days between rows that are of weeks or months, over holidays too. */
const PERIODS = [
  { name: 'weeks', from: 4, to: 10 },
  { name: 'months', from: 26, to: 35 },
] as const;
const PERIOD_GAPS = 8;

/** The period of the first symbol's rows, if it is longer than a day; null: days, or too few rows. */
function periodOf({ rows, dialect: { positions, dateFormat } }: OpenTable): string | null {
  const symbol = rows[0]?.cells[positions.symbol];
  const days = rows.slice(0, SAMPLE_ROWS).flatMap(({ cells }) => {
    const when = cells[positions.symbol] === symbol ? readWritten(whenText(cells, positions), dateFormat) : null;
    return when === null ? [] : Math.floor((when.instant ?? Date.parse(when.date)) / DAY_MS);
  });
  const gaps = days.slice(1).map((day, index) => Math.abs(day - (days[index] ?? day)));
  const found = PERIODS.find(({ from, to }) => gaps.every((gap) => gap >= from && gap <= to));
  return gaps.length < PERIOD_GAPS ? null : (found?.name ?? null);
}

/** Share of rows whose day another row has with another close, from which they are not of one price a day. */
const TWICE = 0.1;
const FEW_TWICE = 2;

/** One clause about rows of the same symbol and day that differ; null: there are few. */
function twiceIn(rows: readonly CsvRow[], positions: Positions): string | null {
  const closes = new Map<string, string>();
  let [differing, example] = [0, ''];
  for (const { cells } of rows) {
    const text = whenText(cells, positions);
    const key = positions.symbol === -1 ? text : `${cells[positions.symbol] ?? ''} ${text}`.trim();
    const close = cells[positions.close] ?? '';
    if ((closes.get(key) ?? close) !== close) [differing, example] = [differing + 1, key];
    else closes.set(key, close);
  }
  return differing > Math.max(FEW_TWICE, rows.length * TWICE)
    ? `several rows are of ${example}, with other closes`
    : null;
}

/** Whether a text may be more than a date: it has a colon, or it is long, or seconds since 1970. */
const hasTime = ({ text }: DatedLine): boolean => text.length > 8 && /:|\d{9}|\d \d{4}/.test(text);

/** Whether a symbol has several rows a day, or its only day has a time. */
function hasTimesOfDay(lines: readonly DatedLine[], format: DateFormat): boolean {
  const texts = new Map<string, string>();
  const days = new Set<string | number>();
  let isTimed = false;
  for (const { symbol, text } of lines) {
    const when = readWritten(text, format);
    if (when === null) continue;
    const day = when.date === '' ? Math.floor((when.instant ?? 0) / DAY_MS) : when.date;
    const key = `${symbol} ${day}`;
    if ((texts.get(key) ?? text) !== text) return true;
    texts.set(key, text);
    days.add(day);
    isTimed ||= when.date === '' ? (when.instant ?? 0) % DAY_MS !== 0 : (when.minute ?? 0) !== 0;
  }
  return isTimed && days.size === 1;
}
