// Main, core: reads values that have unknown keys, and keeps those keys when the value is written.
import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';

type Path = readonly PropertyKey[];
type JsonObject = Record<string, unknown>;

/** Validates `value` without its unknown keys. */
export function parseKnown<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): z.ZodSafeParseResult<z.infer<Schema>> {
  const copy = structuredClone(value);
  for (;;) {
    const parsed = schema.safeParse(copy);
    const unknown = parsed.success ? [] : parsed.error.issues.filter((issue) => issue.code === 'unrecognized_keys');
    let removed = 0;
    for (const { path, keys } of unknown) removed += removeKeys(at(copy, path), keys);
    if (removed === 0) return parsed;
  }
}

/** Where a value is invalid, and why. */
export function firstIssue(error: z.ZodError): string {
  const issue = error.issues[0];
  return issue === undefined ? 'not as declared' : `${issue.path.map(String).join('.')} ${issue.message}`.trim();
}

/**
 * Returns `next` with the unknown keys of `raw`, from which `known` was read. Pairs the items of arrays by
 * equality, then by id or name and position, and last as renamed: items that differ in their name alone.
 */
export function withUnknownKeys(raw: unknown, known: unknown, next: unknown): unknown {
  if (Array.isArray(raw) && Array.isArray(known) && Array.isArray(next)) {
    const sources = sourcesOf(known, next);
    // `known` lacks invalid items, so the indexes may differ.
    const isAligned = raw.length === known.length;
    return next.map((item, index) => {
      const source = sources[index];
      if (source === undefined) return item;
      const before = known[source];
      const from = isAligned ? raw[source] : raw.find((one) => sameName(one, before));
      return from === undefined ? item : withUnknownKeys(from, before, item);
    });
  }
  if (!isObject(raw) || !isObject(known) || !isObject(next)) return next;
  const merged: JsonObject = {};
  for (const [key, value] of Object.entries(raw)) if (own(known, key) === undefined) define(merged, key, value);
  for (const [key, value] of Object.entries(next))
    if (value !== undefined) define(merged, key, withUnknownKeys(own(raw, key), own(known, key), value));
  return merged;
}

/** For each item of `next` the index of its earlier version in `known`. */
function sourcesOf(known: readonly unknown[], next: readonly unknown[]): (number | undefined)[] {
  const free = new Set(known.keys());
  const sources: (number | undefined)[] = next.map(() => undefined);
  for (const isSame of [isDeepStrictEqual, sameName, isRenamed])
    for (const [index, item] of next.entries()) {
      if (!isObject(item) || sources[index] !== undefined) continue;
      const found = [...free].find((before) => isSame(known[before], item));
      if (found === undefined) continue;
      sources[index] = found;
      free.delete(found);
    }
  return sources;
}

const sameName = (a: unknown, b: unknown): boolean => nameOf(a) !== undefined && nameOf(a) === nameOf(b);

function isRenamed(a: unknown, b: unknown): boolean {
  if (!isObject(a) || !isObject(b) || a.id !== undefined || b.id !== undefined) return false;
  return isDeepStrictEqual({ ...a, name: null }, { ...b, name: null });
}

/** Ignores inherited values: an unknown key may have any name. */
const own = (object: JsonObject, key: string): unknown => (Object.hasOwn(object, key) ? object[key] : undefined);

/** Defines a key, since an assignment to `__proto__` would not. */
const define = (object: JsonObject, key: string, value: unknown): void =>
  void Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });

const at = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>((found, key) => (found as JsonObject | undefined)?.[String(key)], value);

function removeKeys(object: unknown, keys: readonly string[]): number {
  if (!isObject(object)) return 0;
  const found = keys.filter((key) => Object.hasOwn(object, key));
  for (const key of found) delete object[key];
  return found.length;
}

const nameOf = (value: unknown): unknown => (isObject(value) ? (value.id ?? value.name) : undefined);

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
