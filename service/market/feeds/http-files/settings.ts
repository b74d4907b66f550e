// Service, price files over HTTP: schema and parser of the settings.
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { ASSET_CLASSES } from '../../../../shared/domain/instruments.ts';
import { SESSION_CALENDARS } from '../../../../shared/domain/sessions.ts';
import { messageOf } from '../../../../shared/lib/result.ts';
import { DATE_FORMATS } from '../../files/dates.ts';
import { ColumnSchema, SymbolSchema, ZoneSchema } from '../../files/mapping.ts';

const ColumnsSchema = z.strictObject({
  symbol: ColumnSchema.optional(),
  date: ColumnSchema,
  open: ColumnSchema.optional(),
  high: ColumnSchema.optional(),
  low: ColumnSchema.optional(),
  close: ColumnSchema,
  volume: ColumnSchema.optional(),
  /** The close after splits and dividends, which all prices are scaled to. */
  adjusted: ColumnSchema.optional(),
  /** The time of day, where it stands beside the date. */
  time: ColumnSchema.optional(),
});

const UrlSchema = z.string().refine((text) => {
  const url = URL.parse(text.replaceAll(/[{}]/g, ''));
  return url !== null && ['http:', 'https:'].includes(url.protocol) && url.username === '' && url.password === '';
}, 'is no address; write one like https://prices.example/{symbol}.csv, without a user name');

const FileSchema = z
  .strictObject({
    /** {symbol}, {from} and {to} are replaced; the dates are written as YYYY-MM-DD. */
    url: UrlSchema,
    /** A list of symbols, or a map from symbols to their names in the address or the file. */
    symbols: z.union([
      z
        .array(SymbolSchema)
        .min(1)
        .transform((list) => Object.fromEntries(list.map((one) => [one, one]))),
      z.record(SymbolSchema, z.string().trim().min(1).max(100)),
    ]),
    /** Names for people, by symbol. */
    names: z.record(SymbolSchema, z.string().trim().min(1).max(100)).default({}),
    /** Default: inferred from the symbol. */
    assetClass: z.enum(ASSET_CLASSES).optional(),
    /** Default: the calendar of the asset class. */
    calendar: z.enum(SESSION_CALENDARS).optional(),
    /** Of the prices. Default: by the suffix of the symbol. */
    currency: z
      .string()
      .regex(/^[A-Z]{3,5}$/i)
      .optional(),
    /** How the file is written; what is left out, the file says itself, as in a price folder. */
    columns: ColumnsSchema.optional(),
    hasHeader: z.boolean().optional(),
    delimiter: z.enum([',', ';', '\t', '|']).optional(),
    decimal: z.enum(['.', ',']).optional(),
    dateFormat: z.enum(DATE_FORMATS).optional(),
    /** Time zone of dates that are instants. */
    zone: ZoneSchema.optional(),
    /** Time from the close of a session until the file has its row. */
    delayMinutes: z.int().min(0).max(2880).default(30),
    /** Other hosts to which the address may redirect, always by https. */
    redirectHosts: z.array(z.string().min(1)).default([]),
    /** A header for the key; `{key}` is replaced. */
    keyHeader: z.strictObject({ name: z.string().regex(/^[\w-]+$/), value: z.string().includes('{key}') }).optional(),
  })
  .refine(
    ({ hasHeader, columns }) =>
      hasHeader !== false || Object.values(columns ?? { date: '' }).every((one) => typeof one === 'number'),
    'without a header (hasHeader: false), columns must be positions',
  )
  .refine(
    ({ url, symbols, columns }) =>
      url.includes('{symbol}') ||
      Object.keys(symbols).length === 1 ||
      columns === undefined ||
      columns.symbol !== undefined,
    'has several symbols: put {symbol} into url, or name the column of the symbol in columns.symbol',
  );
export type FileSettings = z.infer<typeof FileSchema>;

const SettingsSchema = z.strictObject({ files: z.array(FileSchema).min(1).max(1000) }).refine(({ files }) => {
  const symbols = files.flatMap((file) => Object.keys(file.symbols));
  return new Set(symbols).size === symbols.length;
}, 'a symbol is in two entries of files; leave one');

/** @throws Error with one sentence: what is wrong and where */
export function parseFileSettings(json: string, name: string): readonly FileSettings[] {
  let value: unknown;
  try {
    value = JSON.parse(json.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new Error(`${name} is no JSON: ${messageOf(error)}`);
  }
  const read = SettingsSchema.safeParse(value);
  if (read.success) return read.data.files;
  const [issue] = read.error.issues;
  const where = issue?.path.length ? `${issue.path.map(String).join('.')}: ` : '';
  throw new Error(`${name}: ${where}${issue?.message ?? 'is not understood'} (docs/operating.md has examples)`);
}

/**
 * @param file null: none was named
 * @throws Error with one sentence
 */
export function readFileSettings(file: string | null): readonly FileSettings[] {
  if (file === null)
    throw new Error(
      '--feed http-files needs --feed-config FILE, which says where the price files are (docs/operating.md).',
    );
  let json: string;
  try {
    json = readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`the settings of price files ${file} cannot be read: ${messageOf(error)}`);
  }
  return parseFileSettings(json, file);
}
