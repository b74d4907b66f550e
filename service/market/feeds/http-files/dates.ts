// Service, price files over HTTP: parses session dates in the formats of price files.
import { zonedTime } from '../../../../shared/domain/sessions.ts';
import { isDate } from '../../csv/prices.ts';

/** `instant`: start of the session, as ISO 8601 date and time, or as seconds or milliseconds since 1970. */
export const DATE_FORMATS = ['YYYY-MM-DD', 'YYYYMMDD', 'MM/DD/YYYY', 'DD/MM/YYYY', 'DD.MM.YYYY', 'instant'] as const;
export type DateFormat = (typeof DATE_FORMATS)[number];

const PATTERNS: Readonly<Record<Exclude<DateFormat, 'instant'>, RegExp>> = {
  'YYYY-MM-DD': /^(?<year>\d{4})-(?<month>\d{1,2})-(?<day>\d{1,2})$/,
  YYYYMMDD: /^(?<year>\d{4})(?<month>\d{2})(?<day>\d{2})$/,
  'MM/DD/YYYY': /^(?<month>\d{1,2})\/(?<day>\d{1,2})\/(?<year>\d{4})$/,
  'DD/MM/YYYY': /^(?<day>\d{1,2})\/(?<month>\d{1,2})\/(?<year>\d{4})$/,
  'DD.MM.YYYY': /^(?<day>\d{1,2})\.(?<month>\d{1,2})\.(?<year>\d{4})$/,
};
const LOCAL_TIME = /^(\d{4}-\d{2}-\d{2})[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?$/;
const ZONED_TIME = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})$/;
/** Seconds have ten digits from 2001 to 2286, milliseconds thirteen. */
const SINCE_1970 = /^-?\d{1,13}$/;
const MAX_SECONDS = 1e11;

/**
 * @param zone time zone of the session date of an instant, and of times without an offset
 * @returns YYYY-MM-DD, or null
 */
export function readDate(text: string, format: DateFormat, zone: string): string | null {
  if (format !== 'instant') return fromParts(PATTERNS[format].exec(text)?.groups ?? {});
  const local = LOCAL_TIME.exec(text)?.[1];
  if (local !== undefined) return isDate(local) ? local : null;
  const at = instantOf(text);
  if (at === null) return null;
  const { year, month, day } = zonedTime(at, zone);
  return fromParts({ year: String(year), month: String(month), day: String(day) });
}

function fromParts({ year = '', month = '', day = '' }: Readonly<Record<string, string>>): string | null {
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return isDate(date) ? date : null;
}

function instantOf(text: string): number | null {
  if (SINCE_1970.test(text)) {
    const number = Number(text);
    return Math.abs(number) < MAX_SECONDS ? number * 1000 : number;
  }
  const at = ZONED_TIME.test(text) ? Date.parse(text.replace(' ', 'T')) : Number.NaN;
  return Number.isNaN(at) ? null : at;
}
