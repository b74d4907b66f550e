// Contract: the dashboard sends the backend nothing of its client, and a signature of a minute.
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { jwtVerify, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createProxyTokens } from '../../service/auth/proxy-tokens.ts';
import { createDashboard } from '../../service/proxy/dashboard.ts';
import { createDashboardSessions } from '../../service/proxy/sessions.ts';
import { createConnectionPool } from '../../shared/lib/connection-pool.ts';
import { createManualClock } from '../harness/manual-clock.ts';

const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

describe('what reaches the backend', () => {
  let backend: Server;
  let seen: IncomingMessage | undefined;
  const secret = randomBytes(32);
  const clock = createManualClock();
  const disk = { stored: null as string | null, isFull: false };
  const sessions = createDashboardSessions({
    clock,
    randomBytes,
    logger: silent,
    store: {
      read: () => disk.stored,
      update(change) {
        if (disk.isFull) throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
        disk.stored = change(disk.stored);
      },
    },
    scopeOfKey: () => 'read',
  });
  const made = (address: () => string) =>
    createDashboard({
      terms: { environment: 'production', isOpen: true, scopes: ['read'] },
      sessions,
      tokens: createProxyTokens(secret, clock),
      clock,
      logger: silent,
      backend: {
        address,
        certificate: () => null,
        publicUrl: () => 'https://risk.example',
        commonHeaders: () => ({}),
        keyOf: () => ({ id: 'key_a', scope: 'read' }),
      },
      listener: {
        address: () => 'http://127.0.0.1:8788',
        connections: createConnectionPool({ clock }),
        admit: () => null,
      },
    });
  beforeAll(async () => {
    backend = createServer((request, answer) => {
      seen = request;
      answer.setHeader('set-cookie', 'theirs=1').end('{}');
    });
    await new Promise<void>((resolve) => backend.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => void backend.close());

  test('holds no credential of the client, and a token of a minute at most that changes', async () => {
    const app = made(() => `http://127.0.0.1:${(backend.address() as AddressInfo).port}`);
    const get = () =>
      app.inject({
        url: '/api/proxy/snapshot?limit=2',
        headers: {
          'x-api-key': 'svc_live_mine',
          authorization: 'Bearer mine',
          cookie: 'c=mine',
          'proxy-authorization': 'x',
          'x-forwarded-for': '1.2.3.4',
          forwarded: 'for=1',
          'last-event-id': 'evt_1',
        },
      });
    await get();
    expect(seen?.url).toBe('/snapshot?limit=2');
    expect(JSON.stringify(seen?.rawHeaders)).not.toMatch(/mine|1\.2\.3\.4|for=1|proxy-authorization|cookie/i);
    expect(seen?.headers['last-event-id']).toBe('evt_1');
    const tokenOf = (): string => seen?.headers.authorization?.replace('Bearer ', '') ?? '';
    const first = tokenOf();
    const { payload } = await jwtVerify(first, secret, { currentDate: new Date(clock.now()) });
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(60);
    await clock.advance(20_000);
    await get();
    expect(tokenOf()).not.toBe(first);
    const tokens = createProxyTokens(secret, clock);
    expect(await tokens.grantOf(first)).toEqual({ scope: 'read', key: null });
    await clock.advance(40_000);
    expect(await tokens.grantOf(first)).toBeNull();
    await app.close();
  });

  test('is signed by nobody else', async () => {
    const tokens = createProxyTokens(secret, clock);
    const at = Math.floor(clock.now() / 1_000);
    const forged = (alg: string, key: Uint8Array, audience: string) =>
      new SignJWT({ scope: 'read', key: null })
        .setProtectedHeader({ alg })
        .setAudience(audience)
        .setIssuedAt(at)
        .setExpirationTime(at + 60)
        .sign(key);
    expect(await tokens.grantOf(await forged('HS256', secret, 'backend'))).toEqual({ scope: 'read', key: null });
    expect(await tokens.grantOf(await forged('HS256', randomBytes(32), 'backend'))).toBeNull();
    expect(await tokens.grantOf(await forged('HS512', randomBytes(64), 'backend'))).toBeNull();
    expect(await tokens.grantOf(await forged('HS256', secret, 'session'))).toBeNull();
    const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from(JSON.stringify({ aud: 'backend', iat: at, exp: at + 60 })).toString('base64url')}.`;
    expect(await tokens.grantOf(none)).toBeNull();
  });

  test('a store that takes nothing is 503, and said in the common form', async () => {
    const app = made(() => 'http://127.0.0.1:9');
    const token = sessions.issue(['read'], null);
    const { session } = (await app.inject({ method: 'POST', url: '/session', payload: { token } })).json();
    const headers = { authorization: `Bearer ${session}` };
    disk.isFull = true;
    const answer = await app.inject({ method: 'DELETE', url: '/session', headers });
    expect([answer.statusCode, answer.headers['retry-after'], answer.json().code]).toEqual([
      503,
      '5',
      'temporarily_unavailable',
    ]);
    await app.close();
  });

  test('a backend that is gone is 502', async () => {
    await new Promise((resolve) => backend.close(resolve));
    // Its port is free now, and nothing answers on it.
    const gone = made(() => 'http://127.0.0.1:9');
    const answer = await gone.inject({ url: '/api/proxy/snapshot' });
    expect([answer.statusCode, answer.json().code]).toEqual([502, 'BACKEND_UNAVAILABLE']);
    await gone.close();
  });
});
