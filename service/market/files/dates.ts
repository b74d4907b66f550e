// Service, price files: dates and times in the forms of price files, and which form a column has.
import {
  instantIn,
  type SessionCalendar,
  sessionClose,
  sessionOn,
  zonedTime,
} from '../../../shared/domain/sessions.ts';
import { DAY_MS, dateOf, HOUR_MS, MINUTE_MS } from '../../../shared/lib/time.ts';

/**
 * A separator may be / - or a point, a year may have two digits where YYYY does not begin, and a time may follow.
 * `instant`: an ISO date and time, or the time since 1970.
 */
export const DATE_FORMATS = [
  'YYYY-MM-DD',
  'YYYYMMDD',
  'MM/DD/YYYY',
  'DD/MM/YYYY',
  'DD.MM.YYYY',
  'YY/MM/DD',
  'DD MMM YYYY',
  'instant',
] as const;
export type DateFormat = (typeof DATE_FORMATS)[number];

const END = '(?=$|[T ,;])';
const YEAR_FIRST = '(?<year>\\d{4})([-/.])(?<month>\\d{1,2})\\2(?<day>\\d{1,2})';
const SHORT_YEAR = '(?<year>\\d{4}|\\d{2})';
const MONTH = '(?<name>\\p{L}{3,12})\\.?';
const WEEKDAY = '(?:\\p{L}{2,9}[.,]{0,2} +)?';
const form = (...bodies: readonly string[]): readonly RegExp[] =>
  bodies.map((body) => new RegExp(`^${body}${END}`, 'u'));

const PATTERNS: Readonly<Record<DateFormat, readonly RegExp[]>> = {
  // 2024年1月16日, 2024. 1. 16.; Taiwan counts years from 1911: 113/01/16.
  'YYYY-MM-DD': form(
    YEAR_FIRST,
    '(?<year>\\d{4})[\u5e74\ub144.] ?(?<month>\\d{1,2})[\u6708\uc6d4.] ?(?<day>\\d{1,2})[\u65e5\uc77c.]',
    '(?<year>1\\d{2})\\/(?<month>\\d{2})\\/(?<day>\\d{2})',
  ),
  YYYYMMDD: form('(?<year>\\d{4})(?<month>\\d{2})(?<day>\\d{2})'),
  'MM/DD/YYYY': form(`(?<month>\\d{1,2})([-/])(?<day>\\d{1,2})\\2${SHORT_YEAR}`),
  'DD/MM/YYYY': form(`(?<day>\\d{1,2})([-/])(?<month>\\d{1,2})\\2${SHORT_YEAR}`),
  'DD.MM.YYYY': form(`(?<day>\\d{1,2})\\.(?<month>\\d{1,2})\\.${SHORT_YEAR}`),
  'YY/MM/DD': form('(?<year>\\d{2})([-/.])(?<month>\\d{1,2})\\2(?<day>\\d{1,2})'),
  'DD MMM YYYY': form(
    `${WEEKDAY}(?<day>\\d{1,2})[. -]{1,2}${MONTH}[ ,-]{1,2}${SHORT_YEAR}`,
    `${WEEKDAY}${MONTH}[ -](?<day>\\d{1,2}),?[ -]${SHORT_YEAR}`,
    `(?<year>\\d{4})[- ]${MONTH}[- ](?<day>\\d{1,2})`,
  ),
  instant: form(YEAR_FIRST),
};

/** Months by their first three letters, in the languages that exports are in, without accents. */
const MONTHS = new Map(
  [
    ['jan', 'ene', 'gen'],
    ['feb', 'fev'],
    ['mar', 'mrz'],
    ['apr', 'avr', 'abr'],
    ['may', 'mai', 'mag'],
    ['jun', 'giu', 'juin'],
    ['jul', 'lug', 'juil'],
    ['aug', 'aou', 'ago'],
    ['sep', 'set'],
    ['oct', 'okt', 'ott', 'out'],
    ['nov'],
    ['dec', 'dez', 'dic'],
  ].flatMap((names, index) => names.map((name) => [name, index + 1] as const)),
);
const monthOf = (name: string): number | undefined => {
  const bare = name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  return MONTHS.get(bare.slice(0, 4)) ?? MONTHS.get(bare.slice(0, 3));
};

const REST =
  /^(?:[T ,;]+(?<hour>\d{1,2}):?(?<minute>\d{2})(?::?\d{2}(?:[.,]\d+)?)?(?: ?(?<half>[AP])M)?)?(?: ?(?<offset>Z|(?:UTC|GMT)?[+-]\d{2}:?\d{2}|UTC|GMT|(?<place>[A-Z]+\/[A-Z_]+)))?$/i;
/** Seconds have up to eleven digits, milliseconds, microseconds and nanoseconds three more each. */
const SINCE_1970 = /^-?\d{1,20}(\.0+)?$/;
const MAX_SECONDS = 1e11;
/** Numbers that are days of spreadsheets (45307) or dates without signs (16012024), and no column of seconds. */
const SHORT_NUMBER = /^-?\d{1,8}(\.0+)?$/;

/** A date as written, and its time of day if one is written. */
export interface WrittenDate {
  /** YYYY-MM-DD on the clock of its writer; '' for seconds since 1970. */
  readonly date: string;
  /** Minutes since midnight; null: none is written. */
  readonly minute: number | null;
  /** UTC ms, if an offset is written; null: the zone is not said. */
  readonly instant: number | null;
}

const known = new Map(DATE_FORMATS.map((format) => [format, new Map<string, WrittenDate | null>()]));
const MAX_KNOWN = 50_000;

/**
 * Remembers what it read: the files of all symbols have the same days.
 * @returns null: it has another form, or there is no such day
 */
export function readWritten(text: string, format: DateFormat): WrittenDate | null {
  const ofFormat = known.get(format);
  const before = ofFormat?.get(text);
  if (before !== undefined) return before;
  const read = parseWritten(text, format);
  if ((ofFormat?.size ?? 0) >= MAX_KNOWN) ofFormat?.clear();
  // A copy: a slice would keep the text of its whole file.
  if (text.length < 64) ofFormat?.set(Buffer.from(text).toString(), read);
  return read;
}

function parseWritten(text: string, format: DateFormat): WrittenDate | null {
  if (format === 'instant' && SINCE_1970.test(text)) {
    let instant = Number(text) * 1000;
    while (Math.abs(instant) >= MAX_SECONDS * 1000) instant /= 1000;
    return { date: '', minute: null, instant: Math.round(instant) };
  }
  for (const pattern of PATTERNS[format]) {
    const match = pattern.exec(text);
    const rest = match === null ? null : REST.exec(text.slice(match[0].length));
    const date = match === null ? null : dateFrom(match.groups ?? {});
    if (rest !== null && date !== null) return withTime(date, rest.groups ?? {});
  }
  return null;
}

type Parts = Readonly<Record<string, string | undefined>>;

function dateFrom({ year = '', month, day = '', name = '' }: Parts): string | null {
  const number = month ?? monthOf(name);
  if (number === undefined) return null;
  // Files of prices begin after 1970 where their years have two digits.
  const whole =
    year.length === 2 ? `${Number(year) < 70 ? 20 : 19}${year}` : year.length === 3 ? `${Number(year) + 1911}` : year;
  const date = `${whole}-${String(number).padStart(2, '0')}-${day.padStart(2, '0')}`;
  return isDate(date) ? date : null;
}

function withTime(date: string, { hour, minute, half, offset, place }: Parts): WrittenDate | null {
  if (hour === undefined) return { date, minute: null, instant: null };
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (half.toUpperCase() === 'P' ? 12 : 0);
  const minutes = hours * 60 + Number(minute);
  if (hours > 23 || Number(minute) > 59) return null;
  if (offset === undefined) return { date, minute: minutes, instant: null };
  if (place !== undefined)
    return isZone(place) ? { date, minute: minutes, instant: instantOf(date, minutes, place) } : null;
  const [, sign = '+', east = '0', rest = '0'] = /([+-])(\d{2}):?(\d{2})/.exec(offset) ?? [];
  const ahead = (Number(east) * HOUR_MS + Number(rest) * MINUTE_MS) * (sign === '-' ? -1 : 1);
  return { date, minute: minutes, instant: Date.parse(date) + minutes * MINUTE_MS - ahead };
}

/**
 * The session that a row of a day belongs to: midnight is the date itself, another time is within or before it.
 * @param zone zone whose calendar date counts; null: the exchange's sessions decide
 */
export function sessionDate({ date, minute, instant }: WrittenDate, calendar: SessionCalendar, zone: string | null) {
  if (instant === null) return date;
  if (zone !== null) return dateIn(instant, zone);
  const isDay = date === '' ? instant % DAY_MS === 0 : minute === 0;
  if (isDay) return date === '' ? dateOf(instant) : date;
  for (let at = instant - DAY_MS; ; at += DAY_MS) {
    const [day, next] = [dateOf(at), dateOf(at + DAY_MS)];
    const close = sessionClose(calendar, day);
    // A bar may be stamped with its close, unless the next begins then.
    if (instant < close || (instant === close && sessionOn(calendar, next).open > instant)) return day;
  }
}

function dateIn(instant: number, zone: string): string {
  const { year, month, day } = zonedTime(instant, zone);
  return dateOf(Date.UTC(year, month - 1, day));
}

export const isZone = (name: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== null;
  } catch {
    return false;
  }
};

/** UTC ms of a time on the clock of a zone. */
export function instantOf(date: string, minute: number, zone: string): number {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  return instantIn(zone, year, month, day, minute);
}

export function isDate(text: string): boolean {
  // Programs write the year 1 for no date.
  if (!/^(1[6-9]|2\d)\d{2}-\d{2}-\d{2}$/.test(text)) return false;
  const at = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

export interface DatedLine {
  readonly symbol: string;
  readonly text: string;
}

/** Lines whose dates say how they are written, unless one of several orders is in question. */
const SAMPLE_LINES = 300;
/** Distinct days from which their order says how they are written. */
const ORDERED_DAYS = 5;
/** Forms that differ in the order of day, month and year alone. */
const ORDERS: readonly DateFormat[] = ['MM/DD/YYYY', 'DD/MM/YYYY', 'DD.MM.YYYY', 'YY/MM/DD'];
/** Where the year is in question, days further apart are no rows of prices: 24/01/16 and 24/01/17 are not of 2016 and 2017. */
const LONGEST_STEP_MS = 300 * DAY_MS;

/**
 * The forms in which most dates of a column are written; several: nothing in the file says which.
 * @param byLine each with the symbol of its row, in the order of the file
 * @param given form that a person gave, or that the publisher always uses; null: none
 */
export function formatsOf(byLine: readonly DatedLine[], given: DateFormat | null): readonly DateFormat[] {
  const sample = bestFormats(byLine.slice(0, SAMPLE_LINES));
  // A later day above 12 may say which is the month.
  const best = sample.some((format) => ORDERS.includes(format)) ? bestFormats(byLine) : sample;
  if (given !== null && (best.includes(given) || best.length === 0)) return [given];
  const orders = best.filter((format) => ORDERS.includes(format));
  if (orders.length === 0) return best.slice(0, 1);
  const distinct = [...new Set(byLine.map(({ text }) => text))];
  const daysOf = (format: DateFormat): string => distinct.map((text) => readWritten(text, format)?.date).join();
  // 5/5/2024 is the same day either way.
  const different = [...new Map(orders.map((format) => [daysOf(format), format])).values()];
  if (different.length === 1 || distinct.length < ORDERED_DAYS) return different;
  const longestMs = orders.includes('YY/MM/DD') ? LONGEST_STEP_MS : Number.POSITIVE_INFINITY;
  const ordered = different.filter((format) => isOrdered(byLine, format, longestMs));
  return ordered.length === 1 ? ordered : different;
}

/** The forms that read most of the dates. */
function bestFormats(lines: readonly DatedLine[]): readonly DateFormat[] {
  const texts = [...new Set(lines.map(({ text }) => text))];
  const isRead = (text: string, format: DateFormat): boolean =>
    readWritten(text, format) !== null && !(format === 'instant' && SHORT_NUMBER.test(text));
  const counts = DATE_FORMATS.map((format) => texts.filter((text) => isRead(text, format)).length);
  const most = Math.max(...counts);
  return DATE_FORMATS.filter((_, index) => most > 0 && counts[index] === most);
}

/** Whether the dates of every symbol ascend, or those of every symbol descend, with steps below `longestMs`. */
function isOrdered(byLine: readonly DatedLine[], format: DateFormat, longestMs: number): boolean {
  const last = new Map<string, string>();
  const steps = new Set<number>();
  let shortest = Number.POSITIVE_INFINITY;
  for (const { symbol, text } of byLine) {
    const date = readWritten(text, format)?.date;
    if (date === undefined) continue;
    const before = last.get(symbol) ?? date;
    last.set(symbol, date);
    if (date === before) continue;
    steps.add(date > before ? 1 : -1);
    shortest = Math.min(shortest, Math.abs(Date.parse(date) - Date.parse(before)));
  }
  return steps.size === 1 && shortest < longestMs;
}
