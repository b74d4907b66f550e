// Service, market: rows of a file whose days are there already, as one problem a symbol.
import type { CsvProblem } from '../files/table.ts';

/** Relative difference between two closes (50 basis points) above which rows disagree. */
const DISAGREEMENT = 0.005;
/** Days that are named. */
const NAMED = 3;

/** A day that has a row, and the row of the current file. */
interface RepeatedRow {
  readonly symbol: string;
  readonly date: string;
  readonly line: number;
  readonly close: number;
  readonly kept: { readonly file: string; readonly line: number; readonly close: number };
}

interface Repeats {
  /** Up to NAMED. */
  readonly first: RepeatedRow[];
  count: number;
  differing: number;
  differs: RepeatedRow | null;
}

/** Counts the repeated rows of a file: two archives may share years of many symbols. */
export class RepeatedRows {
  readonly #symbols = new Map<string, Repeats>();

  add(row: RepeatedRow): void {
    const repeats = this.#symbols.get(row.symbol) ?? { first: [], count: 0, differing: 0, differs: null };
    this.#symbols.set(row.symbol, repeats);
    repeats.count += 1;
    if (repeats.first.length < NAMED) repeats.first.push(row);
    if (Math.abs(row.close / row.kept.close - 1) <= DISAGREEMENT) return;
    repeats.differing += 1;
    repeats.differs ??= row;
  }

  problems(file: string): CsvProblem[] {
    return [...this.#symbols].map(([symbol, repeats]) => ({
      file,
      line: repeats.first[0]?.line ?? 0,
      reason: reasonOf(symbol, repeats),
    }));
  }
}

function reasonOf(symbol: string, { first, count, differing, differs }: Repeats): string {
  const days = first.map(({ date }) => date).join(', ');
  const more = count - first.length;
  const kept =
    count === 1
      ? `${symbol} ${days} is there already; the first row is kept`
      : `${symbol} ${days}${more === 0 ? '' : ` and ${more} more ${more === 1 ? 'day' : 'days'}`} are there already; the first row of each is kept`;
  if (differs === null) return `${kept}, ${count === 1 ? 'the closes agree' : 'all closes agree'} within 0.5 %`;
  const { date, line, close, kept: other } = differs;
  const how = differing === 1 ? 'a close differs' : `${differing} closes differ`;
  return `${kept}, ${how} by more than 0.5 %: ${date} has ${other.close} in ${other.file}:${other.line}, and ${close} in line ${line}`;
}
