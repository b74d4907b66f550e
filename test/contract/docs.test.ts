// Contract: /openapi.json and /docs are valid and complete. That answers are as the document says: garbage.test.ts.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DOCS_POLICY } from '../../service/docs/html.ts';
import { openapiDocument, replyExample } from '../../service/docs/openapi.ts';
import { sectionOf } from '../../service/refusal.ts';
import { REGIMES } from '../../shared/domain/regimes.ts';
import { ERRORS, type ErrorKind } from '../../shared/wire/errors.ts';
import type { AnyRoute } from '../../shared/wire/route.ts';
import { routes } from '../../shared/wire/routes.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { notRun } from '../harness/not-run.ts';
import { start } from '../harness/processes.ts';
import { type Answer, type Sandbox, startSandbox } from '../harness/sandbox.ts';
import { toolFolder, whyNoTool } from '../harness/tools.ts';

let sandbox: Sandbox;
// biome-ignore lint/suspicious/noExplicitAny: the document is looked into at many places
let document: any;
let page: Answer;
beforeAll(async () => {
  sandbox = await startSandbox();
  document = (await sandbox.get('/openapi.json', { 'x-api-key': '' })).body;
  page = await sandbox.get('/docs', { 'x-api-key': '' });
});
afterAll(() => sandbox.service.close());

const table: [string, AnyRoute][] = Object.entries(routes);
const pathOf = (route: AnyRoute): string => route.path.replaceAll(/:([a-z]+)/g, '{$1}');
/** What the document has for this answer, behind its reference where it has one. */
function responseOf(route: AnyRoute, status: number) {
  const response = document.paths[pathOf(route)][route.method.toLowerCase()].responses[status];
  return response?.$ref === undefined ? response : document.components.responses[response.$ref.split('/').at(-1)];
}

test('every reference of the document leads somewhere', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, at = '']) => at);
  expect(references.length).toBeGreaterThan(100);
  // biome-ignore lint/suspicious/noExplicitAny: a walk through JSON
  const found = (at: string): unknown => at.split('/').reduce((node: any, part) => node?.[part], document);
  expect(references.filter((at) => found(at) === undefined)).toEqual([]);
});

test('every field is described, in the answers, in the bodies and in the records', () => {
  const bare: string[] = [];
  // biome-ignore lint/suspicious/noExplicitAny: a walk through JSON
  const walk = (node: any, path: string): void => {
    if (typeof node !== 'object' || node === null) return;
    const fields = typeof node.properties === 'object' && node.type === 'object' ? Object.entries(node.properties) : [];
    for (const [name, field] of fields)
      if (!('$ref' in (field as object)) && !/\.$/.test((field as { description?: string }).description ?? ''))
        bare.push(`${path}.${name}`);
    for (const [key, value] of Object.entries(node)) if (!/^examples?$/.test(key)) walk(value, `${path}/${key}`);
  };
  walk(document, '');
  expect(bare).toEqual([]);
  for (const [name, record] of Object.entries(document.components.schemas))
    expect(record, name).toHaveProperty('description');
});

test('nothing in it is what generators of Ruby, Go and Python make no class of', () => {
  const found: string[] = [];
  // biome-ignore lint/suspicious/noExplicitAny: a walk through JSON
  const walk = (node: any, path: string): void => {
    if (typeof node !== 'object' || node === null) return;
    for (const name of ['anyOf', 'oneOf', 'not', 'const', 'prefixItems', 'patternProperties', 'propertyNames'])
      if (name in node) found.push(`${path}/${name}`);
    if (Array.isArray(node.type) || node.type === 'null') found.push(`${path}/type`);
    if (Array.isArray(node.enum) && !node.enum.every((value: unknown) => typeof value === 'string'))
      found.push(`${path}/enum`);
    for (const [key, value] of Object.entries(node)) if (!/^examples?$/.test(key)) walk(value, `${path}/${key}`);
  };
  walk(document, '');
  expect(found).toEqual([]);
  const { data } = document.components.schemas.Event.properties;
  expect(Object.keys(data.properties)).toEqual(
    expect.arrayContaining(['symbol', 'to_state', 'from_regime', 'title', 'version']),
  );
});

test('the regimes of the model are listed in it', () => {
  for (const regime of REGIMES)
    expect(document.components.schemas.Regime.properties.regime.description).toContain(regime);
});

const noLinter = whyNoTool('@redocly/cli');
test.skipIf(noLinter).each(['sandbox', 'production'] as const)(
  `a linter finds nothing in the document of %s${notRun(noLinter)}`,
  { tags: ['long'] },
  async (environment) => {
    const folder = temporaryFolder();
    const file = join(folder.path, 'openapi.json');
    writeFileSync(
      file,
      JSON.stringify(openapiDocument({ environment, version: '1.0.0', publicUrl: 'https://risk.example' })),
    );
    const linter = join(toolFolder('@redocly/cli'), 'bin/cli.js');
    const quiet = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    const run = start(process.execPath, [linter, 'lint', '--extends=recommended-strict', file], quiet);
    const { code } = await run.exit;
    folder.remove();
    expect(code, run.printed()).toBe(0);
  },
);

test.each(table)('%s is in it, with parameters in words, statuses, headers, errors, limit and key', (name, route) => {
  const operation = document.paths[pathOf(route)][route.method.toLowerCase()];
  expect(operation.operationId).toBe(name);
  expect(operation.security).toEqual(route.access === 'open' ? [] : [{ ApiKey: [] }, { Bearer: [] }]);
  expect(operation['x-minute-limit'].pro).toBeGreaterThan(0);
  const shape = { ...(route.params as { shape?: object }).shape, ...(route.query as { shape?: object }).shape };
  const documented = (operation.parameters ?? []).filter((one: { in: string }) => one.in !== 'header');
  expect(documented.map((one: { name: string }) => one.name).sort()).toEqual(Object.keys(shape).sort());
  for (const one of documented) expect(one.description, one.name).toMatch(/\.$/);
  for (const one of operation.parameters ?? []) expect(one.example, one.name).toBeDefined();
  const statuses = [
    ...(route.success ?? [200]),
    ...route.errors.map((kind) => ERRORS[kind].status),
    ...[400, 403, 408, 431, 500],
    ...(route.access === 'open' ? [] : [401, 429, 503]),
  ];
  const rate = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'RateLimit', 'RateLimit-Policy'];
  for (const status of statuses)
    expect(Object.keys(responseOf(route, status).headers), String(status)).toEqual(expect.arrayContaining(rate));
});

test.each(table)('the schema of the answer of %s accepts its example', (_name, route) => {
  const example = replyExample(route.reply);
  expect(route.reply.parse(example)).toEqual(example);
});

describe('the page', () => {
  const ids = (): string[] => [...page.text.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id);

  test('is HTML that loads and runs nothing', () => {
    expect(page.status).toBe(200);
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.headers['content-security-policy']).toBe(DOCS_POLICY);
    expect(DOCS_POLICY).toMatch(/^default-src 'none'; style-src 'sha256-/);
    expect(page.text).not.toMatch(/<script|<img|<link|\son\w+=|style="/);
  });

  test.each(Object.keys(ERRORS) as ErrorKind[])('has the section of %s', (kind) => {
    expect(ids()).toContain(sectionOf(kind));
  });

  test.each(['authentication', 'limits', 'pagination', 'streaming', 'webhooks', 'environments'])(
    'has the section %s',
    (id) => {
      expect(ids()).toContain(id);
    },
  );

  test('has a section for each endpoint, each id once, and no link into nothing', () => {
    expect(ids().filter((id) => id.startsWith('endpoint-'))).toHaveLength(table.length);
    expect(new Set(ids()).size).toBe(ids().length);
    const targets = [...page.text.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
    expect(targets.filter((id) => !ids().includes(id ?? ''))).toEqual([]);
  });

  test('doc_url of a refusal leads to one of its sections', async () => {
    for (const url of ['/nope', '/snapshot?limit=x', '/signal?symbol=NOPE']) {
      const { body } = await sandbox.get(url);
      expect(ids()).toContain(new URL(body.doc_url).hash.slice(1));
    }
  });
});

test.each(['/openapi.json', '/docs'])(
  '%s is named at the root, takes other methods as 405, and has the headers of all answers',
  async (path) => {
    expect(Object.values((await sandbox.get('/')).body.links)).toContain(path);
    const refused = await sandbox.send('POST', path);
    expect([refused.status, refused.headers.allow]).toEqual([405, 'GET, HEAD']);
    const answer = await sandbox.get(path, { 'x-api-key': '' });
    for (const header of ['x-request-id', 'x-service-version', 'x-ratelimit-limit', 'ratelimit'])
      expect(answer.headers).toHaveProperty(header);
  },
);
