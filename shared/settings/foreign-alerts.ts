// Pure: alerts of other programs that arrive at the relay's inbound address, and how a body is read as one.
import { z } from 'zod';
import { isSymbol, normalizeSymbol } from '../domain/instruments.ts';
import { StateSchema } from '../wire/records.ts';

/**
 * What could not be read. empty: no text. json: it looks like JSON and is none. utf8: bytes that are no text.
 * symbol, severity, time: a value that is missing or unknown. title: no title. cut: too long. limit: too many alerts
 * arrived, and others were refused.
 */
export const FOREIGN_PROBLEMS = [
  'empty',
  'json',
  'utf8',
  'symbol',
  'severity',
  'time',
  'title',
  'cut',
  'limit',
] as const;
export type ForeignProblem = (typeof FOREIGN_PROBLEMS)[number];

const LONGEST = { title: 160, text: 2_000 };

/** An alert of another program, as the ledger stores it. Its texts are data of others. */
export const ForeignAlertSchema = z.object({
  /** Empty: it has none. */
  title: z.string().max(LONGEST.title),
  text: z.string().max(LONGEST.text),
  /** An unknown severity counts as High Risk. */
  severity: StateSchema,
  problems: z.array(z.enum(FOREIGN_PROBLEMS)),
});
export type ForeignAlert = z.infer<typeof ForeignAlertSchema>;

/** Names of fields, with a dot before each nested one; empty: none. */
const PathSchema = z
  .string()
  .trim()
  .max(100)
  .regex(/^[^\s.]*(\.[^\s.]+)*$/, 'must be names of fields with dots, like alert.title');
const WordsSchema = z.array(z.string().trim().toLowerCase().min(1).max(40)).max(20);

/** Where a JSON body has the fields of an alert, and which words are a severity below High Risk. */
export const ForeignMappingSchema = z.strictObject({
  symbol: PathSchema,
  title: PathSchema,
  text: PathSchema,
  severity: PathSchema,
  time: PathSchema,
  id: PathSchema,
  normal: WordsSchema,
  elevated: WordsSchema,
});
export type ForeignMapping = z.infer<typeof ForeignMappingSchema>;
export const MAPPED_FIELDS = ['symbol', 'title', 'text', 'severity', 'time', 'id'] as const;

export const DEFAULT_MAPPING: ForeignMapping = {
  symbol: 'ticker',
  title: 'title',
  text: 'message',
  severity: 'severity',
  time: 'time',
  id: 'id',
  normal: ['0', 'normal', 'info', 'ok', 'resolved'],
  elevated: ['1', 'elevated', 'warning', 'warn', 'medium'],
};

/** These are High Risk, and known. */
const HIGH = ['2', 'high', 'high_risk', 'high risk', 'critical', 'error'];
/** A stated time further from the arrival is not believed, ms. */
const LONGEST_DELAY = 86_400_000;
const LARGEST_LEAD = 300_000;

export interface ReadForeign {
  readonly alert: ForeignAlert;
  readonly symbol: string | null;
  /** When it happened, ms; the time of arrival where it states none that can be believed. */
  readonly at: number;
  /** null: it has none. */
  readonly id: string | null;
}

/**
 * Reads a body as an alert. Never fails: what cannot be read is a problem of the alert.
 * @param now the clock that a stated time is compared with, ms
 */
export function readForeign(body: string, mapping: ForeignMapping, now: number): ReadForeign {
  const problems = new Set<ForeignProblem>();
  const { value, isJson } = parse(body, problems);
  const field = (name: (typeof MAPPED_FIELDS)[number]): string | null => scalarAt(value, mapping[name]);
  const said = clean(isJson ? (field('text') ?? '') : body);
  const [line = ''] = said.split('\n', 1);
  const named = clean(field('title') ?? '').replaceAll('\n', ' ');
  if (isJson && named === '') problems.add('title');
  const title = named === '' ? line : named;
  const severity = severityOf(field('severity'), mapping);
  if (severity === null) problems.add('severity');
  if (body.trim() === '') problems.add('empty');
  if (title.length > LONGEST.title || said.length > LONGEST.text) problems.add('cut');
  const symbol = symbolOf(field('symbol'), problems);
  const at = timeOf(field('time'), now, problems);
  const isRepeated = said === title && said.length <= LONGEST.title;
  return {
    alert: {
      title: cut(title, LONGEST.title),
      text: isRepeated ? '' : cut(said, LONGEST.text),
      severity: severity ?? 2,
      problems: [...problems],
    },
    symbol,
    at,
    id: field('id'),
  };
}

function parse(body: string, problems: Set<ForeignProblem>): { readonly value: unknown; readonly isJson: boolean } {
  const text = body.trim().replace(/^\uFEFF/, '');
  if (!/^[{[]/.test(text)) return { value: null, isJson: false };
  try {
    return { value: JSON.parse(text) as unknown, isJson: true };
  } catch {
    problems.add('json');
    return { value: null, isJson: false };
  }
}

/** The text, number or boolean at a path; null: there is none. */
function scalarAt(value: unknown, path: string): string | null {
  if (path === '') return null;
  let found = value;
  for (const name of path.split('.')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return null;
    found = (found as Readonly<Record<string, unknown>>)[name];
  }
  return typeof found === 'string' || typeof found === 'number' || typeof found === 'boolean' ? String(found) : null;
}

function severityOf(said: string | null, { normal, elevated }: ForeignMapping): 0 | 1 | 2 | null {
  const word = said?.trim().toLowerCase() ?? '';
  if (normal.includes(word)) return 0;
  if (elevated.includes(word)) return 1;
  return HIGH.includes(word) ? 2 : null;
}

/** "NASDAQ:AAPL" is AAPL. */
function symbolOf(said: string | null, problems: Set<ForeignProblem>): string | null {
  if (said === null || said.trim() === '') return null;
  const symbol = normalizeSymbol(said.slice(said.lastIndexOf(':') + 1));
  if (isSymbol(symbol)) return symbol;
  problems.add('symbol');
  return null;
}

/** ISO 8601, or epoch seconds or milliseconds. */
function timeOf(said: string | null, now: number, problems: Set<ForeignProblem>): number {
  if (said === null || said.trim() === '') return now;
  const number = Number(said);
  const at = Number.isNaN(number) ? Date.parse(said) : number < 1e11 ? number * 1000 : number;
  if (at >= now - LONGEST_DELAY && at <= now + LARGEST_LEAD) return Math.round(at);
  problems.add('time');
  return now;
}

/** Control characters, and those that change the direction of the text around them. */
const HARMFUL = /[\p{Cc}\u200E\u200F\u061C\u202A-\u202E\u2066-\u2069]+/gu;
const clean = (text: string): string =>
  text
    .split(/\r\n?|[\n\u2028\u2029]/)
    .map((line) => line.replace(HARMFUL, ' ').trim())
    .join('\n')
    .trim()
    .toWellFormed();

const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).toWellFormed()}…`;

interface Nested {
  [name: string]: string | Nested;
}

/** The object at a path, made where it is missing. */
function innermost(body: Nested, [name, ...rest]: readonly string[]): Nested {
  if (name === undefined) return body;
  const found = body[name];
  const next = typeof found === 'object' ? found : {};
  body[name] = next;
  return innermost(next, rest);
}

/** A body that this mapping reads. */
export function foreignBody(
  mapping: ForeignMapping,
  values: Partial<Record<(typeof MAPPED_FIELDS)[number], string>>,
  spaces = 0,
): string {
  const body: Nested = {};
  for (const field of MAPPED_FIELDS) {
    const names = mapping[field].split('.');
    const last = names.pop() ?? '';
    const value = values[field];
    if (last !== '' && value !== undefined) innermost(body, names)[last] = value;
  }
  return JSON.stringify(body, null, spaces);
}

/** A message for an alert of TradingView, whose server replaces what is in braces. @param text to be replaced by the user */
export const tradingViewExample = (mapping: ForeignMapping, text: string): string =>
  foreignBody(
    mapping,
    {
      symbol: '{{exchange}}:{{ticker}}',
      title: '{{ticker}} at {{close}}',
      text,
      severity: 'high',
      time: '{{timenow}}',
    },
    2,
  );
