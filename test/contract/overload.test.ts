// Contract: an overloaded service answers new requests with 503 and Retry-After.
// Specification 7 and 8.
import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { expect, test, vi } from 'vitest';
import type { Caller } from '../../service/auth/authenticate.ts';
import { createApp } from '../../service/routes/app.ts';
import { createAvailability } from '../../service/routes/availability.ts';
import { mountRoute } from '../../service/routes/mount.ts';
import { routes } from '../../shared/wire/routes.ts';
import { SANDBOX_START, startSandbox } from '../harness/sandbox.ts';

vi.setConfig({ testTimeout: 60_000 });

test('new requests get a time to retry; liveness, documents and an open stream continue', async () => {
  const sandbox = await startSandbox({ symbols: 1, time: { start: SANDBOX_START, speed: 0 } });
  const { clock, service } = sandbox;
  const stream = await service.app.inject({
    url: '/stream',
    headers: { 'x-api-key': 'svc_test_contractcontract01' },
    payloadAsStream: true,
  });
  let received = '';
  stream.stream().on('data', (chunk: Buffer) => (received += chunk));
  expect((await sandbox.get('/snapshot')).status).toBe(200);

  for (let round = 0; round < 3; round += 1) {
    clock.jump(2_000);
    await clock.advance(1_000);
  }
  for (const path of ['/snapshot', '/stream', '/signal?symbol=SPY', '/api/archetypes/current', '/events']) {
    const { status, headers, body } = await sandbox.get(path);
    expect([status, body.code, headers['retry-after']], path).toEqual([503, 'temporarily_unavailable', '5']);
    expect(body.doc_url).toMatch(/\/docs#temporarily-unavailable$/);
    expect(headers).toMatchObject({ 'x-ratelimit-limit': expect.any(String), 'x-service-version': 'v1' });
  }
  expect((await sandbox.trigger('signal.high_risk', 'SPY')).status).toBe(503);
  expect(await sandbox.get('/health', { 'x-api-key': '' })).toMatchObject({ status: 200, body: { status: 'ok' } });
  for (const path of ['/', '/openapi.json', '/docs']) expect((await sandbox.get(path)).status, path).toBe(200);
  expect((await sandbox.get('/nowhere')).status).toBe(404);

  received = '';
  // Late checks only, for longer than a heartbeat.
  for (let round = 0; round < 16; round += 1) {
    clock.jump(2_000);
    await clock.advance(1_000);
  }
  expect(received).toContain(': heartbeat');
  expect((await sandbox.get('/snapshot')).status).toBe(503);

  await clock.advance(1_000);
  expect((await sandbox.get('/snapshot')).status).toBe(200);
  stream.stream().destroy();
  await service.close();
});

let inFlight = 0;
let phase: 'ready' | 'stopping' = 'ready';
/** An app with little behind it: /signals/subscriptions/ID is answered when `answer` is. */
function startApp(answer: Promise<never>): FastifyInstance {
  const caller: Caller = {
    id: 'key',
    ending: '',
    account: 'one',
    scope: 'read',
    plan: 'pro',
    hardCap: false,
    contract: null,
  };
  const app = createApp({
    availability: createAvailability(() => phase, { refuses: () => null }),
    authenticate: () => caller,
    limits: { spend: () => ({}), anonymous: () => ({}) },
    pressure: {
      takeOn() {
        inFlight += 1;
        return () => {
          inFlight -= 1;
        };
      },
    },
    host: {
      logger: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined },
      publicUrl: () => 'http://127.0.0.1:1',
      randomBytes,
    },
    admit: () => null,
  });
  mountRoute(app, routes.health, () => ({ status: 'ok' as const }), false);
  mountRoute(app, routes.deleteSubscription, ({ params: { id } }) => ({ id, deleted: true as const }), false);
  mountRoute(app, routes.subscription, () => answer, false);
  return app;
}

test('a request is in flight until it is answered, refused, or given up by its caller', async () => {
  const app = startApp(new Promise(() => undefined));
  const port = Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port);

  for (const path of ['/signals/subscriptions/a', `/signals/subscriptions/${'a'.repeat(65)}`]) {
    await fetch(`http://127.0.0.1:${port}${path}`, { method: 'DELETE' });
    await app.inject({ method: 'DELETE', url: path });
  }
  await expect.poll(() => inFlight).toBe(0);

  const sockets = Array.from({ length: 20 }, () => connect(port, '127.0.0.1'));
  for (const socket of sockets) socket.write('GET /signals/subscriptions/a HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
  await expect.poll(() => inFlight).toBe(20);
  expect((await app.inject('/health')).statusCode).toBe(200);
  for (const socket of sockets) socket.destroy();
  await expect.poll(() => inFlight).toBe(0);
  await app.close();
});

test('a service that stops finishes requests in flight and refuses new ones with a reason', async () => {
  phase = 'ready';
  const { promise, resolve } = Promise.withResolvers<never>();
  const app = startApp(promise);
  const port = Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port);
  let requestCount = 0;
  app.server.on('request', () => (requestCount += 1));
  const socket = connect(port, '127.0.0.1');
  let received = '';
  socket.on('data', (chunk) => (received += chunk));
  const ask = 'GET /signals/subscriptions/a HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n';
  socket.write(ask);
  await expect.poll(() => inFlight).toBe(1);
  phase = 'stopping';
  const ended = app.close();
  socket.write(ask);
  await expect.poll(() => requestCount).toBe(2);
  resolve({ id: 'a' } as never);
  await expect.poll(() => received).toContain('The service is stopping.');
  const [, first, second] = received.split('HTTP/1.1 ');
  expect(first).toMatch(/^200 /);
  expect(second).toMatch(/^503 /);
  expect(second).toContain('retry-after: 5');
  expect(second).toContain('"temporarily_unavailable"');
  await ended;
});
