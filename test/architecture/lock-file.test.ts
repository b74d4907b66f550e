// Test: the lock files have every optional package of every system, as `npm ci` requires.
// npm drops packages that its registry lacks; then they are added by hand, like their neighbours.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { TOP } from './files.ts';

const LockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({ version: z.string().optional(), optionalDependencies: z.record(z.string(), z.string()).optional() }),
  ),
});

/** With the least number of optional packages that each has: those of the systems which nobody here uses. */
test.each([
  ['package-lock.json', 80],
  ['tools/package-lock.json', 12],
])('%s holds every optional package of every system', (file, least) => {
  const { packages } = LockSchema.parse(JSON.parse(readFileSync(join(TOP, file), 'utf8')));
  const holds = (from: string, name: string): boolean => {
    if (packages[`${from === '' ? '' : `${from}/`}node_modules/${name}`] !== undefined) return true;
    return from !== '' && holds(from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/'))), name);
  };
  const optional = Object.entries(packages).flatMap(([from, entry]) =>
    Object.keys(entry.optionalDependencies ?? {}).map((name) => [from, name] as const),
  );
  expect(optional.length).toBeGreaterThan(least);
  expect(
    optional.filter(([from, name]) => !holds(from, name)).map(([from, name]) => `${name}, wanted by ${from}`),
  ).toEqual([]);
});
