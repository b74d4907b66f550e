// Contract: the keys of an account: shown once, unknown to other accounts, ended at once.
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openKeyService } from '../../service/accounts/key-service.ts';
import { type TemporaryFolder, temporaryFolder } from '../harness/folders.ts';
import { type Answer, type Sandbox, startSandbox } from '../harness/sandbox.ts';

/** Enough of a key to find it, and of no other. */
const bodyOf = (key: string): string => key.slice(9, 30);
const DAY_MS = 86_400_000;

let folder: TemporaryFolder;
let sandbox: Sandbox;
let ann: string;
let bob: string;
beforeAll(async () => {
  folder = temporaryFolder();
  const file = join(folder.path, 'service.db');
  sandbox = await startSandbox({ symbols: 1, file, plans: { enforced: true } });
  const keys = openKeyService(file, sandbox.clock.now, randomBytes);
  const request = { scope: 'account', plan: null, hardCap: false, contract: null } as const;
  ann = keys.issue({ ...request, account: 'ann', plan: 'desk', ownerEmail: 'ann@example.com' }).key;
  bob = keys.issue({ ...request, account: 'bob' }).key;
  await keys.close();
});
afterAll(async () => {
  await sandbox.service.close();
  folder.remove();
});
beforeEach(() => sandbox.clock.jump(61_000));
afterEach(() => expect(sandbox.complaints).toEqual([]));

const by = (key: string, more: Record<string, string> = {}) => ({ 'x-api-key': key, ...more });
const get = (path: string, key: string): Promise<Answer> => sandbox.get(path, by(key));
const post = (path: string, key: string, body?: unknown, more: Record<string, string> = {}): Promise<Answer> =>
  sandbox.send('POST', path, body, by(key, more));
const issue = async (key: string, scope = 'read', more = {}) =>
  (await post('/account/keys', key, { scope }, more)).body as { id: string; key: string };
const idsOf = async (key: string): Promise<string[]> =>
  (await get('/account/keys?limit=100', key)).body.data.map(({ id }: { id: string }) => id);

describe('a key that is issued', () => {
  test('works at once within its scope, and is in no list, no file and no other answer', async () => {
    const { status, body } = await post('/account/keys', ann, { scope: 'webhooks' });
    expect([status, body.key]).toEqual([201, expect.stringMatching(/^svc_test_[A-Za-z0-9]{38}$/)]);
    expect((await get('/signals/subscriptions', body.key)).status).toBe(200);
    expect((await get('/account/keys', body.key)).status).toBe(403);
    const list = await get('/account/keys', ann);
    expect(list.body.data[0]).toMatchObject({
      id: body.id,
      prefix: 'svc_test_',
      ending: body.key.slice(-4),
      scope: 'webhooks',
      status: 'live',
      last_used_at: new Date(sandbox.clock.now()).toISOString(),
    });
    expect(list.text).not.toContain(bodyOf(body.key));
    const files = readdirSync(folder.path).map((name) => readFileSync(join(folder.path, name), 'latin1'));
    expect(files.join()).not.toContain(bodyOf(body.key));
    expect(files.join()).toContain(body.id);
  });

  test('under an Idempotency-Key is the same one when asked again, without its text; another request is refused', async () => {
    const once = { 'idempotency-key': 'issue-1' };
    const first = await post('/account/keys', ann, { scope: 'read' }, once);
    const before = (await idsOf(ann)).length;
    const again = await post('/account/keys', ann, { scope: 'read' }, once);
    expect([first.status, again.status, again.body.id]).toEqual([201, 200, first.body.id]);
    expect(again.body).not.toHaveProperty('key');
    expect((await idsOf(ann)).length).toBe(before);
    expect((await post('/account/keys', ann, { scope: 'account' }, once)).status).toBe(400);
    expect((await post(`/account/keys/${first.body.id}/rotate`, ann, undefined, once)).status).toBe(400);
    expect((await post('/account/keys', ann, { scope: 'read' }, { 'idempotency-key': 'a b' })).status).toBe(400);
    // It is the account's own: another one may use the same words.
    expect((await post('/account/keys', bob, { scope: 'read' }, once)).status).toBe(201);
    sandbox.clock.jump(DAY_MS + 1);
    const later = await post('/account/keys', ann, { scope: 'read' }, once);
    expect([later.status, later.body.id === first.body.id]).toEqual([201, false]);
  });

  test.each([[{}], [{ scope: 'all' }], [{ scope: 'READ' }], [[]], [undefined]])('%j is refused', async (body) => {
    expect((await post('/account/keys', ann, body)).status).toBe(400);
  });

  test('is one of a hundred at most', async () => {
    const issued: string[] = [];
    let answer = await post('/account/keys', bob, { scope: 'read' });
    while (answer.status === 201) {
      issued.push(answer.body.id);
      sandbox.clock.jump(1_000);
      answer = await post('/account/keys', bob, { scope: 'read' });
    }
    expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining('100 keys')]);
    expect((await idsOf(bob)).length).toBe(100);
    // Each key can be rotated once, with or without an overlap; once more would be another key.
    const newest = issued.at(-1) ?? '';
    const { status, body } = await post(`/account/keys/${newest}/rotate`, bob);
    expect([status, (await get('/snapshot', body.key)).status]).toEqual([201, 200]);
    expect((await post(`/account/keys/${newest}/rotate`, bob)).status).toBe(400);
    const again = await post(`/account/keys/${body.id}/rotate`, bob, { overlap_seconds: 0 });
    expect(again.status).toBe(201);
    expect((await post('/account/keys', bob, { scope: 'read' })).status).toBe(400);
    issued.push(again.body.id);
    for (const id of issued) {
      sandbox.clock.jump(1_000);
      expect((await sandbox.send('DELETE', `/account/keys/${id}`, undefined, by(bob))).status).toBe(200);
    }
    expect((await post('/account/keys', bob, { scope: 'read' })).status).toBe(201);
  });
});

describe('another account', () => {
  test('sees no key, reads no account, and rotates and revokes none', async () => {
    const own = await issue(ann);
    expect(await idsOf(bob)).not.toContain(own.id);
    expect((await get('/account', bob)).body).toMatchObject({ id: 'bob', owner_email: null, plan: 'pro' });
    const rotated = await post(`/account/keys/${own.id}/rotate`, bob);
    const revoked = await sandbox.send('DELETE', `/account/keys/${own.id}`, undefined, by(bob));
    const unknown = await sandbox.send('DELETE', '/account/keys/key_000000000000', undefined, by(bob));
    expect([rotated.status, revoked.status]).toEqual([404, 404]);
    // Nothing tells a key of another account from one that does not exist.
    expect(revoked.body).toEqual(unknown.body);
    expect((await get('/snapshot', own.key)).status).toBe(200);
    expect((await get('/account/usage?account=ann', bob)).body.account).toBe('bob');
  });

  test('cannot read on with a cursor of this one', async () => {
    await issue(ann);
    await issue(ann);
    const { next_cursor } = (await get('/account/keys?limit=1', ann)).body;
    expect(next_cursor).not.toBeNull();
    expect((await get(`/account/keys?limit=1&after=${next_cursor}`, ann)).status).toBe(200);
    expect((await get(`/account/keys?limit=1&after=${next_cursor}`, bob)).status).toBe(400);
  });
});

describe('a key', () => {
  test('that is revoked ends with the next request, stays in the list, and is not rotated', async () => {
    const { id, key } = await issue(ann);
    expect((await get('/snapshot', key)).status).toBe(200);
    const answer = await sandbox.send('DELETE', `/account/keys/${id}`, undefined, by(ann));
    expect(answer.body).toMatchObject({ id, status: 'revoked', revoked_at: expect.any(String) });
    expect((await get('/snapshot', key)).status).toBe(401);
    expect((await sandbox.send('DELETE', `/account/keys/${id}`, undefined, by(ann))).body).toEqual(answer.body);
    expect((await post(`/account/keys/${id}/rotate`, ann)).status).toBe(400);
    expect(await idsOf(ann)).toContain(id);
  });

  test('that is rotated works for as long as the overlap, and the new one has its scope', async () => {
    const old = await issue(ann, 'webhooks');
    const { status, body } = await post(`/account/keys/${old.id}/rotate`, ann, { overlap_seconds: 30 });
    expect([status, body.scope]).toEqual([201, 'webhooks']);
    expect((await get('/snapshot', old.key)).status).toBe(200);
    sandbox.clock.jump(30_000);
    expect((await get('/snapshot', old.key)).status).toBe(401);
    expect((await get('/snapshot', body.key)).status).toBe(200);
    const row = (await get('/account/keys', ann)).body.data.find((one: { id: string }) => one.id === old.id);
    expect(row.status).toBe('ended');
    const day = await post(`/account/keys/${body.id}/rotate`, ann);
    sandbox.clock.jump(DAY_MS - 1);
    expect((await get('/snapshot', body.key)).status).toBe(200);
    sandbox.clock.jump(1);
    expect((await get('/snapshot', body.key)).status).toBe(401);
    expect((await get('/snapshot', day.body.key)).status).toBe(200);
    for (const overlap_seconds of [-1, 0.5, 365 * 86_400 + 1, '60'])
      expect((await post(`/account/keys/${day.body.id}/rotate`, ann, { overlap_seconds })).status).toBe(400);
  });
});

describe('the terms and the use of an account', () => {
  test('are its own: plan, quota, owner', async () => {
    expect((await get('/account', ann)).body).toEqual({
      id: 'ann',
      owner_email: 'ann@example.com',
      plan: 'desk',
      quota: 1_000_000,
      burst: 50,
      sustained: 5_000,
      hard_cap: false,
    });
  });

  test('a hard cap holds from the next request on, and is lifted again', async () => {
    const file = join(folder.path, 'service.db');
    const keys = openKeyService(file, sandbox.clock.now, randomBytes);
    const { key } = keys.issue({
      scope: 'account',
      account: 'small',
      plan: 'institutional',
      hardCap: false,
      contract: { monthly: 3 },
    });
    await keys.close();
    const overage = async () => (await get('/account/usage', key)).headers['x-ratelimit-overage'];
    expect([await overage(), await overage(), await overage(), await overage()]).toEqual([
      undefined,
      undefined,
      undefined,
      '1',
    ]);
    const report = (await get('/account/usage', key)).body;
    const month = new Date(sandbox.clock.now()).toISOString().slice(0, 7);
    expect(report).toMatchObject({
      account: 'small',
      month,
      plan: 'institutional',
      quota: 3,
      calls: 5,
      overage: 2,
      hard_cap: false,
      counted: true,
    });
    const csv = await get(`/account/usage?format=csv&month=${month}`, key);
    expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(csv.text).toBe(
      `account,month,plan,quota,calls,overage,hard_cap,counted\r\nsmall,${month},institutional,3,6,3,false,true\r\n`,
    );
    expect((await post('/account/hard-cap', key, { hard_cap: true })).body.hard_cap).toBe(true);
    const refused = await get('/snapshot', key);
    expect([refused.status, refused.body.message]).toEqual([429, expect.stringContaining('hard cap')]);
    // What the owner does about it is taken, and counts for nothing.
    expect((await get('/account', key)).body.hard_cap).toBe(true);
    const other = await issue(key);
    expect((await get('/snapshot', other.key)).status).toBe(429);
    expect((await get('/account/usage', other.key)).body).toMatchObject({ calls: 7, overage: 4, hard_cap: true });
    const revoked = await sandbox.send('DELETE', `/account/keys/${other.id}`, undefined, by(key));
    expect([revoked.status, revoked.body.status]).toEqual([200, 'revoked']);
    expect((await get('/account/usage', key)).body.calls).toBe(7);
    const lifted = await post('/account/hard-cap', key, { hard_cap: false });
    expect([lifted.status, lifted.body.hard_cap]).toEqual([200, false]);
    const taken = await get('/snapshot', key);
    expect([taken.status, taken.headers['x-ratelimit-overage']]).toEqual([200, '5']);
  });

  test('months: any past one, none that has not begun, nothing that is none', async () => {
    expect((await get('/account/usage?month=2024-02', ann)).body).toMatchObject({
      calls: 0,
      from: '2024-02-01T00:00:00.000Z',
      to: '2024-03-01T00:00:00.000Z',
    });
    for (const month of ['2999-01', '2026-13', '2026-3', 'March', ''])
      expect((await get(`/account/usage?month=${month}`, ann)).status).toBe(400);
    expect((await get('/account/usage?format=xml', ann)).status).toBe(400);
  });

  test('a service with a hard cap for all lets no account lift it', async () => {
    const capped = await startSandbox({ symbols: 1, plans: { hardCap: true } });
    expect((await capped.get('/account')).body.hard_cap).toBe(true);
    const lifted = await capped.send('POST', '/account/hard-cap', { hard_cap: false });
    expect([lifted.status, lifted.body.message]).toEqual([403, expect.stringContaining('--hard-cap')]);
    // The sandbox is free.
    expect((await capped.get('/account/usage')).body).toMatchObject({ calls: 0, counted: false });
    await capped.service.close();
  });
});
