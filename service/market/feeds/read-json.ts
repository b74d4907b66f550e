// Service, market feeds: parses and validates a vendor's JSON.
// Refuses anything else, such as a web page with status 200.
import { z } from 'zod';
import { messageOf } from '../../../shared/lib/result.ts';
import { type FeedDeps, FeedError, type Priority } from './price-feed.ts';

/** Maximum length of an answer, characters. */
const LONGEST = 64 * 1024 * 1024;

/** @throws FeedError */
async function readJson<Value>(answer: Response, schema: z.ZodType<Value>, vendor: string): Promise<Value> {
  let text: string;
  try {
    text = await answer.text();
  } catch (error) {
    throw new FeedError('retry', `The answer of ${vendor} broke off: ${messageOf(error)}.`);
  }
  return parseJson(text, schema, vendor);
}

/** @throws FeedError */
export function parseJson<Value>(text: string, schema: z.ZodType<Value>, vendor: string): Value {
  if (/^\s*</.test(text)) throw new FeedError('retry', `${vendor} answered with a web page, not with prices.`);
  if (text.length > LONGEST) throw new FeedError('retry', `${vendor} answered with ${text.length} characters.`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new FeedError('retry', `${vendor} answered with something that is not JSON: "${text.slice(0, 40)}".`);
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const { path, message } = parsed.error.issues[0] ?? { path: [], message: '' };
  throw new FeedError('retry', `${vendor} answered in an unknown form: ${path.join('.') || 'it'}: ${message}.`);
}

interface RequestOptions {
  /** Default: live. */
  readonly priority?: Priority;
  /** The vendor's weight of the call. Default: 1. */
  readonly weight?: number;
}

/** Reads a vendor's answers. @throws FeedError */
export interface VendorReader {
  get<Value>(url: string, schema: z.ZodType<Value>, signal: AbortSignal, options?: RequestOptions): Promise<Value>;
  /** `get`, or null for a status in `refusals`. */
  ask<Value>(
    url: string,
    schema: z.ZodType<Value>,
    signal: AbortSignal,
    options: RequestOptions & { readonly refusals: readonly number[] },
  ): Promise<Value | null>;
}

/** @param headersOf the headers of each request, with the current key */
export function createReader(
  vendor: string,
  { fetch }: Pick<FeedDeps, 'fetch'>,
  headersOf: () => Record<string, string> = () => ({}),
): VendorReader {
  const request = (url: string, signal: AbortSignal, options: RequestOptions, statuses: readonly number[] = []) =>
    fetch(url, { signal, priority: 'live', ...options, headers: headersOf(), statuses });
  return {
    get: async (url, schema, signal, options = {}) => readJson(await request(url, signal, options), schema, vendor),
    async ask(url, schema, signal, { refusals, ...options }) {
      const answer = await request(url, signal, options, refusals);
      return refusals.includes(answer.status) ? null : readJson(answer, schema, vendor);
    },
  };
}

/** A list that drops invalid rows: an empty dividend must not block the actions of all other symbols. */
export const soundRows = <Row extends z.ZodType>(row: Row) =>
  z
    .array(z.unknown())
    .default([])
    .transform((rows) => rows.flatMap((one) => row.safeParse(one).data ?? []));
