// Contract: docs/contract.md names every endpoint. Their fields are described in the OpenAPI document (docs.test.ts).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { routes } from '../../shared/wire/routes.ts';
import { TOP } from '../harness/processes.ts';

test('the page of the contract names every endpoint', () => {
  const page = readFileSync(join(TOP, 'docs/contract.md'), 'utf8').replaceAll(/\s+/g, ' ');
  const paths = Object.values(routes).map(({ path }) => path.replaceAll(/:([a-z]+)/g, '{$1}'));
  expect(paths.filter((path) => !page.includes(path))).toEqual([]);
});
