// Contract: keys of a running service: issued, scoped, rotated, and revoked with their streams.
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TemporaryFolder, temporaryFolder } from '../harness/folders.ts';
import { nodeScript, runScript, start } from '../harness/processes.ts';
import { fetchPatiently, type RunningService, startService } from '../harness/service.ts';

let folder: TemporaryFolder;
let db: string;
let service: RunningService;
beforeAll(async () => {
  folder = temporaryFolder();
  db = join(folder.path, 'service.db');
  service = await startService({ environment: 'sandbox', db, symbols: 2 });
});
afterAll(async () => {
  await service.process.kill();
  folder.remove();
});

const keys = (...args: string[]): Promise<string> => runScript('barograph', 'keys', ...args, '--db', db);
async function issue(verb: string, ...args: string[]): Promise<{ key: string; id: string }> {
  const printed = await keys(verb, ...args);
  return {
    key: /^key (svc_test_\w+)$/m.exec(printed)?.[1] ?? '',
    id: /^(key_\w+), for sandbox/m.exec(printed)?.[1] ?? '',
  };
}
const ask = (path: string, key: string, method = 'GET'): Promise<Response> =>
  fetchPatiently(`${service.url}${path}`, {
    method,
    headers: { 'x-api-key': key, ...(method === 'POST' ? { 'content-type': 'application/json' } : {}) },
    ...(method === 'POST' ? { body: JSON.stringify({ url: 'http://127.0.0.1:9/hook' }) } : {}),
  });

test('a key issued beside a running service works, within its scope and with its plan', async () => {
  const read = await issue('issue', '--scope', 'read');
  expect((await ask('/snapshot', read.key)).status).toBe(200);
  const refused = await ask('/signals/subscribe', read.key, 'POST');
  expect([refused.status, (await refused.json()).code]).toEqual([403, 'forbidden']);
  expect(refused.headers.get('x-ratelimit-limit')).toBe('100');
  expect((await ask('/signals/subscribe', (await issue('issue')).key, 'POST')).status).toBe(201);
});

test('subscriptions outlive a rotation; the old key ends when it is revoked, and so does its stream', {
  tags: ['long'],
}, async () => {
  const first = await issue('issue', '--account', 'fund', '--plan', 'desk');
  const made = await (await ask('/signals/subscribe', first.key, 'POST')).json();
  const second = await issue('rotate', first.id, '--overlap', '1h');
  for (const { key } of [first, second]) expect((await ask(`/signals/subscriptions/${made.id}`, key)).status).toBe(200);
  const streams = await Promise.all([first, second].map(({ key }) => ask('/stream', key)));
  const [old, other] = streams.map((stream) => stream.body?.getReader());
  await keys('revoke', first.id);
  const refused = await ask('/snapshot', first.key);
  expect([refused.status, (await refused.json()).code]).toEqual([401, 'unauthorized']);
  let text = '';
  for (;;) {
    const { done, value } = (await old?.read()) ?? { done: true };
    if (done) break;
    text += Buffer.from(value ?? []).toString();
  }
  expect(text).toMatch(/: the key of this stream was revoked or has ended\n\n$/);
  expect((await ask('/snapshot', second.key)).status).toBe(200);
  await other?.cancel();
  const rows = (await keys('list')).split('\n').filter((row) => row.includes('\tfund\tdesk\t'));
  expect(rows.map((row) => row.split('\t').at(-1))).toEqual(expect.arrayContaining(['revoked', 'live']));
  expect(rows.join()).not.toContain(first.key.slice(9, 30));
});

test('an account has an owner, and its use is reported as table, CSV and JSON', { tags: ['long'] }, async () => {
  const { id, key } = await issue('issue', '--account', 'owned', '--scope', 'account', '--owner', 'ann@example.com');
  expect((await (await ask('/account', key)).json()).owner_email).toBe('ann@example.com');
  expect(await keys('change', 'owned', '--owner', 'bob@example.com')).toBe(
    `owned\tplan of the service, owner bob@example.com\t${id} account\n`,
  );
  expect((await (await ask('/account', key)).json()).owner_email).toBe('bob@example.com');
  expect(await keys('change', 'owned', '--no-owner')).toBe(`owned\tplan of the service\t${id} account\n`);
  const usage = (...args: string[]) => keys('usage', '--account', 'owned', '--month', '2026-03', ...args);
  const free = 'This service does not count calls: the sandbox is free, unless it has --enforce-limits.\n';
  expect(await usage('--format', 'csv')).toBe(
    `account,month,plan,quota,calls,overage,hard_cap,counted\r\nowned,2026-03,pro,250000,0,0,false,false\r\n${free}`,
  );
  expect(await usage()).toBe(
    `account  month    plan   quota  calls  overage  at the quota\nowned    2026-03  pro   250000      0        0  overage\n${free}`,
  );
  expect(JSON.parse((await usage('--format', 'json')).replace(free, ''))).toMatchObject([{ account: 'owned' }]);
});

test('a second service on the store is still refused, with exit code 2', { tags: ['long'] }, async () => {
  const second = start(process.execPath, [...nodeScript('service'), '--port', '0', '--db', db]);
  expect((await second.exit).code, second.printed()).toBe(2);
  expect(second.printed()).toContain('is in use by another service');
});

test('wrong ids and terms are one line and exit code 2', { tags: ['long'] }, async () => {
  for (const args of [
    ['revoke', 'key_none'],
    ['issue', '--account', 'fund', '--plan', 'pro'],
    ['change', 'nobody', '--plan', 'pro'],
    ['change', 'fund'],
    ['change', 'fund', '--plan', 'gold'],
    ['change', 'fund', '--contract', 'monthly=5'],
    ['change', 'fund', '--owner', 'ann'],
    ['issue', '--owner', 'ann@example.com\nBcc: eve@example.com'],
    ['usage', '--account', 'nobody'],
    ['usage', '--month', '2026-3'],
    ['usage', '--format', 'xml'],
  ]) {
    const wrong = start(process.execPath, [...nodeScript('barograph'), 'keys', ...args, '--db', db]);
    expect((await wrong.exit).code, wrong.printed()).toBe(2);
    expect(wrong.printed().trim().split('\n')).toHaveLength(1);
  }
});
