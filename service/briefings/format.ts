// Service, briefings: formats numbers, days, lists and tables as text. Pure.
import type { Claim } from '../../shared/domain/claims.ts';
import { regimeLabel } from '../../shared/domain/regimes.ts';

const MINUS = '−';

/** A table cell whose value may be missing. */
export const orNone = <Value>(value: Value | null, format: (value: Value) => string): string =>
  value === null ? 'n/a' : format(value);

/** "1.2 %" of 0.012; no sign. */
export const percent = (share: number, digits = 1): string => `${(100 * Math.abs(share)).toFixed(digits)} %`;
/** "12 %" of 0.12. */
export const wholePercent = (share: number): string => `${Math.round(100 * share)} %`;
/** "39.4 %" of 39.4, the unit of confidence and base rate. */
export const points = (value: number | null): string => orNone(value, (known) => `${known.toFixed(1)} %`);
export const power = (value: number | null): string => orNone(value, (known) => known.toFixed(2));
const withSign = (value: number, text: string): string =>
  Number.parseFloat(text) === 0 ? text : `${value < 0 ? MINUS : '+'}${text}`;
/** "+1.2 %", "−0.8 %", "0.0 %". */
export const signed = (share: number | null, digits = 1): string =>
  orNone(share, (known) => withSign(known, percent(known, digits)));
/** "+0.12" of a change in power. */
export const signedPower = (change: number | null): string =>
  orNone(change, (known) => withSign(known, Math.abs(known).toFixed(2)));
/** A share of lower past values: "highest", "lowest", "above 83 %". */
export const rankText = (rank: number): string =>
  rank === 1 ? 'highest' : rank === 0 ? 'lowest' : `above ${wholePercent(rank)}`;

/** "1 signal", "19 signals". */
export const tally = (value: number, one: string): string => `${value} ${one}${value === 1 ? '' : 's'}`;
/** "SPY", "SPY and QQQ", "SPY, QQQ and IWM". */
export function list(items: readonly string[]): string {
  const last = items.at(-1) ?? '';
  return items.length < 2 ? last : `${items.slice(0, -1).join(', ')} and ${last}`;
}
/** As `list`, with a count of the items beyond `most`. */
export function listUpTo(items: readonly string[], most: number): string {
  if (items.length <= most + 1) return list(items);
  return `${items.slice(0, most).join(', ')} and ${items.length - most} more`;
}

/** "rose 1.2 %", "fell 0.8 %", "was little changed". */
export function moved(share: number): string {
  const text = percent(share);
  if (Number.parseFloat(text) === 0) return 'was little changed';
  return `${share < 0 ? 'fell' : 'rose'} ${text}`;
}

const dayForm = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' });
const shortForm = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' });
const longForm = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
const weekdayForm = new Intl.DateTimeFormat('en-GB', { weekday: 'long', timeZone: 'UTC' });

const msOf = (day: string): number => Date.parse(`${day}T00:00:00Z`);
/** Of a session date ("2026-03-02"): "Monday 2 March". */
export const dayName = (date: string): string => dayForm.format(msOf(date)).replace(',', '');
/** "2 March". */
export const shortDay = (date: string): string => shortForm.format(msOf(date));
/** "2 March 2026". */
export const longDay = (date: string): string => longForm.format(msOf(date));
export const weekday = (date: string): string => weekdayForm.format(msOf(date));
/** "14:09 UTC" of world ms. */
export const clockTime = (ms: number): string => `${new Date(ms).toISOString().slice(11, 16)} UTC`;

/** The fall that a confidence and its base rate are about. */
export const fallText = (claim: Claim): string =>
  claim === 'event' ? 'the warned fall' : 'a further fall of half a threshold';

export const regimeText = (regime: string | null): string => (regime === null ? 'no regime yet' : regimeLabel(regime));

/** A column of a table: its head, which a leading ">" aligns to the right, and its cells. */
export type Column<Row> = readonly [head: string, cell: (row: Row) => string];
/** Columns of one part of each row. */
export const columnsOf = <Row, Part>(part: (row: Row) => Part, ...columns: readonly Column<Part>[]): Column<Row>[] =>
  columns.map(([head, cell]) => [head, (row) => cell(part(row))]);

/** A Markdown table. */
export function table<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    line(columns.map(([head]) => head.replace(/^>/, ''))),
    line(columns.map(([head]) => (head.startsWith('>') ? '---:' : '---'))),
    ...rows.map((row) => line(columns.map(([, cell]) => cell(row)))),
  ].join('\n');
}

const WORDS_A_MINUTE = 220;
export const readingMinutes = (body: string): number =>
  Math.max(1, Math.round(body.split(/\s+/).length / WORDS_A_MINUTE));
