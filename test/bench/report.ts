// Bench: compares rows with their goals, writes results.json and prints the table.
import { median } from './measure.ts';
import type { Goal, Outcome, Row, RowResult, SideSummary } from './row.ts';

/** ">= 0.6", "<= 1.5", "0.8 to 1.2". */
export function goalLabel({ atLeast, atMost }: Goal): string {
  if (atLeast !== undefined && atMost !== undefined) return `${atLeast} to ${atMost}`;
  return atLeast !== undefined ? `>= ${atLeast}` : `<= ${atMost}`;
}

export const keeps = (
  { atLeast = Number.NEGATIVE_INFINITY, atMost = Number.POSITIVE_INFINITY }: Goal,
  ratio: number,
): boolean => ratio >= atLeast && ratio <= atMost;

type RowDescription = Pick<Row, 'name' | 'what' | 'floor' | 'goal'>;

const base = ({ name, what, floor, goal }: RowDescription) => ({
  name,
  what,
  floor,
  goal: goal === null ? null : goalLabel(goal),
});

export function evaluate(row: RowDescription, outcome: Outcome, seconds: number): RowResult {
  const { ratio, spread, sides, notes } = outcome;
  return {
    ...base(row),
    ratio,
    pass: row.goal === null || ratio === null ? null : keeps(row.goal, ratio),
    spread,
    sides: sides.map(({ label, unit, values }) => ({
      label,
      unit,
      median: median(values),
      low: Math.min(...values),
      high: Math.max(...values),
      rounds: values.length,
    })),
    notes,
    seconds,
    failure: null,
  };
}

/** A row that could not be run: no ratio, and no pass. */
export function failed(row: RowDescription, failure: string, seconds: number): RowResult {
  return { ...base(row), ratio: null, pass: false, spread: null, sides: [], notes: [], seconds, failure };
}

/** What results.json holds. */
export const resultsOf = (rows: readonly RowResult[]) => ({ rows });

/** Three figures that count, and thousands kept apart. */
export function figure(value: number): string {
  if (!Number.isFinite(value)) return 'none';
  if (value === 0) return '0';
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))));
  return value.toLocaleString('en-US', {
    minimumFractionDigits: Math.min(digits, 4),
    maximumFractionDigits: Math.min(digits, 4),
  });
}

const statusOf = ({ pass, failure }: RowResult): string =>
  failure !== null ? 'not measured' : pass === null ? 'reported' : pass ? 'pass' : 'MISS';

const sideLabel = ({ label, unit, median: middle, low, high, rounds }: SideSummary): string =>
  `${label}: ${figure(middle)} ${unit}${rounds > 1 ? ` (${figure(low)} to ${figure(high)}, ${rounds} rounds)` : ''}`;

/** One row as it is printed when it is over. */
export function rowText(row: RowResult): string {
  const { name, what, ratio, spread, goal, sides, notes, failure, seconds } = row;
  const head = `${name}: ${statusOf(row)}${ratio === null ? '' : `, ratio ${figure(ratio)}${goal === null ? '' : `, goal ${goal}`}`}${
    spread === null ? '' : ` (rounds ${figure(spread[0])} to ${figure(spread[1])})`
  }, ${seconds.toFixed(0)} s`;
  return [head, what, ...sides.map(sideLabel), ...notes, ...(failure === null ? [] : [failure])]
    .map((line, index) => (index === 0 ? line : `  ${line}`))
    .join('\n');
}

/** All rows in one table. */
export function table(rows: readonly RowResult[]): string {
  const cells = rows.map((row) => [
    row.name,
    row.sides[0] === undefined ? '' : `${figure(row.sides[0].median)} ${row.sides[0].unit}`,
    row.sides[1] === undefined ? '' : `${figure(row.sides[1].median)} ${row.sides[1].unit}`,
    row.ratio === null ? '' : figure(row.ratio),
    row.goal ?? '',
    statusOf(row),
  ]);
  const lines = [['row', 'product', 'floor', 'ratio', 'goal', ''], ...cells];
  const widths = (lines[0] ?? []).map((_, column) => Math.max(...lines.map((line) => (line[column] ?? '').length)));
  return lines
    .map((line) =>
      line
        .map((cell, column) =>
          column >= 1 && column <= 3 ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
