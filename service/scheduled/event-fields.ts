// Service, what is due: turns the fields of a row, an entry or a VEVENT into an event, or says why it is none.
import { isSymbol } from '../../shared/domain/instruments.ts';
import {
  KINDS_OF_SYMBOLS,
  partOfSession,
  SCHEDULED_KINDS,
  type ScheduledEvent,
  type ScheduledKind,
  type SessionPart,
} from '../../shared/domain/scheduled-events.ts';
import { calendarDate, type SessionCalendar, zonedTime, zoneOf } from '../../shared/domain/sessions.ts';
import { DAY_MS, dateOf } from '../../shared/lib/time.ts';
import { timestamp } from '../../shared/wire/primitives.ts';
import { bareName } from '../market/files/columns.ts';
import { type DateFormat, instantOf, isZone, readWritten } from '../market/files/dates.ts';
import { vendorSymbol } from '../market/files/symbols.ts';

/** What a column may be, with its names as `bareName` gives them, preferred ones first. */
const NAMES = {
  symbol: 'symbol, ticker, instrument, security, code, act symbol, tradingsymbol',
  date: 'date, day, datetime, date time, event date, report date, earnings date, announcement date, ex date, exdate, ex dividend date, ex div date, execution date, release date, start, start date, event start date, datum, fecha',
  time: 'time, hour, timing, session, time of day, before after market, report time, earnings call time, release time, uhrzeit',
  zone: 'zone, time zone, timezone, tz',
  kind: 'kind, type, event type, category, art',
  title: 'title, name, event, event name, summary, description, company, company name, indicator, subject',
} as const;
export type EventField = keyof typeof NAMES;
export const EVENT_FIELDS = Object.keys(NAMES) as EventField[];
const NAMED = new Map(EVENT_FIELDS.map((field) => [field, NAMES[field].split(', ')]));

/** Position of the column of each field; -1: there is none. @param names as written */
export function fieldPositions(names: readonly string[]): Readonly<Record<EventField, number>> {
  const bare = names.map((name) => bareName(name.replace(/([a-z])([A-Z])/g, '$1 $2')));
  const at = (field: EventField): number => bare.indexOf(NAMED.get(field)?.find((name) => bare.includes(name)) ?? '\0');
  return Object.fromEntries(EVENT_FIELDS.map((field) => [field, at(field)])) as Record<EventField, number>;
}

/** '' for a field that is not stated. */
export type EventFields = Readonly<Record<EventField, string>>;

/** What is read beside the fields. */
export interface EventReading {
  readonly file: string;
  readonly dateFormat: DateFormat;
  /** What else says the kind of all events: the name of the date's column, of the calendar, of the file. */
  readonly hints: readonly string[];
  /** Whether midnight is a time: exports of tables write it for "no time". */
  readonly hasMidnight: boolean;
  readonly calendarOf: (symbol: string) => SessionCalendar;
  /** Whether the service has the symbol, so that a first word is one. */
  readonly knows: (symbol: string) => boolean;
}

const KIND_WORDS: readonly (readonly [ScheduledKind, RegExp])[] = [
  ['earnings', /earning|\bresults\b|\beps\b|quartalszahlen/i],
  ['dividend', /dividend|\bex.?(div|date)|distribution/i],
  ['split', /\bsplits?\b/i],
  [
    'central_bank',
    /central.?bank|fomc|federal reserve|\bfed\b|\b(ecb|boe|boj|snb|rba|boc|rbnz|riksbank)\b|(rate|policy) decision|interest rate|monetary policy/i,
  ],
  ['inflation', /inflation|\b(cpi|ppi|pce|hicp)\b|(consumer|producer) prices?\b/i],
];
const kindIn = (text: string): ScheduledKind | null =>
  SCHEDULED_KINDS.find((kind) => kind.replace('_', ' ') === text.trim().toLowerCase().replaceAll(/[_-]/g, ' ')) ??
  KIND_WORDS.find(([, pattern]) => pattern.test(text))?.[0] ??
  null;

const PART_WORDS: readonly (readonly [SessionPart | null, RegExp])[] = [
  ['before_open', /^(bmo|bto|(time )?pre ?market.*|before.*)$/],
  ['after_close', /^(amc|(time )?after.*|post ?market.*)$/],
  ['during', /^(dmh|dmt|during.*|intraday)$/],
  [null, /^(tas|tns|time not supplied|not supplied|unknown|none|all day|tbd|n a|na|)$/],
];

/** Clocks by the letters that people write, summer or winter alike. */
const CLOCKS: Readonly<Record<string, string>> = {
  ...{ ET: 'America/New_York', EST: 'America/New_York', EDT: 'America/New_York', BST: 'Europe/London' },
  ...{ CET: 'Europe/Berlin', CEST: 'Europe/Berlin', JST: 'Asia/Tokyo' },
};

/** @returns the event, or one sentence about why it is none and how to mend it */
export function eventOf(fields: EventFields, reading: EventReading): ScheduledEvent | string {
  const { file, calendarOf } = reading;
  const symbol = symbolOf(fields, reading.knows);
  if (symbol !== null && !isSymbol(symbol))
    return `"${symbol.slice(0, 30)}" is no symbol; use 1 to 15 of A-Z 0-9 . ^ = -`;
  const kind = kindOf(fields, reading);
  if (kind === null) return `it does not say what is due; add a column kind: ${SCHEDULED_KINDS.join(', ')}`;
  if (symbol === null && KINDS_OF_SYMBOLS.includes(kind))
    return `it names no symbol, and ${kind} is of one; name it in a column symbol, or in the title like (AAPL), or give it the kind other`;
  const zone = fields.zone === '' ? null : (CLOCKS[fields.zone.toUpperCase()] ?? fields.zone);
  if (zone !== null && !isZone(zone)) return `"${zone.slice(0, 40)}" is no time zone; write one like America/New_York`;
  const market = symbol === null ? 'unknown' : calendarOf(symbol);
  // A time is not read on the clock of an exchange that is not known.
  const calendar = market === 'unknown' ? null : market;
  const when = whenOf(fields, reading, zone ?? (calendar === null ? null : zoneOf(calendar)));
  if (typeof when === 'string') return when;
  const title = (fields.title || (kindIn(fields.kind) === null ? fields.kind : ''))
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, 200);
  const common = { kind, symbol, title, source: file };
  const { instant, part } = when;
  if (instant === null)
    return { ...common, date: when.date, at: null, part, zone: calendar === null ? zone : zoneOf(calendar) };
  const own = { ...common, at: timestamp(instant) };
  if (calendar === null) return { ...own, date: dateIn(instant, when.zone), part, zone: when.zone };
  return {
    ...own,
    date: calendarDate(calendar, instant),
    part: partOfSession(calendar, instant),
    zone: zoneOf(calendar),
  };
}

function symbolOf({ symbol, title }: EventFields, knows: (symbol: string) => boolean): string | null {
  if (symbol !== '') return /^[\s*-]*$|^(all|none|market)$/i.test(symbol) ? null : vendorSymbol(symbol);
  const [, named = null] = /\(((?:[A-Z]+:\s?)?[A-Z0-9.^=-]{1,15})\)|\$([A-Z][A-Z.]{0,9})\b/.exec(title) ?? [];
  const first = /^[A-Z0-9.^=-]{1,15}(?=$|[\s:,])/.exec(title)?.[0] ?? '';
  if (named !== null && (named.includes(':') || knows(vendorSymbol(named)))) return vendorSymbol(named);
  return knows(first) ? first : null;
}

function kindOf({ kind, title }: EventFields, { hints }: EventReading): ScheduledKind | null {
  const found = kindIn(kind) ?? (title === '' ? null : kindIn(title));
  if (found !== null) return found;
  return hints.map(kindIn).find((one) => one !== null) ?? (kind === '' && title === '' ? null : 'other');
}

interface When {
  readonly date: string;
  readonly instant: number | null;
  /** The clock of the instant. */
  readonly zone: string;
  readonly part: SessionPart | null;
}

/** @param clock the zone of a time that names none; null: none is known */
function whenOf(
  { date, time }: EventFields,
  { dateFormat, hasMidnight }: EventReading,
  clock: string | null,
): When | string {
  const part = PART_WORDS.find(([, pattern]) => pattern.test(bareName(time.replace(/([a-z])([A-Z])/g, '$1 $2'))));
  const [, clockTime = '', letters = ''] = /^(.*?)(?: ([A-Z]{2,4}))?$/i.exec(part === undefined ? time : '') ?? [];
  const named = CLOCKS[letters.toUpperCase()];
  const text = part !== undefined ? date : `${date} ${named === undefined ? time : clockTime}`;
  const written = readWritten(text, dateFormat);
  const isOfDate = readWritten(date, dateFormat) !== null;
  if (written === null)
    return isOfDate
      ? `"${time.slice(0, 30)}" is no time; write 16:30, or before open, during or after close`
      : `"${date.slice(0, 30)}" is no date; write it as 2026-02-24`;
  const { minute } = written;
  const zone = named ?? clock;
  const isDay =
    written.date === '' ? (written.instant ?? 0) % DAY_MS === 0 : minute === null || (minute === 0 && !hasMidnight);
  const day = written.date === '' ? dateOf(written.instant ?? 0) : written.date;
  if (isDay) return { date: day, instant: null, zone: zone ?? 'UTC', part: part?.[0] ?? null };
  if (written.instant !== null) return { date: day, instant: written.instant, zone: zone ?? 'UTC', part: null };
  if (zone === null || minute === null)
    return 'it has a time, and neither a zone nor a symbol whose exchange has one; add a column zone, like America/New_York';
  return { date: day, instant: instantOf(day, minute, zone), zone, part: null };
}

function dateIn(instant: number, zone: string): string {
  const { year, month, day } = zonedTime(instant, zone);
  return dateOf(Date.UTC(year, month - 1, day));
}
