// Contract: the acts of a desk: of the account of the key alone, once for an id, in the order of their arrival.
import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openKeyService } from '../../service/accounts/key-service.ts';
import { DAY_MS } from '../../shared/lib/time.ts';
import { type TemporaryFolder, temporaryFolder } from '../harness/folders.ts';
import { type Answer, type Sandbox, startSandbox } from '../harness/sandbox.ts';

let folder: TemporaryFolder;
let sandbox: Sandbox;
let [ann, bob, reader] = ['', '', ''];
beforeAll(async () => {
  folder = temporaryFolder();
  const file = join(folder.path, 'service.db');
  sandbox = await startSandbox({ symbols: 1, file });
  const keys = openKeyService(file, sandbox.clock.now, randomBytes);
  const issue = (account: string, scope: 'read' | 'webhooks') =>
    keys.issue({ account, scope, plan: null, hardCap: false, contract: null }).key;
  [ann, bob, reader] = [issue('fund', 'webhooks'), issue('other', 'webhooks'), issue('fund', 'read')];
  await keys.close();
});
afterAll(async () => {
  await sandbox.service.close();
  folder.remove();
});
afterEach(() => expect(sandbox.complaints).toEqual([]));

const act = (more: object = {}) => ({
  id: randomUUID(),
  event_id: 'evt_1',
  act: 'taken',
  by: 'ann',
  at: new Date(sandbox.clock.now()).toISOString(),
  note: '',
  releases: [],
  ...more,
});
const post = (key: string, body: object): Promise<Answer> =>
  sandbox.send('POST', '/desk/acts', body, { 'x-api-key': key });
const list = (key: string, query = ''): Promise<Answer> => sandbox.get(`/desk/acts${query}`, { 'x-api-key': key });

test('an act is kept once for its id, and read by every key of its account and by no other', async () => {
  const first = act();
  const added = await post(ann, first);
  expect([added.status, added.body]).toEqual([201, first]);
  const repeated = await post(ann, { ...first, by: 'mallory' });
  expect([repeated.status, repeated.body]).toEqual([200, first]);
  expect((await list(reader)).body.data).toEqual([first]);
  expect((await list(bob)).body.data).toEqual([]);
  // The same id in another account is another act.
  expect((await post(bob, { ...first, by: 'bob' })).status).toBe(201);
  expect((await list(ann)).body.data).toEqual([first]);
});

test('the list goes on after the last act that is known, and refuses one that it does not know', async () => {
  const ids = [];
  for (let index = 0; index < 3; index += 1) ids.push((await post(ann, act())).body.id);
  const page = await list(ann, `?after=${ids[0]}&limit=1`);
  expect(page.body).toMatchObject({ data: [{ id: ids[1] }], has_more: true, next_cursor: ids[1] });
  expect((await list(ann, `?after=${ids[1]}`)).body).toMatchObject({ data: [{ id: ids[2] }], has_more: false });
  const unknown = await list(ann, `?after=${randomUUID()}`);
  expect([unknown.status, unknown.body.message]).toEqual([400, expect.stringContaining('Begin without it')]);
});

test('a key that may only read adds no act, and a time ahead of the service becomes that of its arrival', async () => {
  expect((await post(reader, act())).status).toBe(403);
  const ahead = await post(ann, act({ at: new Date(sandbox.clock.now() + DAY_MS).toISOString() }));
  expect(ahead.body.at).toBe(new Date(sandbox.clock.now()).toISOString());
});

test.each<[string, object]>([
  ['an id that is no UUID', { id: 'act-1' }],
  ['an unknown act', { act: 'stolen' }],
  ['no name', { by: '' }],
  ['a name of two lines', { by: 'ann\nbob' }],
  ['a note of 1,001 characters', { note: 'x'.repeat(1_001) }],
  ['51 acts that it ends', { releases: Array.from({ length: 51 }, () => randomUUID()) }],
])('an act with %s is refused with the name of the field', async (_, more) => {
  const { status, body } = await post(ann, act(more));
  expect([status, body.code, body.message]).toEqual([
    400,
    'invalid_request',
    expect.stringContaining(Object.keys(more)[0] ?? ''),
  ]);
});

test('acts at the desk are deleted after 90 days', { tags: ['long'] }, async () => {
  await post(ann, act());
  sandbox.clock.jump(91 * DAY_MS);
  const kept = await post(ann, act());
  await sandbox.clock.advance(20_000);
  expect((await list(ann)).body.data).toEqual([kept.body]);
});
