// Test: pushes of the core; test/links has all that passes between both ends.
import { expect, test } from 'vitest';
import { z } from 'zod';
import { push } from './channel.ts';
import { createDispatch, createPusher } from './ends.ts';
import { createMemoryLink } from './memory-link.ts';

test('the core cannot push an invalid payload', () => {
  const table = { ticked: push(z.strictObject({ count: z.number() })) } as const;
  const link = createMemoryLink(createDispatch(table, {}, () => undefined));
  expect(() => createPusher(table, link.core)('ticked', { count: 'x' as unknown as number })).toThrow();
});
