// Contract: the errors that the dashboard makes itself have the form of those of the backend.
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createProxyTokens } from '../../service/auth/proxy-tokens.ts';
import { createDashboard } from '../../service/proxy/dashboard.ts';
import { createDashboardSessions } from '../../service/proxy/sessions.ts';
import { createConnectionPool } from '../../shared/lib/connection-pool.ts';
import { createManualClock } from '../harness/manual-clock.ts';

test('refusals of the dashboard are spelled as those of the endpoint, and are problem+json for who asks for it', async () => {
  const clock = createManualClock();
  const logger = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
  const app = createDashboard({
    terms: { environment: 'production', isOpen: false, scopes: ['read'] },
    sessions: createDashboardSessions({
      clock,
      randomBytes,
      logger,
      store: { read: () => null, update: (change) => void change(null) },
      scopeOfKey: () => 'read',
    }),
    tokens: createProxyTokens(randomBytes(32), clock),
    clock,
    logger,
    backend: {
      address: () => 'http://127.0.0.1:1',
      certificate: () => null,
      publicUrl: () => 'https://risk.example',
      commonHeaders: () => ({ 'x-request-id': 'req_1' }),
      keyOf: () => ({ id: 'key_a', scope: 'read' }),
    },
    listener: {
      address: () => 'http://127.0.0.1:8788',
      connections: createConnectionPool({ clock }),
      admit: () => null,
    },
  });
  const path = '/api/proxy/api/archetypes/current';
  expect((await app.inject(path)).json().code).toBe('UNAUTHORIZED');
  expect((await app.inject('/api/proxy/snapshot')).json().code).toBe('unauthorized');
  const answer = await app.inject({ url: path, headers: { accept: 'application/problem+json' } });
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([401, 'application/problem+json; charset=utf-8']);
  expect(answer.json()).toMatchObject({
    title: 'unauthorized',
    status: 401,
    instance: 'req_1',
    code: 'UNAUTHORIZED',
  });
  await app.close();
});
