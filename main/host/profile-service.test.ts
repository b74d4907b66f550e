// Test: adding and removing profiles in a running app: atomic, and no answer contains a key.
import { appendFileSync, existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ConnectionTest, Profiles } from '../../shared/channels/profiles.ts';
import { remote, SIMULATED, setUpApplicationBench } from '../../test/harness/application-bench.ts';
import { saying } from '../../test/harness/saying.ts';
import type { Application } from './application.ts';
import { lockFolder } from './folder-lock.ts';
import { keepRunFile, readRunFile } from './run-file.ts';

const bench = setUpApplicationBench();
const KEY = 'svc_live_plantedplantedplanted0021';
const URL_ = 'http://127.0.0.1:8001';
const live = { environment: 'production', url: URL_, mode: 'auto' };

/** A production service: it names its environment, and accepts the one key. */
function production(url: URL, key: string | null): Response {
  if (url.pathname === '/')
    return Response.json({
      service: 'Barograph',
      version: '1',
      environment: 'production',
      replay: false,
      speed: 1,
      time: new Date().toISOString(),
      links: {},
    });
  if (key !== KEY) return Response.json({ code: 'unauthorized', message: `Unknown key ${key}.` }, { status: 401 });
  if (url.pathname === '/stream')
    return new Response(': hello\n\n', { headers: { 'content-type': 'text/event-stream' } });
  return Response.json(
    { data: [], has_more: false, next_cursor: null },
    { headers: { date: new Date().toUTCString() } },
  );
}

async function profiles(app: Application, profile = app.shown): Promise<Profiles> {
  const answer = await bench.call(app, 'profiles.read', {}, profile);
  if (answer?.ok !== true) throw new Error(JSON.stringify(answer));
  return answer.value as Profiles;
}
const statuses = async (app: Application): Promise<string[]> =>
  // The connection state does not matter here.
  (await profiles(app)).profiles.map(
    ({ name, status }) => `${name} ${status.replace(/^(connected|offline)$/, 'here')}`,
  );
async function runTest(app: Application, request: object = {}): Promise<ConnectionTest> {
  const answer = await bench.call(app, 'profiles.test', { ...live, key: KEY, ...request });
  if (answer?.ok !== true) throw new Error(JSON.stringify(answer));
  return answer.value as ConnectionTest;
}
const add = (app: Application, name: string, source: object) => bench.call(app, 'profiles.add', { name, source });
const refused = (message: RegExp) => ({ ok: false, error: { code: 'refused', message: saying(message) } });

test('a tested key is stored and used by a profile that runs at once, beside the existing one', async () => {
  bench.settle(SIMULATED);
  bench.answer = production;
  const app = await bench.start();
  const result = await runTest(app);
  expect(result).toMatchObject({ name: 'production', prefix: 'svc_live_', ending: '0021' });
  expect(result.checks.map(({ of, outcome }) => `${of} ${outcome}`)).toEqual([
    'service good',
    'key good',
    'clock good',
  ]);
  expect(await bench.call(app, 'profiles.test_stream', { draft: result.draft })).toMatchObject({
    ok: true,
    value: { outcome: 'good' },
  });
  // The very first request carries no key: the owner of the address is still unknown.
  expect(bench.requests.filter(({ url }) => url.startsWith(URL_))[0]).toEqual({ url: `${URL_}/`, key: null });

  expect(await add(app, 'desk', { kind: 'remote', draft: result.draft, tier: 'keychain', passphrase: null })).toEqual({
    ok: true,
    value: { warning: null },
  });
  expect(bench.settings().profiles.map(({ name }) => name)).toEqual(['sandbox', 'desk']);
  expect([...bench.keychain.items.values()]).toContain(KEY);
  expect((await profiles(app)).profiles[1]).toMatchObject({
    status: 'connected',
    key: { status: 'ready', ending: '0021', tier: 'keychain' },
  });
  expect((await profiles(app, 'desk')).shown).toBe('desk');
  expect(await bench.call(app, 'profiles.open', { name: 'desk' })).toMatchObject({
    ok: true,
    value: { address: expect.stringContaining('desk') },
  });
  expect(JSON.stringify([result, bench.said, bench.settings(), await profiles(app)])).not.toContain('planted');
  // A used draft is deleted.
  expect(await add(app, 'more', { kind: 'remote', draft: result.draft, tier: null, passphrase: null })).toMatchObject(
    refused(/no longer in memory/),
  );
});

test('a scenario is a second simulated market', async () => {
  bench.settle(SIMULATED);
  const app = await bench.start();
  expect(await add(app, 'crash', { kind: 'simulated', scenario: 'crash' })).toMatchObject({ ok: true });
  expect(bench.settings().profiles).toMatchObject([
    { name: 'sandbox' },
    { name: 'crash', environment: 'sandbox', baseUrl: null, scenario: 'crash' },
  ]);
  expect(bench.started.map(({ scenario }) => scenario)).toEqual([null, 'crash']);
  expect((await profiles(app)).profiles[1]?.source).toEqual({ kind: 'simulated', scenario: 'crash' });
  expect(await add(app, 'storm', { kind: 'simulated', scenario: 'storm' })).toMatchObject({ ok: false });
});

test.each([
  [
    'a sandbox key for production',
    { key: 'svc_test_plantedplantedplanted0021' },
    /This is a sandbox key\. Nothing was sent\./,
  ],
  ['http to another computer', { url: 'http://api.example.com' }, /Use https/],
  ['no address at all', { url: 'desk' }, /is not a web address/],
])('%s is refused before a byte is sent', async (_, request, message) => {
  bench.settle(SIMULATED);
  const app = await bench.start();
  const before = bench.requests.filter(({ url }) => !url.startsWith('http://127.0.0.1:9')).length;
  expect(await bench.call(app, 'profiles.test', { ...live, key: KEY, ...request })).toMatchObject(refused(message));
  expect(bench.requests.filter(({ url }) => !url.startsWith('http://127.0.0.1:9'))).toHaveLength(before);
});

test('a service of the other environment gets no key; a refused key adds no profile', async () => {
  bench.settle(SIMULATED);
  bench.answer = production;
  const app = await bench.start();
  const other = await runTest(app, { environment: 'sandbox', key: 'svc_test_plantedplantedplanted0022' });
  expect(other).toMatchObject({ draft: null, checks: [{ of: 'service', outcome: 'bad' }] });
  const unknown = await runTest(app, { key: 'svc_live_plantedplantedplanted0023', mode: 'api-key' });
  expect(unknown).toMatchObject({ draft: null });
  expect(unknown.checks[1]).toMatchObject({
    of: 'key',
    outcome: 'bad',
    message: { values: { why: expect.stringContaining('[hidden]') } },
  });
  expect(bench.requests.some(({ key }) => key?.endsWith('0022') === true)).toBe(false);
});

test('a vault that refuses leaves no profile behind', async () => {
  bench.settle(SIMULATED);
  bench.answer = production;
  const app = await bench.start();
  const { draft } = await runTest(app);
  bench.keychain.mood = 'gone';
  expect(await add(app, 'desk', { kind: 'remote', draft, tier: 'keychain', passphrase: null })).toMatchObject(
    refused(/cannot be used/),
  );
  expect(await statuses(app)).toEqual(['sandbox here']);
  expect(bench.settings().profiles).toHaveLength(1);
  // The draft still exists: the user may choose another key store.
  expect(await add(app, 'desk', { kind: 'remote', draft, tier: 'session', passphrase: null })).toMatchObject({
    ok: true,
  });
});

const report = {
  folder: '/p',
  editorial: null,
  symbols: ['SPX', 'OWN'],
  from: null,
  to: null,
  earliest_end: null,
  median_end: null,
  files: 1,
  rows: 1,
  used: 1,
  problems: [],
  more: 0,
  formats: [],
  due: null,
  refused_at: null,
};

test('own prices that a window has checked are added at once, without reading them again, and start behind their window', async () => {
  bench.settle(remote('desk', 8001));
  const startup = Promise.withResolvers<void>();
  let checks = 0;
  const checkPrices = async () => {
    checks += 1;
    return { ...report, refused: null };
  };
  const app = await bench.start({ checkPrices, whileStarting: () => startup.promise });
  await bench.call(app, 'profiles.check_prices', { folder: '~/p', editorial: null, answers: [] });
  const source = { kind: 'prices', folder: '/p', editorial: null, replay: null };
  expect(await add(app, 'mine', source)).toMatchObject({ ok: true });
  expect(checks).toBe(1);
  expect(await statuses(app)).toEqual(['desk here', 'mine opening']);
  expect(await bench.call(app, 'profiles.open', { name: 'mine' })).toMatchObject({ ok: true });
  // Others are changed meanwhile.
  expect(await bench.call(app, 'profiles.enable', { name: 'desk', enabled: false }, 'mine')).toMatchObject({
    ok: true,
  });
  startup.reject(new Error('the disk is full'));
  await expect.poll(async () => (await profiles(app)).profiles[1]).toMatchObject({ status: 'failed' });
  expect(bench.settings().profiles.map(({ name }) => name)).toEqual(['desk', 'mine']);
  expect(await add(app, 'other', { ...source, folder: '/q' })).toMatchObject({ ok: true });
  expect(checks).toBe(2);
});

test('own prices are read again to add them where a file was added since a window checked them', async () => {
  bench.settle(SIMULATED);
  const prices = join(bench.folder, 'own');
  mkdirSync(prices);
  utimesSync(prices, 0, 0);
  const checkPrices = async () => ({ ...report, folder: prices, symbols: readdirSync(prices), refused: null });
  const app = await bench.start({ checkPrices });
  await bench.call(app, 'profiles.check_prices', { folder: prices, editorial: null, answers: [] });
  writeFileSync(join(prices, 'TSLA'), '');
  const source = { kind: 'prices', folder: prices, editorial: null, replay: null };
  expect(await add(app, 'mine', source)).toMatchObject({ ok: true });
  expect(bench.settings().watchlists.at(-1)).toMatchObject({ name: 'mine', sections: [{ symbols: ['TSLA'] }] });
});

test('a symbol that appears in the folder later joins the list of its profile; one that the user removed does not', {
  tags: ['long'],
}, async () => {
  bench.settle(SIMULATED);
  const app = await bench.start({ checkPrices: async () => ({ ...report, refused: null }) });
  const prices = { folder: '/p', editorial: null, replay: null };
  expect(await add(app, 'mine', { kind: 'prices', ...prices })).toMatchObject({ ok: true });
  const listed = () => bench.settings().watchlists.find(({ id }) => id === 'prices-mine')?.sections[0]?.symbols;
  const removed = async (symbol: string) => {
    const watchlists = bench.settings().watchlists.map((list) => ({
      ...list,
      sections: list.sections.map((one) => ({ ...one, symbols: one.symbols.filter((each) => each !== symbol) })),
    }));
    await bench.call(app, 'watchlist.save', { watchlists }, 'mine');
  };
  const found = (symbols: string[], added: string[]) => ({ problems: [], more: 0, symbols, added });
  bench.priceFolder = found(['SPX', 'OWN'], []);
  await expect.poll(() => bench.settings().profiles[1]?.listed, { timeout: 5_000 }).toEqual(['SPX', 'OWN']);
  await removed('OWN');
  bench.priceFolder = found(['SPX', 'OWN', 'NEW1'], ['NEW1']);
  await expect.poll(listed, { timeout: 5_000 }).toEqual(['SPX', 'NEW1']);
  expect((await profiles(app)).profiles[1]?.folder).toEqual({ problems: [], more: 0, added: ['NEW1'], unwatched: [] });
  // Its service reads the symbol when it starts again, which the window asks for.
  expect(bench.started).toHaveLength(2);
  expect(await bench.call(app, 'profiles.restart', {}, 'mine')).toMatchObject({ ok: true });
  await expect.poll(() => bench.started.map((one) => one.prices?.folder)).toEqual([undefined, '/p', '/p']);
  expect(listed()).toEqual(['SPX', 'NEW1']);
});

test('symbols of a folder for which the list has no room are named as not watched', async () => {
  const symbols = Array.from({ length: 502 }, (_, index) => `S${index}`);
  bench.settle(SIMULATED);
  const app = await bench.start({ checkPrices: async () => ({ ...report, symbols, refused: null }) });
  const source = { kind: 'prices', folder: '/p', editorial: null, replay: null };
  expect(await add(app, 'mine', source)).toMatchObject({ ok: true });
  bench.priceFolder = { problems: [], more: 0, symbols, added: [] };
  const unwatched = async () => (await profiles(app)).profiles[1]?.folder?.unwatched;
  await expect.poll(unwatched, { timeout: 5_000 }).toEqual(['S500', 'S501']);
});

test('a window learns how far the check of a folder is that it asked for, until the check is done', async () => {
  bench.settle(SIMULATED);
  const done = Promise.withResolvers<void>();
  const app = await bench.start({
    checkPrices: async (_folders, _answers, onProgress) => {
      onProgress?.({ what: 'reading', done: 120, total: 500, left: null });
      await done.promise;
      return { ...report, refused: null };
    },
  });
  const check = bench.call(app, 'profiles.check_prices', { folder: '/p', editorial: null });
  const reading = async () => (await profiles(app)).reading;
  await expect.poll(reading).toMatchObject({ code: 'work.progress', values: { done: 120, total: 500 } });
  done.resolve();
  await check;
  expect(await reading()).toBeUndefined();
});

test('own prices are checked first; a folder that cannot be used adds nothing', async () => {
  bench.settle(SIMULATED);
  let why: string | null = 'there are no prices in /p: it has no .csv file';
  const app = await bench.start({ checkPrices: async () => ({ ...report, refused: why }) });
  /** The lists at the time at which the profile begins. */
  const atBegin: string[][] = [];
  app.core('sandbox')?.attach({
    push(name) {
      const { profiles: added, watchlists } = bench.settings();
      if (name === 'profiles.changed' && added.length > 1) atBegin.push(watchlists.map((list) => list.name));
    },
    end: () => undefined,
  });
  const source = {
    kind: 'prices',
    folder: '~/p',
    editorial: null,
    replay: { from: '2020-02-20T00:00:00.000Z', speed: 3600 },
  };
  expect(await add(app, 'mine', source)).toMatchObject(refused(/no \.csv file/));
  why = null;
  expect(await add(app, 'mine', source)).toMatchObject({ ok: true });
  expect((await profiles(app)).profiles[1]).toMatchObject({
    name: 'mine',
    environment: 'production',
    source: { kind: 'prices', folder: '/p' },
    key: null,
  });
  expect(atBegin.every((lists) => lists.includes('mine'))).toBe(true);
  // A symbol of the folder was in no list, so all symbols of the folder get a list.
  expect(bench.settings().watchlists.at(-1)).toMatchObject({ name: 'mine', sections: [{ symbols: ['SPX', 'OWN'] }] });
  expect(await add(app, 'mine', source)).toMatchObject(refused(/already/));
  // A second profile gets a list of its own although all its symbols are watched.
  expect(await add(app, 'again', source)).toMatchObject({ ok: true });
  expect(bench.settings().watchlists.at(-1)).toMatchObject({ id: 'prices-again', name: 'again' });
});

test('a profile is turned off and on; its windows end, and its lock is free meanwhile', async () => {
  bench.settle(SIMULATED, remote('desk', 8001));
  const app = await bench.start();
  const ended: string[] = [];
  const pushed: string[] = [];
  let changes = 0;
  app.onTrayChanged(() => {
    changes += 1;
  });
  app.core('desk')?.attach({ push: () => undefined, end: () => ended.push('desk') });
  app.core('sandbox')?.attach({ push: (name) => pushed.push(name), end: () => ended.push('sandbox') });
  expect(await bench.call(app, 'profiles.enable', { name: 'desk', enabled: false })).toMatchObject({ ok: true });
  expect(ended).toEqual(['desk']);
  expect(pushed).toContain('profiles.changed');
  expect(changes).toBeGreaterThan(0);
  expect(app.trayViews()).toHaveLength(1);
  expect(app.core('desk')).toBeNull();
  expect(await statuses(app)).toEqual(['sandbox here', 'desk off']);
  const lock = lockFolder(join(bench.folder, 'profiles/desk'), 'listen');
  expect(await bench.call(app, 'profiles.enable', { name: 'desk', enabled: true })).toMatchObject(
    refused(/in use by another program \(listen/),
  );
  if (lock.held) lock.release();
  expect(await bench.call(app, 'profiles.enable', { name: 'desk', enabled: true })).toMatchObject({ ok: true });
  expect(app.core('desk')).not.toBeNull();
  expect(bench.settings().profiles[1]?.enabled).toBe(true);
});

test('other programs find the profile that runs now, not the one of the start', async () => {
  bench.settle(SIMULATED, remote('desk', 8001));
  const app = await bench.start();
  const errors: unknown[] = [];
  const stop = keepRunFile(app, { address: 'http://127.0.0.1:4780', socket: null }, (error) => errors.push(error));
  const service = readRunFile(bench.folder)?.sandbox;
  expect(service).toMatchObject({ url: expect.stringMatching(/^http:/), key: expect.any(String) });
  expect(await bench.call(app, 'profiles.enable', { name: 'sandbox', enabled: false }, 'desk')).toMatchObject({
    ok: true,
  });
  expect(readRunFile(bench.folder)).toMatchObject({
    address: 'http://127.0.0.1:4780',
    socket: null,
    sandbox: null,
    profile: 'desk',
  });
  expect(await bench.call(app, 'profiles.enable', { name: 'sandbox', enabled: true }, 'desk')).toMatchObject({
    ok: true,
  });
  expect(readRunFile(bench.folder)).toMatchObject({
    sandbox: { url: expect.stringMatching(/^http:/) },
    profile: 'sandbox',
  });
  stop();
  expect(await bench.call(app, 'profiles.enable', { name: 'sandbox', enabled: false }, 'desk')).toMatchObject({
    ok: true,
  });
  expect(readRunFile(bench.folder)).toBeNull();
  expect(errors).toEqual([]);
});

test('a profile is removed with its key; its folder stays unless its removal is requested', async () => {
  bench.settle(SIMULATED);
  bench.answer = production;
  for (const profile of ['kept', 'sandbox'])
    appendFileSync(
      join(bench.folder, 'notifications.jsonl'),
      `${JSON.stringify({ at: '', id: 'n', profile, title: '', body: '', urgency: 'low', tier: 'system', outcome: 'shown', detail: '' })}\n`,
    );
  const app = await bench.start();
  for (const [name, files] of [
    ['kept', false],
    ['gone', true],
  ] as const) {
    const { draft } = await runTest(app);
    await add(app, name, { kind: 'remote', draft, tier: 'keychain', passphrase: null });
    expect(await bench.call(app, 'profiles.remove', { name, files })).toMatchObject({ ok: true });
    expect(existsSync(join(bench.folder, 'profiles', name, 'ledger.sqlite'))).toBe(!files);
  }
  expect(bench.withdrawn).toEqual(['kept/n']);
  expect(bench.keychain.items.size).toBe(0);
  expect(await statuses(app)).toEqual(['sandbox here']);
});

test.each(['ready', 'gone'] as const)(
  'a profile without a key is removed with the secret of its relay (%s keychain)',
  async (mood) => {
    bench.settle(SIMULATED, { ...remote('desk', 8001), enabled: false });
    writeFileSync(join(bench.folder, 'settings.json'), JSON.stringify({ ...bench.settings(), vault: '0123456789ab' }));
    const item = 'barograph/0123456789ab/desk relay';
    bench.keychain.items.set(item, 'secret');
    const app = await bench.start();
    bench.keychain.mood = mood;
    expect(await bench.call(app, 'profiles.remove', { name: 'desk', files: false })).toMatchObject({ ok: true });
    expect(bench.keychain.items.has(item)).toBe(mood === 'gone');
    expect(await statuses(app)).toEqual(['sandbox here']);
  },
);

test('a profile is not removed where its key cannot be deleted', async () => {
  bench.settle(SIMULATED);
  bench.answer = production;
  const app = await bench.start();
  const { draft } = await runTest(app);
  await add(app, 'desk', { kind: 'remote', draft, tier: 'keychain', passphrase: null });
  bench.keychain.mood = 'gone';
  expect(await bench.call(app, 'profiles.remove', { name: 'desk', files: true })).toMatchObject(
    refused(/^Its key could not be deleted\. .* Nothing was removed\.$/),
  );
  expect(await statuses(app)).toEqual(['sandbox here', 'desk here']);
});

test('a profile is not removed where the settings cannot be written: it runs on, with its key', async () => {
  bench.settle(SIMULATED);
  bench.answer = production;
  const app = await bench.start();
  const { draft } = await runTest(app);
  await add(app, 'desk', { kind: 'remote', draft, tier: 'keychain', passphrase: null });
  const before = app.monitor('desk');
  const newer = JSON.stringify({ ...bench.settings(), version: 99 });
  writeFileSync(join(bench.folder, 'settings.json'), newer);
  expect(await bench.call(app, 'profiles.remove', { name: 'desk', files: true })).toMatchObject(
    refused(/a newer Barograph wrote it/),
  );
  expect([...bench.keychain.items.values()]).toContain(KEY);
  expect(app.monitor('desk')).toBe(before);
  expect(existsSync(join(bench.folder, 'profiles/desk/ledger.sqlite'))).toBe(true);
});

test('the profile of the window, and the last one, are neither turned off nor removed', async () => {
  bench.settle(SIMULATED, { ...remote('desk', 8001), enabled: false });
  const app = await bench.start();
  for (const [name, payload] of [
    ['profiles.enable', { name: 'sandbox', enabled: false }],
    ['profiles.remove', { name: 'sandbox', files: false }],
  ] as const)
    expect(await bench.call(app, name, payload)).toMatchObject(refused(/This window shows sandbox/));
  expect(await bench.call(app, 'profiles.open', { name: 'desk' })).toMatchObject(refused(/Turn it on first/));
  expect(await bench.call(app, 'profiles.remove', { name: 'nobody', files: true })).toMatchObject(
    refused(/no profile nobody/),
  );
});
