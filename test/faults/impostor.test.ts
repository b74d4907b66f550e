// Faults: another user's program takes the port of an ended service or app, and gets no secret.
// The other user's program needs the administrator to start it; elsewhere those tests are skipped.
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { createClient } from '../../client/client.ts';
import { UNKNOWN_LISTENER } from '../../client/key-gate.ts';
import { namedPeer } from '../../main/core/profiles/peer.ts';
import { DEFAULT_SETTINGS } from '../../main/core/profiles/settings.ts';
import { openStreamConnection } from '../../main/core/sources/event-stream.ts';
import { SESSION_ID_TEXT } from '../../shared/channels/link-proof.ts';
import { LINK_PATH } from '../../shared/channels/session-endpoint.ts';
import { createSocketWindowLink } from '../../shared/channels/socket-link.ts';
import { createClock } from '../../shared/lib/clock.ts';
import { createWebHashes, newNonce } from '../../shared/lib/web-hashes.ts';
import { textOf } from '../../shared/text/message.ts';
import { barograph, startApp } from '../harness/app.ts';
import { type TemporaryFolder, temporaryFolder } from '../harness/folders.ts';
import { type Foreign, startForeign } from '../harness/foreign.ts';
import { openLink } from '../harness/link.ts';
import { notRun, whyNotRoot } from '../harness/not-run.ts';
import { runWithInput } from '../harness/processes.ts';
import { startService } from '../harness/service.ts';
import { startWireServer } from '../harness/wire-server.ts';

/** How long the other program has the port, ms. */
const TAKEN = 5_000;
const clock = createClock({ now: Date.now, setTimeout, clearTimeout });

let folder: TemporaryFolder;
const ends: (() => unknown)[] = [];
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
  folder.remove();
});
const take = async (port: number): Promise<Foreign> => {
  const foreign = await startForeign({ port });
  ends.push(foreign.stop);
  return foreign;
};
/** Polls a real program. */
async function until(condition: () => boolean | Promise<boolean>, what: string, within = 60_000): Promise<void> {
  for (const end = performance.now() + within; !(await condition()); await delay(200))
    if (performance.now() > end) throw new Error(`not within ${within} ms: ${what}`);
}

describe.skipIf(whyNotRoot)(`another user’s program${notRun(whyNotRoot)}`, () => {
  test('on the port of a service that was killed gets no byte of the key, and the app recovers with the service', {
    tags: ['long'],
    timeout: 300_000,
  }, async () => {
    const key = `svc_test_planted${randomBytes(10).toString('hex')}`;
    const service = await startService({ environment: 'sandbox', key, symbols: 2 });
    ends.push(service.process.kill);
    writeFileSync(
      join(folder.path, 'settings.json'),
      JSON.stringify({
        ...DEFAULT_SETTINGS,
        profiles: [{ name: 'desk', environment: 'sandbox', baseUrl: service.url, mode: 'auto', enabled: true }],
      }),
    );
    const app = await startApp({ dataDir: folder.path, key, desktop: false });
    ends.push(app.process.kill);
    const link = await openLink(app.url);
    ends.push(link.close);
    const connection = async () => (await link.call('state.snapshot')).connection;
    await until(async () => (await connection()).indicators.open.state === 'ok', 'the stream is open');
    const kept = (): string => readFileSync(join(folder.path, 'settings.json'), 'utf8');
    expect(JSON.parse(kept()).profiles[0].peer).toEqual({ address: service.url, trust: 'proof' });

    await service.process.kill();
    const foreign = await take(service.port);
    await until(async () => (await connection()).refused !== null, 'the app refuses what answers');
    const { refused, indicators } = await connection();
    expect(textOf(refused)).toContain('is not the service that has your key');
    expect([indicators.open.state, indicators.fresh.state]).not.toContain('ok');
    await link.call('connection.retry');
    await delay(TAKEN);
    const doctor = await runWithInput('barograph', ['doctor', '--data-dir', folder.path], '', { BAROGRAPH_KEY: key });
    // It did not see the program before this one, so it accuses nobody.
    expect(doctor.out).toContain('cannot prove that it knows the key');
    expect(foreign.received()).toContain('/proof?key=key_');
    expect(foreign.received()).not.toMatch(/planted|x-api-key|authorization/i);
    expect((await connection()).refused).not.toBeNull();

    await foreign.stop();
    ends.splice(ends.indexOf(foreign.stop), 1);
    const again = await startService({ environment: 'sandbox', key, symbols: 2, port: service.port });
    ends.push(again.process.kill);
    await link.call('connection.retry');
    await until(async () => (await connection()).indicators.open.state === 'ok', 'the stream is open again');
    expect((await connection()).refused).toBeNull();
  });

  test('on the port of an app that was killed gets neither the session nor a typed key, and no command reaches it', {
    tags: ['long'],
    timeout: 300_000,
  }, async () => {
    const app = await startApp({ dataDir: folder.path, desktop: false });
    ends.push(app.process.kill);
    const { origin, host, hash, port } = new URL(app.url);
    const granted = await fetch(`${origin}/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token: hash.slice('#t='.length) }),
    });
    const { session } = await granted.json();
    const ended: string[] = [];
    // As renderer/main.ts opens it.
    const window = createSocketWindowLink({
      open: () => new WebSocket(`${origin.replace('http', 'ws')}${LINK_PATH}`),
      handshake: { session, host, hashes: createWebHashes(crypto), nonce: () => newNonce(crypto) },
      clock,
      random: Math.random,
      onRefused: ({ code }) => ended.push(code),
      onBad: () => undefined,
    });
    ends.push(window.close);
    let isUp = false;
    window.watch((up) => {
      isUp = up;
    });
    await until(() => isUp, 'the window is connected');
    const run = JSON.parse(readFileSync(join(folder.path, 'run.json'), 'utf8'));

    await app.process.kill();
    const foreign = await take(Number(port));
    await until(() => ended.length > 0, 'the window sees another program');
    expect(ended).toEqual(['link.replaced']);
    const typed = `svc_live_typed${randomBytes(10).toString('hex')}`;
    for (const end = performance.now() + TAKEN; performance.now() < end; await delay(1_000))
      expect(await window.call('key.set', { key: typed })).toMatchObject({ ok: false });
    for (const verb of [
      ['open', '--no-open'],
      ['trigger', 'signal.high_risk'],
      ['acknowledge', 'SPY'],
    ])
      await expect(barograph(...verb, '--data-dir', folder.path)).rejects.toThrow(/run/);
    // The number of the app's process belongs to another one now, which has its port.
    writeFileSync(join(folder.path, 'run.json'), JSON.stringify({ ...run, pid: process.pid }));
    await expect(barograph('open', '--no-open', '--data-dir', folder.path)).rejects.toThrow(/does not run/);
    const received = foreign.received();
    expect(received).toContain(LINK_PATH);
    const id = await createWebHashes(crypto).hmac(await createWebHashes(crypto).sha256(session), SESSION_ID_TEXT);
    expect(received).toContain(id);
    for (const secret of [session, typed, run.socket.secret, run.sandbox.key]) expect(received).not.toContain(secret);
  });
});

describe('where the system does not tell which program listens', () => {
  test('a program on the port of a service whose stream broke gets no byte of the key', async () => {
    const server = await startWireServer();
    const { key } = server.service;
    let isOver = false;
    const end = async (): Promise<void> => {
      if (!isOver) await server.close();
      isOver = true;
    };
    ends.push(end);
    const client = createClient({
      base: new URL(`${server.url}/`),
      key,
      mode: 'auto',
      peer: namedPeer('user', () => UNKNOWN_LISTENER),
      fetch: (url, init) => fetch(url, init),
      clock,
    });
    ends.push(client.close);
    const seen: string[] = [];
    const stream = openStreamConnection(
      `${server.url}/stream`,
      null,
      (headers, signal) => client.openStream({}, headers, signal),
      (event) => seen.push(event.kind === 'ended' ? `ended: ${event.cause?.kind}` : event.kind),
    );
    ends.push(stream.close);
    await until(() => seen.includes('opened'), 'the stream is open');
    expect(await client.page('snapshot')).toMatchObject({ ok: true });

    await end();
    await until(() => seen.some((one) => one.startsWith('ended')), 'the stream broke');
    expect(seen.at(-1)).toBe('ended: network');
    const received: string[] = [];
    const impostor = createServer((request, response) => {
      received.push(`${request.url} ${request.rawHeaders.join(' ')}`);
      const body = { proof: '0'.repeat(64), data: [], has_more: false, next_cursor: null };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
    await new Promise<void>((resolve) => impostor.listen(Number(new URL(server.url).port), '127.0.0.1', resolve));
    ends.push(() => new Promise((resolve) => impostor.close(resolve)));
    expect(await client.page('snapshot')).toMatchObject({ ok: false, error: { kind: 'unproven', code: 'no_proof' } });
    expect(received).toEqual([expect.stringMatching(/^\/proof\?/)]);
    expect(received.join()).not.toContain(key);
    ends.push(() => impostor.closeAllConnections());
  }, 120_000);
});
