// Service, routes, test: the sentences of refused parameters are the product's English.
import { expect, test } from 'vitest';
import { z } from 'zod';
import { issueText, sentenceOf } from './issues.ts';

test.each<[z.ZodType, unknown, string]>([
  [z.object({ a: z.string() }), {}, 'a: is missing'],
  [z.object({ a: z.string() }), { a: 1 }, 'a: must be text'],
  [z.number().int(), 1.5, 'must be a whole number'],
  [z.number(), 'x', 'must be a number'],
  [z.boolean(), 'x', 'must be true or false'],
  [z.array(z.string()), 'x', 'must be a list'],
  [z.object({}), null, 'must be an object'],
  [z.enum(['day', 'hour']), 'week', 'must be day or hour'],
  [z.literal(3), 4, 'must be 3'],
  [z.number().min(1), 0, 'must be at least 1'],
  [z.number().gt(1), 1, 'must be more than 1'],
  [z.number().max(5), 6, 'must be at most 5'],
  [z.number().lt(5), 5, 'must be less than 5'],
  [z.string().min(1), '', 'must have at least 1 character'],
  [z.string().max(3), 'aaaa', 'must have at most 3 characters'],
  [z.array(z.number()).max(2), [1, 2, 3], 'must have at most 2 entries'],
  [z.strictObject({}), { zz: 1 }, 'has zz, which is not known here'],
  [z.string().regex(/^a/), 'b', 'does not have the right form'],
  [z.url(), 'b', 'must be a web address'],
  [z.iso.datetime(), 'b', 'must be a date and time like 2026-03-02T14:30:00Z'],
  [z.union([z.literal(1), z.boolean()]), 'x', 'cannot be used'],
  [z.string({ error: 'must be a symbol' }), 1, 'must be a symbol'],
])('case %#', (schema, value, sentence) => {
  const read = schema.safeParse(value, { error: issueText });
  expect(read.success ? '' : sentenceOf(read.error)).toBe(sentence);
});
