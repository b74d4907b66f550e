// Test: the read API, by HTTP, with a real core behind it: tokens, scopes, what it refuses, its document.
import { request } from 'node:http';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { TimelineSchema } from '../../../shared/channels/queries.ts';
import { RowSchema } from '../../../shared/channels/state.ts';
import { announceCore } from '../../../test/harness/app-of-core.ts';
import { setUpCoreBench } from '../../../test/harness/core-bench.ts';
import { type TemporaryFolder, temporaryFolder } from '../../../test/harness/folders.ts';
import { runVerb } from '../../../test/harness/verb-run.ts';
import { TOOLS } from '../mcp/tools.ts';
import { listenApi } from './server.ts';

const bench = setUpCoreBench();
let folder: TemporaryFolder;
let endApp: () => void;
let api: Awaited<ReturnType<typeof listenApi>>;
beforeEach(async () => {
  folder = temporaryFolder();
  endApp = await announceCore(await bench.up(), folder.path, bench.clock);
  api = await listenApi({ dataDir: folder.path, port: '0' });
});
afterEach(async () => {
  await api.close();
  endApp();
  folder.remove();
});

const token = (...args: string[]) => runVerb('api', 'token', ...args, '--data-dir', folder.path);
async function newToken(name: string, scopes: string): Promise<string> {
  const { out } = await token('add', name, '--scopes', scopes);
  return /^token (bga_\S{43})\n$/.exec(out)?.[1] ?? '';
}
interface Reply {
  readonly status: number;
  readonly body: Record<string, unknown>;
}
/** fetch would not send another Host. */
const get = (path: string, secret = '', headers: Record<string, string> = {}, method = 'GET'): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(api.address);
    const authorization = secret === '' ? {} : { authorization: `Bearer ${secret}` };
    request({ hostname, port, path, method, headers: { ...authorization, ...headers } }, (response) => {
      let text = '';
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) }));
    })
      .on('error', reject)
      .end();
  });

test('a script reads alerts, their explanation and signals with a token; parameters are those of the document', async () => {
  const event = bench.service.emit('SPY', 2);
  await bench.clock.advance(300);
  const secret = await newToken('desk', 'alerts,signals,texts');
  const read = async (path: string) => {
    const { status, body } = await get(path, secret);
    expect([path, status]).toEqual([path, 200]);
    return body;
  };
  expect(await read('/alerts?symbol=spy&needs_attention=true&limit=5')).toMatchObject({
    alerts: [{ id: event.event_id, needs_attention: true, transition: { symbol: 'SPY', to_state: 2 } }],
  });
  expect(await read('/alerts/SPY')).toMatchObject({ alerts: [{ trace: { event_id: event.event_id } }] });
  expect(await read('/signals?min_state=2')).toMatchObject({ signals: [{ symbol: 'SPY' }] });
  expect(await read('/status')).toContainEqual({ part: 'connection', state: 'ok', detail: 'receives data' });
  expect(await read('/rules/high-risk/what-if')).toMatchObject({ notified: 1 });
  expect(RowSchema.parse(await read('/signals/SPY')).symbol).toBe('SPY');
  expect(TimelineSchema.parse(await read('/signals/SPY/history?days=90')).symbol).toBe('SPY');
});

test('the document needs no token and names every path, with resolved references', async () => {
  const { body } = await get('/openapi.json');
  const paths = body.paths as Record<string, { get: { operationId: string; parameters: unknown[] } }>;
  const operations = Object.values(paths).map(({ get: { operationId } }) => operationId);
  expect(operations).toEqual(TOOLS.filter(({ writes }) => writes !== true).map(({ name }) => name));
  const schemas = Object.keys((body.components as { schemas: object }).schemas);
  const references = [...JSON.stringify(body).matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference]) => reference);
  expect(references.filter((one) => !schemas.includes(one?.replace('#/components/schemas/', '') ?? ''))).toEqual([]);
  expect(paths['/signals/{symbol}/history']?.get.parameters).toMatchObject([
    { name: 'symbol', in: 'path', required: true },
    { name: 'days', in: 'query', required: false, schema: { type: 'integer', default: 30 } },
  ]);
});

test('a token reads its scopes alone, and nothing once it is removed; the file has no token', async () => {
  const secret = await newToken('desk', 'signals');
  expect(await get('/signals', secret)).toMatchObject({ status: 200 });
  expect(await get('/alerts', secret)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  expect(await get('/search?text=x', secret)).toMatchObject({ status: 403 });
  const listed = await token('list', '--json');
  expect(JSON.parse(listed.out)).toMatchObject({ name: 'desk', scopes: ['signals'] });
  expect(listed.out).not.toContain(secret.slice(4));
  expect((await token('remove', 'desk')).code).toBe(0);
  expect(await get('/signals', secret)).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
});

test('neither a page, another name of this computer, another method nor a guess is answered', async () => {
  const secret = await newToken('desk', 'alerts');
  expect(await get('/status', secret, { host: 'evil.example' })).toMatchObject({ status: 421 });
  expect(await get('/status', secret, { origin: 'http://evil.example' })).toMatchObject({ status: 403 });
  expect(await get('/status', secret, { 'sec-fetch-site': 'cross-site' })).toMatchObject({ status: 403 });
  expect(await get('/status', secret, {}, 'POST')).toMatchObject({ status: 404 });
  for (const guess of ['', 'x', 'bga_', `${secret}x`, secret.slice(0, -1)])
    expect(await get('/status', guess)).toMatchObject({ status: 401 });
});

test.each([
  [400, /limit/, '/alerts?limit=x'],
  [400, /limit/, '/alerts?limit=1&limit=2'],
  [400, /more/, '/alerts?more=1'],
  [400, /days/, '/signals/SPY/history?days=0'],
  [400, /symbol/, '/signals/S%20P'],
  [400, /rule/, '/rules/high-risk/what-if?rule=%7B%22id%22'],
  [404, /nope is no event/, '/alerts/nope'],
  [404, /There is no rule nope/, '/rules/nope/what-if'],
  [404, /nothing here/, '/alerts/../../etc'],
] as const)('%i with %s: %s', async (status, said, path) => {
  const secret = await newToken('desk', 'alerts,signals');
  expect(await get(path, secret)).toMatchObject({ status, body: { message: expect.stringMatching(said) } });
});

test('without a running app the answer is 503 with what to do; wrong flags end with code 2', async () => {
  const secret = await newToken('desk', 'alerts');
  endApp();
  expect(await get('/status', secret)).toMatchObject({
    status: 503,
    body: { message: expect.stringContaining('Start it') },
  });
  endApp = () => undefined;
  const taken = new URL(api.address).port;
  for (const [args, said] of [
    [['serve', '--port', taken], /--port \d+: .*EADDRINUSE.*Give another port/],
    [['serve', '--port', '99999'], /--port 99999: it must be a number/],
    [['token', 'add', 'a b', '--scopes', 'alerts'], /NAME must be/],
    [['token', 'add', 'b', '--scopes', 'keys'], /--scopes some of alerts,signals,texts/],
    [['token', 'add', 'desk', '--scopes', 'alerts'], /There is a token desk already/],
    [['token', 'remove', 'nope'], /There is no token nope\. Tokens: desk\./],
  ] as const)
    expect(await runVerb('api', ...args, '--data-dir', folder.path)).toMatchObject({
      code: 2,
      err: expect.stringMatching(said),
    });
});
