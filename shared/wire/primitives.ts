// Pure: the schemas of symbols, times and identifiers that all records share.
import { z } from 'zod';
import { normalizeSymbol, SYMBOL_PATTERN } from '../domain/instruments.ts';

/** A text that the package for TypeScript declares as a time. */
export type Timestamp = string & Record<never, never>;
/** ISO 8601 UTC with Z and milliseconds: the form that the service emits. */
export const TimestampSchema: z.ZodType<Timestamp, Timestamp> = z.iso
  .datetime({ precision: 3 })
  .meta({ example: '2026-03-02T14:30:00.000Z' });

/** ISO 8601 in files and on command lines: a date, or a date-time with Z or an offset. A naive time is refused. */
export const ZonedInstantSchema = z.union([z.iso.datetime({ offset: true }), z.iso.date()], {
  error: 'must be an ISO 8601 date, or a date-time with Z or an offset, like 2026-03-02T14:30:00Z',
});

const DATE = /^(\d{4})-?(\d{2})-?(\d{2})$/;
const TIME = /^(\d{2})(?::?(\d{2})(?::?(\d{2})(?:[.,](\d{1,9}))?)?)?$/;
const ZONE = /^[+-](\d{2})(?::?(\d{2}))?$/;

/**
 * ISO 8601: a calendar date, or a date and time, in the extended form or the basic one; without a zone it is
 * UTC. Both halves have the same form. @returns ms, or null for anything else
 */
export function instantOf(given: string): number | null {
  const [date = '', rest, ...afterTime] = given.split(/[Tt]/);
  const [time = '', zone = '', ...afterZone] = (rest ?? '').split(/(?=[Zz+-])/);
  if (afterTime.length > 0 || afterZone.length > 0) return null;
  const [, year, month, day] = DATE.exec(date) ?? [];
  if (day === undefined || (date.length !== 10 && date.length !== 8)) return null;
  const isBasic = date.length === 8;
  if (rest !== undefined && time.length > 2 && time.includes(':') === isBasic) return null;
  const [, hour = '0', minute = '0', second = '0', fraction = ''] = TIME.exec(rest === undefined ? '00' : time) ?? [];
  if (rest !== undefined && !TIME.test(time)) return null;
  const isZulu = zone === '' || zone === 'Z' || zone === 'z';
  const [, zoneHours = '0', zoneMinutes = '0'] = ZONE.exec(zone) ?? [];
  if (!isZulu && !ZONE.test(zone)) return null;
  const [h, m, s] = [Number(hour), Number(minute), Number(second)];
  // The end of a day may be written as hour 24; a leap second counts as the next one.
  const isTime = (h < 24 && m < 60 && s <= 60) || (h === 24 && m === 0 && s === 0);
  if (!isTime || Number(zoneHours) > 23 || Number(zoneMinutes) > 59) return null;
  // Not Date.UTC: it reads the years 0 to 99 as 1900 to 1999.
  const midnight = new Date(0).setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  if (new Date(midnight).toISOString().slice(0, 10) !== `${year}-${month}-${day}`) return null;
  const offset = (Number(zoneHours) * 60 + Number(zoneMinutes)) * (zone.startsWith('-') ? -60_000 : 60_000);
  const ms = Math.floor(Number(`0.${fraction || '0'}`) * 1000);
  return midnight + ((h * 60 + m) * 60 + s) * 1000 + ms - offset;
}

/** The first year that a timestamp can say, and the one after the last, ms. */
const [EARLIEST, LATEST] = [Date.parse('0001-01-01T00:00:00Z'), Date.parse('9999-12-31T23:59:59.999Z')];
/** An instant as the service accepts it; parsed, it has the form that the service emits. */
export const InstantSchema = z.string().transform((given, context) => {
  const ms = instantOf(given.trim());
  if (ms !== null && ms >= EARLIEST && ms <= LATEST) return timestamp(ms);
  context.addIssue({
    code: 'custom',
    message:
      'must be an ISO 8601 date or date and time, like 2026-03-02, 20260302, 2026-03-02T14:30:00Z, 2026-03-02T14:30+01:00 or 20260302T1430Z; without a zone it is UTC',
  });
  return z.NEVER;
});

/** A symbol as the service emits it. */
export const SymbolSchema = z
  .string()
  .regex(SYMBOL_PATTERN, 'must be a symbol: 1 to 15 letters, digits or . ^ = -')
  .meta({ description: 'Symbol, in upper case.', example: 'SPY' });

export const EVENT_ID_EXAMPLE = 'evt_01KJQF9EJ0001HS8R9DDQY75';
export const EventIdSchema = z.string().min(1).max(128).meta({
  description:
    'Id of the event, the same in the stream, in webhooks, in /events and in /alert-transitions; sortable by time, unique for ever.',
  example: EVENT_ID_EXAMPLE,
});

/** A symbol as a request gives it: any case. */
export const SymbolParamSchema = z
  .string()
  .transform(normalizeSymbol)
  .pipe(SymbolSchema)
  .meta({ description: 'A symbol; case does not matter.', example: 'SPY' });

/** Milliseconds since the epoch as the service writes times. */
export const timestamp = (ms: number): string => new Date(ms).toISOString();

/** A comma list or a repeated parameter; empty entries are dropped. */
export const ListParamSchema = z.union([z.string(), z.array(z.string())]).transform((given) =>
  [given]
    .flat()
    .flatMap((part) => part.split(','))
    .map((part) => part.trim())
    .filter((part) => part !== ''),
);

/** A whole number in a query string, within [min, max]; signs, fractions and exponents are refused. */
export const countParam = (min: number, max: number) => {
  const error = `must be a whole number from ${min} to ${max}`;
  return z
    .union(
      [
        z.number(),
        z
          .string()
          .regex(/^\d{1,9}$/)
          .transform(Number),
      ],
      { error },
    )
    .pipe(z.number({ error }).int(error).min(min, error).max(max, error));
};
