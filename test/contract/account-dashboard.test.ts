// Contract: a session of the dashboard acts for the account of its key, within its scopes alone.
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readDashboardAddress } from '../../client/dashboard.ts';
import { type KeyService, openKeyService } from '../../service/accounts/key-service.ts';
import { listen, type RunningServer } from '../../service/listen.ts';
import { createClock } from '../../shared/lib/clock.ts';
import { type TemporaryFolder, temporaryFolder } from '../harness/folders.ts';

const lines: string[] = [];
const logged = (fields: object, text: string): void => void lines.push(`${text} ${JSON.stringify(fields)}`);
const logger = { debug: logged, info: logged, warn: logged, error: logged };

let folder: TemporaryFolder;
let running: RunningServer;
let dashboard: string;
let keys: KeyService;
/** Wall ms beyond the clock of this computer. */
let ahead = 0;
beforeAll(async () => {
  folder = temporaryFolder();
  const file = join(folder.path, 'service.db');
  const now = (): number => Date.now() + ahead;
  running = await listen(
    {
      world: { kind: 'sandbox', seed: 7, symbols: 1 },
      time: { start: Date.parse('2026-03-02T14:30:00Z'), speed: 0 },
      file,
    },
    {
      clock: createClock({ now, setTimeout, clearTimeout }),
      logger,
      randomBytes,
      plans: { enforced: true, plan: 'institutional' },
    },
    { port: 0, key: 'svc_test_accountaccount00001', dashboard: { port: 0 } },
  );
  dashboard = running.dashboard ?? '';
  keys = openKeyService(file, now, randomBytes);
});
afterAll(async () => {
  await keys.close();
  await running.close();
  folder.remove();
});

const issued = (account: string, scope: 'read' | 'webhooks' | 'account' = 'account') =>
  keys.issue({ scope, account, plan: null, hardCap: false, contract: null });

/** A session that began with a key. */
async function sessionOf(key: string, scopes?: readonly string[]): Promise<string> {
  const json = { 'content-type': 'application/json' };
  const link = await fetch(`${dashboard}/link`, {
    method: 'POST',
    headers: { 'x-api-key': key, ...json },
    body: JSON.stringify(scopes === undefined ? {} : { scopes }),
  });
  return traded((await link.json()).link ?? '');
}
async function traded(link: string): Promise<string> {
  const { token } = readDashboardAddress(link) ?? {};
  const body = JSON.stringify({ token });
  const headers = { 'content-type': 'application/json' };
  return (await (await fetch(`${dashboard}/session`, { method: 'POST', headers, body })).json()).session ?? '';
}
async function ask(session: string, path: string, method = 'GET', body?: unknown, more: Record<string, string> = {}) {
  const answer = await fetch(`${dashboard}/api/proxy${path}`, {
    method,
    headers: {
      authorization: `Bearer ${session}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...more,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, text, body: text === '' ? null : JSON.parse(text) };
}
const WRITES: readonly (readonly [method: string, path: string, body?: unknown])[] = [
  ['POST', '/account/keys', { scope: 'read' }],
  ['POST', '/account/keys/key_000000000000/rotate'],
  ['DELETE', '/account/keys/key_000000000000'],
  ['POST', '/account/hard-cap', { hard_cap: true }],
];

describe('a session that a key began', () => {
  test('is of the account of the key: its keys, its terms, its subscriptions, and no others', async () => {
    const [ann, bob] = await Promise.all(['ann', 'bob'].map((name) => sessionOf(issued(name).key)));
    if (ann === undefined || bob === undefined) throw new Error('no session');
    const made = await ask(ann, '/account/keys', 'POST', { scope: 'read' });
    expect(made.status).toBe(201);
    expect((await ask(ann, '/account')).body.id).toBe('ann');
    expect((await ask(ann, '/account/keys')).text).toContain(made.body.id);
    expect((await ask(bob, '/account/keys')).text).not.toContain(made.body.id);
    expect((await ask(bob, `/account/keys/${made.body.id}`, 'DELETE')).status).toBe(404);
    expect((await ask(bob, `/account/keys/${made.body.id}/rotate`, 'POST')).status).toBe(404);
    const { id } = (await ask(ann, '/signals/subscribe', 'POST', { url: 'http://127.0.0.1:9/ann' })).body;
    expect((await ask(bob, '/signals/subscriptions')).text).not.toContain(id);
    expect((await ask(bob, `/signals/subscriptions/${id}/rotate-secret`, 'POST')).status).toBe(404);
    // The key itself sees what its session made.
    const direct = await fetch(`${running.url}/signals/subscriptions/${id}`, {
      headers: { 'x-api-key': issued('ann').key },
    });
    expect(direct.status).toBe(200);
  });

  test('ends with the revocation of its own key, by itself too', async () => {
    const { id, key } = issued('carl');
    const session = await sessionOf(key);
    expect((await ask(session, `/account/keys/${id}`, 'DELETE')).body.status).toBe('revoked');
    expect((await ask(session, '/account')).status).toBe(401);
    expect((await ask(session, '/snapshot')).status).toBe(401);
  });

  test('a session that a key began ends the streams of a key that it revokes', { tags: ['long'] }, async () => {
    const session = await sessionOf(issued('dora').key);
    const { body } = await ask(session, '/account/keys', 'POST', { scope: 'read' });
    const stream = await fetch(`${running.url}/stream`, { headers: { 'x-api-key': body.key } });
    expect(stream.status).toBe(200);
    await ask(session, `/account/keys/${body.id}`, 'DELETE');
    expect(await stream.text()).toContain('the key of this stream was revoked or has ended');
  });

  test('manages the account at its hard cap, and lifts it', async () => {
    const terms = { plan: 'institutional', hardCap: true, contract: { monthly: 2 } } as const;
    const session = await sessionOf(keys.issue({ scope: 'account', account: 'capped', ...terms }).key);
    const snapshots = async (): Promise<number> => (await ask(session, '/snapshot')).status;
    expect([await snapshots(), await snapshots(), await snapshots()]).toEqual([200, 200, 429]);
    expect((await ask(session, '/account/usage')).body).toMatchObject({ calls: 2, overage: 0, hard_cap: true });
    expect((await ask(session, '/account')).body.hard_cap).toBe(true);
    const leaked = await ask(session, '/account/keys', 'POST', { scope: 'read' });
    expect((await ask(session, `/account/keys/${leaked.body.id}`, 'DELETE')).body.status).toBe('revoked');
    expect((await ask(session, '/account/keys')).text).toContain(leaked.body.id);
    const lifted = await ask(session, '/account/hard-cap', 'POST', { hard_cap: false });
    expect([lifted.body.hard_cap, await snapshots()]).toEqual([false, 200]);
  });

  test('of the scope read reads its use, and changes nothing', async () => {
    const session = await sessionOf(issued('emma').key, ['read']);
    expect((await ask(session, '/account/usage')).body.account).toBe('emma');
    for (const [method, path, body] of [...WRITES, ['GET', '/account'], ['GET', '/account/keys']] as const)
      expect([path, (await ask(session, path, method, body)).status]).toEqual([path, 403]);
  });

  test.each(['read', 'webhooks'] as const)('of a key of the scope %s is given no account', async (scope) => {
    const { key } = issued('fred', scope);
    const link = await fetch(`${dashboard}/link`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: '{"scopes":["account"]}',
    });
    expect(link.status).toBe(403);
    const session = await sessionOf(key);
    expect((await ask(session, '/account/keys', 'POST', { scope: 'read' })).status).toBe(403);
  });
});

test('the session of the printed link is of the account of the dashboard', async () => {
  const session = await traded(running.dashboardLink ?? '');
  expect((await ask(session, '/account')).body.id).toBe('dashboard');
  const { body } = await ask(session, '/account/keys', 'POST', { scope: 'webhooks' });
  const made = await ask(session, '/signals/subscribe', 'POST', { url: 'http://127.0.0.1:9/own' });
  const seen = await fetch(`${running.url}/signals/subscriptions/${made.body.id}`, {
    headers: { 'x-api-key': body.key },
  });
  expect(seen.status).toBe(200);
});

describe('nothing is changed', () => {
  test('without a session, with one that ended, or after thirty days', async () => {
    const session = await sessionOf(issued('gina').key);
    await fetch(`${dashboard}/session`, { method: 'DELETE', headers: { authorization: `Bearer ${session}` } });
    const old = await sessionOf(issued('gina').key);
    expect((await ask(old, '/account')).status).toBe(200);
    ahead += 30 * 86_400_000;
    for (const one of ['', 'dsh_unknownunknownunknown', session, old])
      for (const [method, path, body] of WRITES)
        expect([path, (await ask(one, path, method, body)).status]).toEqual([path, 401]);
  });

  test('by another page, whatever it sends, not even with the cookie of a session', async () => {
    const session = await sessionOf(issued('hans').key);
    const cookie = `barograph_dashboard_${new URL(dashboard).port}=${session}`;
    const before = (await ask(session, '/account/keys')).body.data.length;
    for (const foreign of [
      { origin: 'http://evil.example' },
      { origin: 'null' },
      { origin: running.url },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ])
      for (const [method, path, body] of WRITES)
        expect((await ask('', path, method, body, { cookie, ...foreign } as Record<string, string>)).status).toBe(403);
    // A form sends no JSON.
    const form = await fetch(`${dashboard}/api/proxy/account/keys`, {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/x-www-form-urlencoded' },
      body: 'scope=account',
    });
    expect(form.status).toBe(415);
    expect((await ask(session, '/account/keys')).body.data.length).toBe(before);
    expect((await ask('', '/account/keys', 'POST', { scope: 'read' }, { cookie, origin: dashboard })).status).toBe(201);
  });
});

test('no key is in the log or in a file of the service, through the dashboard or not', async () => {
  const session = await sessionOf(issued('ida').key);
  const first = (await ask(session, '/account/keys', 'POST', { scope: 'account' })).body;
  const second = (await ask(session, `/account/keys/${first.id}/rotate`, 'POST')).body;
  // Refused requests that carry a key where it does not belong.
  await ask(session, `/account/keys/${second.key}`, 'DELETE');
  await ask(session, '/account/keys', 'POST', { scope: second.key });
  const files = readdirSync(folder.path).map((name) => readFileSync(join(folder.path, name), 'latin1'));
  const everything = [...lines, ...files].join('\n');
  expect(everything).toContain(second.id);
  for (const { key } of [first, second]) expect(everything).not.toContain(key.slice(9, 30));
});
