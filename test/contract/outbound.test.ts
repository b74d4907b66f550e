// Contract: the programs of the product reach other computers through the proxy of their environment or system.
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DEFAULT_SETTINGS } from '../../main/core/profiles/settings.ts';
import { embeddedServices } from '../../main/service/embedded-service.ts';
import type { PriceFeedSettings } from '../../shared/settings/profiles.ts';
import { newCertificate, writeCertificate } from '../harness/certificate.ts';
import { eventually } from '../harness/eventually.ts';
import { type FakeBinance, startFakeBinance } from '../harness/fake-binance.ts';
import { type TemporaryFolder, temporaryFolder } from '../harness/folders.ts';
import { type HttpProxy, startHttpProxy } from '../harness/http-proxy.ts';
import { runWithInput } from '../harness/processes.ts';
import { addressOf } from '../harness/service-start.ts';

/** Names that only the proxy knows. */
const HOSTS = { rest: 'http://binance.example', stream: 'ws://binance.example' };
const FEED: PriceFeedSettings = { name: 'binance', symbols: ['BTC'], hosts: HOSTS };

let folder: TemporaryFolder;
let vendor: FakeBinance;
let proxy: HttpProxy;
beforeEach(async () => {
  folder = temporaryFolder();
  vendor = await startFakeBinance({ now: Date.now, coins: ['BTC'] });
  proxy = await startHttpProxy({ http: Number(new URL(vendor.hosts.rest).port) });
});
afterEach(async () => {
  await Promise.all([proxy.close(), vendor.close()]);
  folder.remove();
});

test('the service command: by CONNECT, with the roots of the system', { tags: ['long'] }, async () => {
  const certificate = await newCertificate();
  const secure = createServer({ ...certificate }, (_, response) => response.writeHead(503).end());
  await new Promise<void>((done) => secure.listen(0, '127.0.0.1', done));
  const inspecting = await startHttpProxy({ https: (secure.address() as AddressInfo).port });
  const flags = ['feed-check', '--feed', 'binance', '--feed-host', 'rest=https://desk.example'];
  const { out } = await runWithInput('service', flags, '', {
    HTTPS_PROXY: inspecting.url,
    SSL_CERT_FILE: writeCertificate(folder.path, certificate).cert,
  });
  expect(out).toContain('binance (https://desk.example) answered 503.');
  expect(inspecting.asked[0]).toBe('CONNECT desk.example:443 user:planted');
  secure.close();
  await inspecting.close();
});

test("the service command: this computer is reached directly, also by Node's own switch", {
  tags: ['long'],
}, async () => {
  const flags = [
    'feed-check',
    '--feed',
    'binance',
    '--feed-symbols',
    'BTC',
    '--feed-host',
    `rest=${vendor.hosts.rest}`,
  ];
  const { out } = await runWithInput('service', flags, '', { HTTP_PROXY: proxy.url, NODE_USE_ENV_PROXY: '1' });
  expect(out).toContain('ok     feed     binance answers');
  expect(proxy.asked).toEqual([]);
});

test('a proxy address that cannot be used ends the service command with one line, without the password', async () => {
  const { code, err } = await runWithInput('service', ['--port', '0'], '', { HTTPS_PROXY: 'http://user:%planted@x' });
  expect([code, err]).toEqual([2, 'HTTPS_PROXY must be an http or https address, like http://proxy.example:8080.\n']);
});

test('doctor: the service of a profile and the feed of another, each with the proxy that refuses', {
  tags: ['long'],
}, async () => {
  const profile = { environment: 'production', mode: 'auto', enabled: true } as const;
  const profiles = [
    { ...profile, name: 'desk', baseUrl: 'https://desk.example' },
    { ...profile, name: 'coins', baseUrl: null, feed: FEED },
  ];
  writeFileSync(join(folder.path, 'settings.json'), JSON.stringify({ ...DEFAULT_SETTINGS, profiles }));
  proxy.refusalOf = () => 407;
  const { out } = await runWithInput('barograph', ['doctor', '--data-dir', folder.path], '', {
    HTTP_PROXY: proxy.url,
    HTTPS_PROXY: proxy.url,
  });
  const through = `through the proxy ${proxy.host}: it wants a user name and a password (407)`;
  expect(out).toContain(`Requests to the service: ${proxy.host}, by the environment.`);
  expect(out).toContain(`The service at desk.example does not answer (${through}).`);
  expect(out).toContain(`binance (http://binance.example) cannot be reached ${through}.`);
  expect(out).not.toContain('planted');
  expect(proxy.asked).toContain('CONNECT desk.example:443 user:planted');
  expect(proxy.asked).toContain('GET http://binance.example/api/v3/time user:planted');
});

test('the service inside the app: by the proxy that the app finds for each address; /feeds names it', {
  tags: ['long'],
  timeout: 120_000,
}, async () => {
  const services = embeddedServices(async (url) =>
    new URL(url).hostname === 'binance.example'
      ? { kind: 'proxy', url: proxy.url, host: proxy.host }
      : { kind: 'unknown', why: url },
  );
  const checks = await services.checkFeed(FEED, null);
  expect(checks.map(({ of, isRight }) => [of, isRight])).toContainEqual(['prices', true]);
  expect(proxy.asked.length).toBe(vendor.asked.length);

  proxy.refusalOf = (line) => (line.includes('/stream') ? 407 : null);
  const db = join(folder.path, 'service.sqlite');
  const nothing = { prices: null, feedKey: null, scenario: null, say: () => undefined };
  const service = services.start({ ...nothing, db, feed: FEED });
  try {
    const { baseUrl, key } = await addressOf(service);
    await eventually(async () => {
      const answer = await fetch(`${baseUrl}/feeds`, { headers: { 'x-api-key': key } });
      expect(await answer.text()).toContain(
        `The stream of Binance cannot be reached through the proxy ${proxy.host}: it wants a user name`,
      );
    });
  } finally {
    await service.close();
  }
});
