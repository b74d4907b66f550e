// Pure: the schemas of symbols, times and identifiers that all records share.
import { z } from 'zod';
import { normalizeSymbol, SYMBOL_PATTERN } from '../domain/instruments.ts';

/** ISO 8601 UTC with Z and milliseconds: the form that the service emits. */
export const TimestampSchema = z.iso.datetime({ precision: 3 }).meta({ example: '2026-03-02T14:30:00.000Z' });

/**
 * ISO 8601 date, or date-time with Z or an offset: the form that the service accepts. A naive time is
 * refused.
 */
export const InstantSchema = z.union([z.iso.datetime({ offset: true }), z.iso.date()], {
  error: 'must be an ISO 8601 date, or a date-time with Z or an offset, like 2026-03-02T14:30:00Z',
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
