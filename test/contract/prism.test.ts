// Contract: Prism, a validating proxy, finds no request or answer that differs from /openapi.json.
// Prism is too heavy for the list of dependencies: BAROGRAPH_PRISM names a folder in which @stoplight/prism-cli is installed.
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { routes } from '../../shared/wire/routes.ts';
import { type TemporaryFolder, temporaryFolder } from '../harness/folders.ts';
import { nodeScript, type RunningProcess, start } from '../harness/processes.ts';

const PRISM = process.env.BAROGRAPH_PRISM;
const KEY = 'svc_test_prismprismprism001';
const TIMEOUT_MS = 90_000;

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

describe.skipIf(PRISM === undefined)('through Prism', () => {
  let folder: TemporaryFolder;
  let service: RunningProcess;
  let prism: RunningProcess;
  let url = '';
  const requested = new Set<string>();

  beforeAll(async () => {
    folder = temporaryFolder();
    service = start(process.execPath, [...nodeScript('service'), '--symbols', '3', '--port', '0', '--key', KEY]);
    const backend = (await service.line(/^ready (http:\S+)$/, TIMEOUT_MS))[1] ?? '';
    const document = join(folder.path, 'openapi.json');
    writeFileSync(document, await (await fetch(`${backend}/openapi.json`)).text());
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    const cli = join(PRISM ?? '', 'node_modules/@stoplight/prism-cli/dist/index.js');
    prism = start(process.execPath, [cli, 'proxy', document, backend, '--errors', '--port', String(port)], {
      NO_COLOR: '1',
    });
    await prism.line(/Prism is listening/, TIMEOUT_MS);
  }, 2 * TIMEOUT_MS);
  afterAll(async () => {
    await Promise.all([prism?.kill(), service?.kill()]);
    folder?.remove();
  });

  /** Asks through Prism. @throws when it found a violation */
  async function ask(
    name: string,
    path: string,
    status: number,
    init: { method?: string; body?: unknown; headers?: object } = {},
  ) {
    requested.add(name);
    const answer = await fetch(`${url}${path}`, {
      method: init.method ?? 'GET',
      headers: {
        'x-api-key': KEY,
        ...(init.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(init.headers as Record<string, string>),
      },
      ...(init.body === undefined ? {} : { body: JSON.stringify(init.body) }),
    });
    const text = await answer.text();
    expect(text, `${path} ${prism.printed().slice(-2_000)}`).not.toContain('stoplight.io/prism');
    expect(answer.headers.get('sl-violations'), path).toBeNull();
    expect(answer.status, text).toBe(status);
    return text === '' ? null : JSON.parse(text);
  }

  test('what is there to be read', { timeout: TIMEOUT_MS }, async () => {
    await ask('health', '/health', 200);
    await ask('healthLive', '/health/live', 200);
    await ask('healthReady', '/health/ready', 200);
    await ask('root', '/', 200);
    const nonce = '0f'.repeat(32);
    await ask('proof', `/proof?key=key_0123456789ab&nonce=${nonce}&origin=http://127.0.0.1:8787`, 200);
    await ask('snapshot', '/snapshot?limit=2', 200);
    await ask('snapshot', '/snapshot?class=etf,index&state=normal,elevated,high_risk', 200);
    await ask('signal', '/signal?symbol=SPY', 200);
    await ask('history', '/history?symbol=SPY&limit=100', 200);
    await ask('alertTransitions', '/alert-transitions?limit=100', 200);
    await ask('alertTransitions', '/alert-transitions?symbols=SPY,QQQ&regime=stress,calm_uptrend', 200);
    await ask('alerts', '/alerts?limit=100', 200);
    await ask('regime', '/regime/BTC', 200);
    await ask('regime', '/regime/SPY?as_of=2026-01-05', 200);
    await ask('regimeHistory', '/regime/SPY/history?from=2026-01-01&granularity=day', 200);
    await ask('factors', '/factors', 200);
    await ask('factors', '/factors?symbol=QQQ&from=2026-01-01', 200);
    await ask('archetypes', '/api/archetypes/current?symbol=SPY', 200);
    await ask('validation', '/api/validation/metrics', 200);
    await ask('validation', '/api/validation/metrics', 304, { headers: { 'if-none-match': '*' } });
    for (const event of ['signal.high_risk', 'regime.flip', 'briefing.published', 'model.version', 'signal.created'])
      await ask('trigger', '/sandbox/trigger', 200, { method: 'POST', body: { event, symbol: 'SPY' } });
    await ask('events', '/events?limit=100', 200);
    if ('briefings' in routes) {
      const { data } = await ask('briefings', '/api/briefings?limit=3', 200);
      await ask('briefing', `/api/briefings/${data[0].id}`, 200);
      await ask('marketNews', '/market-news?limit=100', 200);
    }
  });

  test('subscriptions, from the first to the last', { timeout: TIMEOUT_MS }, async () => {
    const post = { method: 'POST' };
    const body = { url: 'http://127.0.0.1:9/prism', events: ['signal.high_risk'], symbols: ['SPY'] };
    const { id } = await ask('subscribe', '/signals/subscribe', 201, { ...post, body });
    await ask('subscribe', '/signals/subscribe', 200, { ...post, body });
    await ask('subscriptions', '/signals/subscriptions', 200);
    await ask('subscription', `/signals/subscriptions/${id}`, 200);
    await ask('testSubscription', `/signals/subscriptions/${id}/test`, 200, post);
    const { data } = await ask('deliveries', `/signals/subscriptions/${id}/deliveries?status=failed`, 200);
    await ask('replayDelivery', `/signals/subscriptions/${id}/deliveries/${data[0].id}/replay`, 200, post);
    await ask('replaySubscription', `/signals/subscriptions/${id}/replay`, 200, {
      ...post,
      body: { from: data[0].created_at.slice(0, 10) },
    });
    await ask('rotateSecret', `/signals/subscriptions/${id}/rotate-secret`, 200, post);
    await ask('promoteSecret', `/signals/subscriptions/${id}/promote-secret`, 200, post);
    await ask('resumeSubscription', `/signals/subscriptions/${id}/resume`, 200, { ...post, body: {} });
    await ask('deleteSubscription', `/signals/subscriptions/${id}`, 200, { method: 'DELETE' });
    await ask('subscription', `/signals/subscriptions/${id}`, 404);
    await ask('testSubscription', `/signals/subscriptions/${id}/test`, 404, post);
  });

  test('an account, and a key from the first to the last', { timeout: TIMEOUT_MS }, async () => {
    await ask('account', '/account', 200);
    await ask('setHardCap', '/account/hard-cap', 200, { method: 'POST', body: { hard_cap: true } });
    await ask('usage', '/account/usage', 200);
    const issued = await ask('issueKey', '/account/keys', 201, { method: 'POST', body: { scope: 'read' } });
    await ask('keys', '/account/keys?limit=1', 200);
    const body = { overlap_seconds: 60 };
    await ask('rotateKey', `/account/keys/${issued.id}/rotate`, 201, { method: 'POST', body });
    await ask('revokeKey', `/account/keys/${issued.id}`, 200, { method: 'DELETE' });
    await ask('rotateKey', `/account/keys/${issued.id}/rotate`, 400, { method: 'POST', body });
    await ask('revokeKey', '/account/keys/none', 404, { method: 'DELETE' });
    await ask('feeds', '/feeds', 200);
    await ask('setFeedHistory', '/feeds/none/history', 404, { method: 'POST', body: { stopped: true } });
  });

  test('refusals', { timeout: TIMEOUT_MS }, async () => {
    await ask('signal', '/signal?symbol=NOPE', 404);
    await ask('signal', '/signal?symbol=BTC', 404);
    await ask('regime', '/regime/NOPE', 404);
    await ask('regime', '/regime/SPY?as_of=2999-01-01', 400);
    await ask('regimeHistory', '/regime/SPY/history?from=2026-01-01&granularity=minute', 403);
    await ask('archetypes', '/api/archetypes/current?symbol=NOPE', 400);
    await ask('snapshot', '/snapshot?after=none', 400);
    await ask('snapshot', '/snapshot', 401, { headers: { 'x-api-key': 'svc_test_nobodysnobodys01' } });
    await ask('validation', '/api/validation/metrics', 401, { headers: { 'x-api-key': 'svc_test_nobodysnobodys01' } });
    await ask('snapshot', '/snapshot', 400, { headers: { authorization: 'Bearer svc_test_other' } });
    await ask('trigger', '/sandbox/trigger', 404, { method: 'POST', body: { event: 'signal.normal', symbol: 'NOPE' } });
    await ask('subscribe', '/signals/subscribe', 400, { method: 'POST', body: { url: 'https://10.0.0.1/x' } });
    await ask('events', '/events?after=evt_none', 400);
  });

  test('every row of the table but the stream was asked for', () => {
    expect(Object.keys(routes).filter((name) => name !== 'stream' && !requested.has(name))).toEqual([]);
  });

  test('Prism refuses what the document does not have', async () => {
    const answer = await fetch(`${url}/nowhere`, { headers: { 'x-api-key': KEY } });
    expect([answer.status, await answer.text()]).toEqual([404, expect.stringContaining('stoplight.io/prism')]);
  });
});
