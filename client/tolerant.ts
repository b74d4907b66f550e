// Client: reads a record by its schema, and lets pass what a newer service may add.
import type { z } from 'zod';
import { err, ok, type Result } from '../shared/lib/result.ts';

/**
 * Where nothing but words, states or times are unknown, the value is kept as it came: an event that says more
 * than this version knows is no less urgent.
 */
export function parseTolerantly<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): Result<z.output<Schema>, z.core.$ZodIssue | undefined> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return ok(parsed.data);
  const wrong = parsed.error.issues.find((issue) => !isNewWord(issue, value));
  return wrong === undefined ? ok(value as z.output<Schema>) : err(wrong);
}

/** A value of the right type that the schema does not list; a time in another form; a name of an event. */
function isNewWord(issue: z.core.$ZodIssue, value: unknown): boolean {
  const given = issue.path.reduce<unknown>((inner, key) => (inner as Record<PropertyKey, unknown>)?.[key], value);
  if (issue.code === 'invalid_value') return typeof given === typeof issue.values[0];
  const isTime = issue.code === 'invalid_format' && issue.format === 'datetime';
  const isName = issue.code === 'invalid_union' && issue.path.at(-1) === 'event';
  return (isTime || isName) && typeof given === 'string';
}
