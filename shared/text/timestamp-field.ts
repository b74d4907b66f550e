// Pure: formats and parses a timestamp in a field, in the zone in which times are shown.
import { instantIn, zonedTime } from '../domain/sessions.ts';
import { type Zone, zoneId } from './format.ts';

const idOf = (zone: Zone): string => zoneId(zone) ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;
const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** "2026-03-04T15:30". */
export function formatField(ms: number, zone: Zone): string {
  const { year, month, day, minute } = zonedTime(ms, idOf(zone));
  return `${year}-${twoDigits(month)}-${twoDigits(day)}T${twoDigits(Math.floor(minute / 60))}:${twoDigits(minute % 60)}`;
}

/** The format of a day in a field, whatever the locale of the browser. */
export const DAY_FORMAT = 'YYYY-MM-DD';
/** The format of a timestamp in a field. */
export const TIMESTAMP_FORMAT = `${DAY_FORMAT} HH:MM`;

/** @returns "2026-03-04"; null if the text is no day */
export function parseDay(text: string): string | null {
  const [, year, month, day] = (/^(\d{4})[-/.](\d\d?)[-/.](\d\d?)$/.exec(text.trim()) ?? []).map(Number);
  if (year === undefined || month === undefined || day === undefined) return null;
  const date = new Date(Date.UTC(year, month - 1, day));
  return year < 1000 || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day
    ? null
    : date.toISOString().slice(0, 10);
}

/** A blank may replace the T. @returns ms; null if the text is no timestamp */
export function parseTimestamp(text: string, zone: Zone): number | null {
  const [, year, month, day, hour, minute] = (
    /^(\d{4})[-/.](\d\d?)[-/.](\d\d?)[T ]+(\d\d?):(\d\d)$/.exec(text.trim()) ?? []
  ).map(Number);
  if (year === undefined || month === undefined || day === undefined || hour === undefined || minute === undefined)
    return null;
  const date = new Date(Date.UTC(year, month - 1, day));
  if (date.getUTCMonth() !== month - 1 || hour > 23 || minute > 59) return null;
  return instantIn(idOf(zone), year, month, day, hour * 60 + minute);
}
