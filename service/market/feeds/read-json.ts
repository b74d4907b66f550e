// Service, market feeds: parses and validates a vendor's JSON.
// Refuses anything else, such as a web page with status 200.
import { z } from 'zod';
import { messageOf } from '../../../shared/lib/result.ts';
import { type FeedDeps, FeedError, type FeedRequestInit } from './price-feed.ts';

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

type RequestOptions = Partial<Pick<FeedRequestInit, 'priority' | 'weight'>>;

/** Reads a vendor's answers, each request with the headers of its key. @throws FeedError */
export function createReader(
  vendor: string,
  { fetch }: Pick<FeedDeps, 'fetch'>,
  headersOf: () => Record<string, string> = () => ({}),
) {
  const get = async <Value>(
    url: string,
    schema: z.ZodType<Value>,
    signal: AbortSignal,
    options: RequestOptions = {},
  ): Promise<Value> =>
    readJson(await fetch(url, { priority: 'live', ...options, signal, headers: headersOf() }), schema, vendor);
  /** `get`, or null for a status in `refusals`. */
  const ask = async <Value>(
    url: string,
    schema: z.ZodType<Value>,
    signal: AbortSignal,
    { refusals, ...options }: RequestOptions & { readonly refusals: readonly number[] },
  ): Promise<Value | null> => {
    const init = { priority: 'live', ...options, signal, headers: headersOf(), statuses: refusals } as const;
    const answer = await fetch(url, init);
    return refusals.includes(answer.status) ? null : readJson(answer, schema, vendor);
  };
  return { get, ask };
}
export type VendorReader = ReturnType<typeof createReader>;

/** A list that drops invalid rows: an empty dividend must not block the actions of all other symbols. */
export const soundRows = <Row extends z.ZodType>(row: Row) =>
  z
    .array(z.unknown())
    .default([])
    .transform((rows) => rows.flatMap((one) => row.safeParse(one).data ?? []));
