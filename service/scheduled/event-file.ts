// Service, what is due: reads one file of events: iCalendar, CSV or JSON.
import { z } from 'zod';
import type { ScheduledEvent } from '../../shared/domain/scheduled-events.ts';
import { messageOf } from '../../shared/lib/result.ts';
import { formatsOf } from '../market/files/dates.ts';
import { delimiterOf } from '../market/files/header.ts';
import { type CsvProblem, readRowsInSteps } from '../market/files/table.ts';
import { textOf } from '../market/files/text.ts';
import { inOneTurn } from '../steps.ts';
import { EVENT_FIELDS, type EventFields, type EventReading, eventOf, fieldPositions } from './event-fields.ts';
import { readIcs } from './ics.ts';

export type EventContext = Pick<EventReading, 'calendarOf' | 'knows'>;

export interface EventFile {
  readonly events: readonly ScheduledEvent[];
  readonly problems: readonly CsvProblem[];
  /** Why nothing of it can be used; null: it was read. */
  readonly error: string | null;
}

/** Rows before their dates are read. */
interface Rows extends Pick<EventReading, 'hints' | 'hasMidnight'> {
  readonly rows: readonly { readonly line: number; readonly fields: EventFields | string }[];
}

const MAX_ROWS = 20_000;
const READERS: Readonly<Record<string, (bytes: Uint8Array) => Rows | string>> = {
  ics: icsRows,
  csv: csvRows,
  txt: csvRows,
  tsv: csvRows,
  json: jsonRows,
};
export const EVENT_FILE = new RegExp(`\\.(${Object.keys(READERS).join('|')})$`, 'i');

export function readEventFile(file: string, bytes: Uint8Array, context: EventContext): EventFile {
  const read = READERS[EVENT_FILE.exec(file)?.[1]?.toLowerCase() ?? '']?.(bytes) ?? 'it is no ics, csv or json file';
  if (typeof read === 'string') return failed(file, read);
  const { rows, hints, hasMidnight } = read;
  if (rows.length > MAX_ROWS) return failed(file, `it has more than ${MAX_ROWS} events; split it by year`);
  const dated = rows.flatMap(({ fields }) =>
    typeof fields === 'string' ? [] : { symbol: fields.symbol, text: fields.date },
  );
  const formats = formatsOf(dated, null);
  if (formats.length > 1)
    return failed(file, `${dated[0]?.text ?? ''} may begin with its day or with its month; write dates as 2026-02-24`);
  const reading = { ...context, file, hasMidnight, hints: [...hints, file], dateFormat: formats[0] ?? 'YYYY-MM-DD' };
  const events = new Map<string, ScheduledEvent>();
  const problems: CsvProblem[] = [];
  for (const { line, fields } of rows) {
    const event = typeof fields === 'string' ? fields : eventOf(fields, reading);
    if (typeof event === 'string') problems.push({ file, line, reason: event });
    else events.set(keyOf(event), event);
  }
  return { events: [...events.values()], problems, error: null };
}

/** The same event in two lists. What concerns every market may be several things on a day. */
export const keyOf = ({ kind, symbol, date, title }: ScheduledEvent): string =>
  [kind, symbol, date, symbol === null || kind === 'other' ? title : ''].join('\n');

const failed = (file: string, reason: string): EventFile => ({
  events: [],
  problems: [{ file, line: 0, reason }],
  error: reason,
});

function icsRows(bytes: Uint8Array): Rows | string {
  const text = new TextDecoder().decode(bytes);
  if (!/^\s*BEGIN:VCALENDAR/i.test(text)) return 'it does not begin with BEGIN:VCALENDAR; export the calendar again';
  const { events, name } = readIcs(text);
  return { rows: events, hints: [name], hasMidnight: true };
}

const HEADER = 'kind,symbol,date,time,zone,title';

function csvRows(bytes: Uint8Array): Rows | string {
  const text = textOf(bytes);
  if (!text.ok) return text.error;
  const [head, ...rows] = inOneTurn(readRowsInSteps(text.value, delimiterOf(text.value)));
  if (head === undefined) return `it is empty; the first line must be ${HEADER}`;
  const positions = fieldPositions(head.cells);
  if (positions.date === -1) return `no column is named date; the first line must be like ${HEADER}`;
  return {
    rows: rows.map(({ line, cells }) => ({ line, fields: fieldsFrom((field) => cells[positions[field]]) })),
    hints: [head.cells[positions.date] ?? ''],
    hasMidnight: false,
  };
}

const fieldsFrom = (textOfField: (field: keyof EventFields) => string | undefined): EventFields =>
  Object.fromEntries(EVENT_FIELDS.map((field) => [field, (textOfField(field) ?? '').trim()])) as Record<
    keyof EventFields,
    string
  >;

const EntrySchema = z.record(z.string(), z.unknown());

/** A list of objects, or an object with one: {"earnings": [...]}. Lines are numbers of entries. */
function jsonRows(bytes: Uint8Array): Rows | string {
  let given: unknown;
  try {
    given = JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    return `it is no JSON (${messageOf(error)}); fetch it again`;
  }
  const [name, list] = Array.isArray(given)
    ? ['', given]
    : (Object.entries(EntrySchema.safeParse(given).data ?? {}).find(([, value]) => Array.isArray(value)) ?? ['', null]);
  if (!Array.isArray(list))
    return 'it has no list of events; write [{"kind": "earnings", "symbol": "AAPL", "date": "2026-02-24"}]';
  const hints = new Set([name]);
  const rows = list.map((one: unknown, index) => {
    const entry = EntrySchema.safeParse(one);
    if (!entry.success) return { line: index + 1, fields: 'it is no object with a date' };
    const names = Object.keys(entry.data);
    const positions = fieldPositions(names);
    hints.add(names[positions.date] ?? '');
    const text = (value: unknown): string =>
      typeof value === 'string' || typeof value === 'number' ? String(value) : '';
    return { line: index + 1, fields: fieldsFrom((field) => text(entry.data[names[positions[field]] ?? ''])) };
  });
  return { rows, hints: [...hints], hasMidnight: false };
}
