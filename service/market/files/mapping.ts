// Service, price files: mapping.json beside them: what the files themselves leave open.
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { isSymbol, normalizeSymbol } from '../../../shared/domain/instruments.ts';
import { err, messageOf, ok, type Result } from '../../../shared/lib/result.ts';
import { COLUMN_ROLES } from './columns.ts';
import { DATE_FORMATS, isZone } from './dates.ts';

export const MAPPING_FILE = 'mapping.json';

export const SymbolSchema = z
  .string()
  .transform(normalizeSymbol)
  .refine(isSymbol, 'is no symbol; use 1 to 15 of A-Z 0-9 . ^ = -');

export const ZoneSchema = z.string().refine(isZone, 'is no time zone; write one like America/New_York');
/** Name in the header, in any case, or position from 1. */
export const ColumnSchema = z.union([z.string().trim().min(1), z.int().min(1).max(1000)]);

/** What may be said of files with the same columns. What a file shows itself counts more. */
export const FormatSchema = z.strictObject({
  /** Replaces what the names of the columns say; null: the file has no such column. */
  columns: z.partialRecord(z.enum(COLUMN_ROLES), ColumnSchema.nullable()).optional(),
  dateFormat: z.enum(DATE_FORMATS).optional(),
  decimal: z.enum(['.', ',']).optional(),
  /** Time zone of times without an offset. */
  zone: ZoneSchema.optional(),
});
export type Format = z.infer<typeof FormatSchema>;

/** What is known of a file before it is read. */
export interface GivenFormat extends Format {
  readonly delimiter?: string;
  readonly hasHeader?: boolean;
  /** The symbol of every row. */
  readonly symbol?: string;
  readonly symbols?: Mapping['symbols'];
  /** Where a person may say more; default: the format in mapping.json. */
  readonly place?: string;
}

const MappingSchema = z.strictObject({
  /** By the names of the columns, as a question about the file gives them. */
  formats: z.record(z.string(), FormatSchema).default({}),
  /** The symbol of a file, by its name; and of rows, by what stands for it in their column. */
  symbols: z.record(z.string(), SymbolSchema).default({}),
});
export type Mapping = z.infer<typeof MappingSchema>;
export const NO_MAPPING: Mapping = { formats: {}, symbols: {} };

/** @param bytes null for a folder without the file. @returns the mapping, or one sentence about what is wrong */
export function parseMapping(bytes: Uint8Array | null): Result<Mapping, string> {
  if (bytes === null) return ok(NO_MAPPING);
  try {
    const read = MappingSchema.safeParse(JSON.parse(new TextDecoder().decode(bytes)));
    if (read.success) return ok(read.data);
    const [issue] = read.error.issues;
    return err(`${issue?.path.map(String).join('.') ?? ''}: ${issue?.message}; correct it, or delete the file`);
  } catch (error) {
    return err(`it is no JSON (${messageOf(error)}); correct it, or delete the file`);
  }
}

/** An answer to a question about a file, as text. */
export interface MappingAnswer {
  /** Key of its format, or for `symbol` its name. */
  readonly of: string;
  /** symbol, dateFormat, decimal, zone, or columns.close (or another role). */
  readonly setting: string;
  readonly value: string;
}

/**
 * Adds answers to the mapping of a folder.
 * @throws Error with one sentence where one is none, or the file cannot be read or written
 */
export function writeAnswers(folder: string, answers: readonly MappingAnswer[]): void {
  const path = join(folder, MAPPING_FILE);
  const known = parseMapping(bytesOf(path));
  if (!known.ok) throw new Error(`${path}: ${known.error}`);
  const symbols: Record<string, string> = { ...known.value.symbols };
  const formats: Record<string, Record<string, unknown>> = { ...known.value.formats };
  for (const { of, setting, value } of answers) {
    const [name = '', role] = setting.split('.');
    const column = /^\d+$/.test(value) ? Number(value) : value;
    if (name === 'symbol') symbols[of] = value;
    else if (role === undefined) formats[of] = { ...formats[of], [name]: value };
    else formats[of] = { ...formats[of], columns: { ...(formats[of]?.columns ?? {}), [role]: column } };
  }
  const mapping = MappingSchema.safeParse({ formats, symbols });
  if (!mapping.success) {
    const [issue] = mapping.error.issues;
    throw new Error(`${issue?.path.map(String).join('.')}: ${issue?.message}`);
  }
  // The service may read it at any time.
  writeFileSync(`${path}.new`, `${JSON.stringify(mapping.data, null, 2)}\n`);
  renameSync(`${path}.new`, path);
}

function bytesOf(path: string): Uint8Array | null {
  try {
    return readFileSync(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
