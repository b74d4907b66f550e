// Contract: docs/contract.md names every endpoint, and every field of the records in its table.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openapiDocument } from '../../service/docs/openapi.ts';
import { routes } from '../../shared/wire/routes.ts';
import { TOP } from '../harness/processes.ts';

const page = readFileSync(join(TOP, 'docs/contract.md'), 'utf8');

/** Names of the page, and their schemas in the OpenAPI document. */
const RECORDS = {
  Signal: 'Signal',
  HistoryPoint: 'HistoryPoint',
  Transition: 'Transition',
  Alert: 'AlertEpisode',
  Regime: 'Regime',
  RegimePoint: 'RegimePoint',
  News: 'News',
  Briefing: 'Briefing',
  Subscription: 'Subscription',
  Account: 'Account',
  Usage: 'Usage',
  Key: 'Key',
  Feed: 'Feed',
};

interface Documented {
  readonly components: { readonly schemas: Readonly<Record<string, { readonly properties?: object }>> };
}

test.each(Object.entries(RECORDS))('the row of %s names every field', (name, schema) => {
  const document = openapiDocument({ environment: 'sandbox', version: '1.0.0', publicUrl: 'https://risk.example' });
  const { properties } = (document as unknown as Documented).components.schemas[schema] ?? {};
  const row = page.split('\n').find((line) => line.startsWith(`| ${name} |`)) ?? '';
  const fields = Object.keys(properties ?? {});
  expect(fields.length).toBeGreaterThan(3);
  expect(fields.filter((field) => !new RegExp(`\\b${field}\\b`).test(row))).toEqual([]);
});

test('every endpoint is named', () => {
  const paths = Object.values(routes).map(({ path }) => path.replaceAll(/:([a-z]+)/g, '{$1}'));
  expect(paths.filter((path) => !page.includes(path))).toEqual([]);
});
