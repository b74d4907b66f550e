// Test: the verb `conformance` sends a key to no program that may not have it.
import { createHash, createHmac } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { proofText } from '../../../shared/wire/proof.ts';
import { type TemporaryFolder, temporaryFolder } from '../../../test/harness/folders.ts';
import { DEFAULT_SETTINGS } from '../../core/profiles/settings.ts';
import { conformanceVerb } from './conformance.ts';

const KEY = 'svc_test_plantedplantedplanted0021';

let folder: TemporaryFolder;
const servers: Server[] = [];
beforeEach(() => {
  folder = temporaryFolder();
  vi.spyOn(console, 'log').mockImplementation(() => undefined);
});
afterEach(() => {
  vi.restoreAllMocks();
  folder.remove();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** A program that records the requests that it receives. */
async function listen(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  port = 0,
): Promise<{ readonly server: Server; readonly port: number; readonly received: string[] }> {
  const received: string[] = [];
  const server = createServer((request, response) => {
    received.push(`${request.url} ${JSON.stringify(request.headers)}`);
    answer(request, response);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return { server, port: (server.address() as AddressInfo).port, received };
}
const json = (response: ServerResponse, status: number, body: unknown): void => {
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close' }).end(JSON.stringify(body));
};
const pathOf = (request: IncomingMessage): URL => new URL(request.url ?? '', `http://${request.headers.host}`);
const proofFor = ({ searchParams }: URL): string =>
  createHmac('sha256', createHash('sha256').update(KEY).digest('hex'))
    .update(proofText(searchParams.get('origin') ?? '', searchParams.get('key') ?? '', searchParams.get('nonce') ?? ''))
    .digest('hex');
/** A profile to which the service at the port proved itself. */
function proven(port: number): void {
  const baseUrl = `http://127.0.0.1:${port}`;
  const profile = { name: 'desk', environment: 'sandbox', baseUrl, mode: 'auto', enabled: true };
  const profiles = [{ ...profile, peer: { address: baseUrl, trust: 'proof' } }];
  writeFileSync(join(folder.path, 'settings.json'), JSON.stringify({ ...DEFAULT_SETTINGS, profiles }));
}
const check = (url: string): Promise<number> =>
  conformanceVerb(url, { dataDir: folder.path, key: KEY, write: false, only: 'health-open,answers-snapshot' });

test.each<[string, number, object, RegExp]>([
  ['no proof', 404, { code: 'not_found' }, /gives no proof that it knows the key/],
  ['a wrong proof', 200, { proof: '0'.repeat(64) }, /cannot prove that it knows the key/],
  ['that it is not ready', 503, {}, /answered 503/],
  ['that it is asked too often', 429, {}, /answered 429/],
  ['an error', 500, {}, /answered 500/],
])(
  'a program that answers the question with %s gets nothing else, where the service proved itself before',
  async (_, status, body, said) => {
    const { port, received } = await listen((_request, response) => json(response, status, body));
    proven(port);
    await expect(check(`http://127.0.0.1:${port}`)).rejects.toThrow(said);
    expect(received).toHaveLength(1);
    expect(received[0]).toMatch(/^\/proof\?/);
    expect(received.join()).not.toContain('planted');
  },
);

test('a program that takes the address during the checks gets nothing but the question', async () => {
  const taken: string[][] = [];
  const { server, port, received } = await listen((request, response) => {
    const url = pathOf(request);
    if (url.pathname === '/proof') return json(response, 200, { proof: proofFor(url) });
    if (url.pathname !== '/health') return json(response, 200, {});
    server.close();
    void listen((_other, answer) => json(answer, 200, { data: [] }), port).then((impostor) => {
      taken.push(impostor.received);
      json(response, 200, { status: 'ok' });
    });
  });
  expect(await check(`http://127.0.0.1:${port}`)).toBe(1);
  expect(received.some((one) => one.startsWith('/health'))).toBe(true);
  const [byImpostor = []] = taken;
  expect(byImpostor.length).toBeGreaterThan(0);
  expect(byImpostor.filter((one) => !one.startsWith('/proof?'))).toEqual([]);
  expect(byImpostor.join()).not.toContain('planted');
});

test('a foreign service of the same user, without proofs, is checked', async () => {
  const { port, received } = await listen((request, response) =>
    json(response, pathOf(request).pathname === '/proof' ? 404 : 200, {}),
  );
  expect(await check(`http://127.0.0.1:${port}`)).toBe(0);
  expect(received.join()).toContain('planted');
});

test('a key is not sent over a network by plain http', async () => {
  await expect(check('http://192.0.2.1:9')).rejects.toThrow(/is not this computer/);
});
