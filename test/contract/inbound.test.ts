// Test: the relay's inbound address over HTTP, as the programs of others reach it: refusals, limits, what is kept.
import { request } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { createSessionVault } from '../../main/core/keys/session-vault.ts';
import type { RelayServer } from '../../main/core/relay/server.ts';
import { openRelayServer } from '../../main/host/relay-server.ts';
import { createClock } from '../../shared/lib/clock.ts';
import { calls, rule } from '../harness/alert-calls.ts';
import { createFakeRelayServer, type RelayRig, setUpRelayBench } from '../harness/relay-bench.ts';

const { bench, up } = setUpRelayBench();
const real = openRelayServer(createClock({ now: Date.now, setTimeout, clearTimeout }));

/** A core whose relay listens on a port of its own. */
async function listening(more: Parameters<typeof up>[0] = {}): Promise<RelayRig> {
  const server: RelayServer = { listen: (options) => real.listen({ ...options, port: 0 }), post: real.post };
  const rig = await up({ ...more, server: { ...createFakeRelayServer(), ...server } });
  await calls(rig)['rules.save']({
    rule: rule({ id: 'others', name: 'Others', events: ['foreign.alert'], scope: { kind: 'all' }, min_state: 0 }),
  });
  return rig;
}
const urlOf = async (rig: RelayRig): Promise<string> => (await calls(rig)['relay.inbound.reveal']({})).url ?? '';
/** As curl and TradingView send: no Origin, no Sec-Fetch-Site. */
const send = (url: string, body: string | Buffer, headers: Record<string, string> = {}) =>
  new Promise<{ status: number; text: string }>((resolve, reject) => {
    const sent = request(url, { method: 'POST', agent: false, headers: { 'content-type': 'text/plain', ...headers } });
    sent.on('response', (response) => {
      let text = '';
      response.on('data', (part) => (text += part));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    sent.on('error', reject);
    sent.end(body);
  });
const listed = async (rig: RelayRig) => {
  await bench.clock.advance(1_000);
  return rig.snapshot().local_alerts.flatMap((alert) => ('foreign' in alert ? [alert] : []));
};

test('a wrong secret, a web page, another method and another host are refused, and nothing is recorded', async () => {
  const rig = await listening();
  const url = await urlOf(rig);
  const { port } = new URL(url);
  expect(
    (
      await send(
        url.replace(/.$/, (end) => (end === 'A' ? 'B' : 'A')),
        'x',
      )
    ).status,
  ).toBe(404);
  expect((await send(`http://127.0.0.1:${port}/alert/`, 'x')).status).toBe(404);
  expect((await send(`${url}/`, 'x')).status).toBe(404);
  expect((await send(url, 'x', { origin: 'https://www.tradingview.com' })).status).toBe(403);
  expect((await send(url, 'x', { host: 'evil.example' })).status).toBe(421);
  expect((await fetch(url)).status).toBe(405);
  // The secret of the inbound address opens nothing else: an event must be signed.
  expect((await send(url.replace('/alert/', '/in/'), '{}', { 'content-type': 'application/json' })).status).toBe(404);
  expect(await listed(rig)).toEqual([]);
  expect(rig.view().refused.length).toBeGreaterThan(0);
  expect(JSON.stringify(rig.view())).not.toContain(url.split('/').at(-1));
});

test('a body above 16 KB is refused, declared or not', async () => {
  const rig = await listening();
  const url = await urlOf(rig);
  expect((await send(url, 'x'.repeat(16 * 1024 + 1))).status).toBe(413);
  expect((await send(url, 'x'.repeat(16 * 1024 + 1), { 'transfer-encoding': 'chunked' })).status).toBe(413);
  expect((await send(url, 'x'.repeat(16 * 1024))).status).toBe(200);
  expect((await listed(rig)).map(({ foreign }) => foreign.problems)).toEqual([['severity', 'cut']]);
});

test('text, JSON by the mapping, JSON under another type, and no JSON under its type are alerts', async () => {
  const rig = await listening();
  const url = await urlOf(rig);
  const body = '{"ticker":"BINANCE:BTCUSD","title":"Cross","message":"<b>up</b>","severity":"warning"}';
  expect((await send(url, 'SPY crossed 500')).status).toBe(200);
  expect((await send(url, body, { 'content-type': 'application/json; charset=utf-8' })).status).toBe(200);
  expect((await send(url, `${body} `, { 'content-type': 'application/x-www-form-urlencoded' })).status).toBe(200);
  expect((await send(url, '{"title": ', { 'content-type': 'application/json' })).status).toBe(200);
  expect((await send(url, '')).status).toBe(200);
  const alerts = await listed(rig);
  expect(alerts.map(({ foreign: { title, severity } }) => [title, severity])).toEqual([
    ['', 2],
    ['{"title":', 2],
    ['Cross', 1],
    ['Cross', 1],
    ['SPY crossed 500', 2],
  ]);
  expect(alerts[2]).toMatchObject({ symbol: 'BTCUSD', foreign: { text: '<b>up</b>', problems: [] } });
});

test('a repeat is one alert, before and after a restart on the same folder', async () => {
  const vault = createSessionVault();
  const rig = await listening({ vault });
  const before = new URL(await urlOf(rig)).pathname;
  expect(JSON.parse((await send(await urlOf(rig), 'same')).text)).toMatchObject({ status: 'stored' });
  expect(JSON.parse((await send(await urlOf(rig), 'same')).text)).toMatchObject({ status: 'known' });
  await bench.down(rig);
  const again = await listening({ vault });
  onTestFinished(() => bench.down(again));
  expect(new URL(await urlOf(again)).pathname).toBe(before);
  expect(JSON.parse((await send(await urlOf(again), 'same')).text)).toMatchObject({ status: 'known' });
  expect(await listed(again)).toHaveLength(1);
});

test('more than thirty a minute are refused with the time to wait, and one alert says so', async () => {
  const rig = await listening();
  const url = await urlOf(rig);
  const statuses: number[] = [];
  for (let index = 0; index < 33; index += 1) statuses.push((await send(url, `alert ${index}`)).status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(30);
  expect(statuses.slice(30)).toEqual([429, 429, 429]);
  expect((await listed(rig))[0]?.foreign).toMatchObject({ severity: 2, problems: ['limit'] });
});

test('the test button goes through the address, and is an alert like any other', async () => {
  const rig = await listening();
  expect(await calls(rig)['relay.inbound.test']({})).toMatchObject({ ok: true });
  expect(await listed(rig)).toMatchObject([
    { foreign: { title: 'Test of the inbound address', severity: 2, problems: [] } },
  ]);
});
