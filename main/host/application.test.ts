// Test: the application of a data folder: independent cores, one per enabled profile.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { Profiles } from '../../shared/channels/profiles.ts';
import { type Change, type Connection, NumberedChangesSchema } from '../../shared/channels/state.ts';
import { type Message, optionalText, textOf } from '../../shared/text/message.ts';
import { READY, remote, SIMULATED as sandbox, setUpApplicationBench } from '../../test/harness/application-bench.ts';
import { saying } from '../../test/harness/saying.ts';
import type { Application } from './application.ts';
import { lockFolder } from './folder-lock.ts';
import { writeRunFile } from './run-file.ts';

const bench = setUpApplicationBench();
const { settle, start, attempt } = bench;
const stopped = async (app: Application, profile: string): Promise<unknown> => {
  const answer = await app.core(profile)?.dispatch('state.snapshot', {});
  return answer?.ok === true ? optionalText((answer.value as { connection: Connection }).connection.refused) : answer;
};
const label = async (app: Application, profile: string): Promise<unknown> => {
  const answer = await app.core(profile)?.dispatch('state.snapshot', {});
  return answer?.ok === true ? textOf((answer.value as { profile: { label: Message } }).profile.label) : answer;
};

test('every enabled profile has a core of its own; the first is shown unless another is requested', async () => {
  settle(sandbox, remote('desk', 8001), { ...remote('off', 8002), enabled: false });
  const app = await start();
  expect(app.shown).toBe('sandbox');
  expect(await label(app, 'sandbox')).toBe('Simulated market · seed 7');
  expect(await label(app, 'desk')).toBe('127.0.0.1:8001 · no key');
  expect(app.core('off')).toBeNull();
});

test('windows are there while a service starts: the list of profiles says how far it is, and why it failed until it is ready', async () => {
  settle(sandbox);
  const startup = Promise.withResolvers<void>();
  const app = await start({ whileStarting: () => startup.promise });
  const changes: Change[] = [];
  app.core('sandbox')?.attach({
    push: (name, payload) => {
      if (name === 'state.changed') changes.push(...NumberedChangesSchema.parse(payload).changes);
    },
  });
  const entry = async () => {
    const answer = await app.core('sandbox')?.dispatch('profiles.read', {});
    return answer?.ok === true ? (answer.value as Profiles).profiles[0] : answer;
  };
  const causes = () =>
    changes.flatMap((change) => (change.part === 'connection' ? [change.connection.outage?.cause.code] : []));
  expect(await entry()).toMatchObject({ status: 'opening', message: null });
  expect(app.sandbox).toBeNull();
  startup.reject(new Error('no port is free'));
  await app.settled();
  expect(await entry()).toMatchObject({ status: 'failed', message: { values: { text: 'no port is free' } } });
  expect(bench.said).toContain('The profile sandbox is not watched: no port is free');
  await expect.poll(causes).toContain('service.not_started');
  bench.starts[0]?.become(READY);
  expect(app.sandbox).toMatchObject({ baseUrl: 'http://127.0.0.1:9' });
  await expect.poll(() => bench.requests.some(({ url }) => url.startsWith('http://127.0.0.1:9/'))).toBe(true);
});

test('a replay begins when a window is attached, and is paused by its channel', async () => {
  settle(sandbox);
  const app = await start();
  expect(bench.paused).toEqual([]);
  for (let window = 0; window < 2; window++) app.core('sandbox')?.attach({ push: () => undefined });
  expect(bench.paused).toEqual([false]);
  expect(await app.core('sandbox')?.dispatch('profiles.pause', { paused: true })).toEqual({ ok: true, value: {} });
  expect(bench.paused).toEqual([false, true]);
});

test('BAROGRAPH_KEY is for the profile in use and for no other', async () => {
  settle(remote('desk', 8001), remote('other', 8002));
  const environment = { BAROGRAPH_KEY: 'svc_live_0123456789abcdef0123' };
  const app = await start({ profile: 'desk', environment });
  expect(environment).toEqual({});
  expect(await label(app, 'desk')).toBe('127.0.0.1:8001 · key …0123');
  expect(await label(app, 'other')).toBe('127.0.0.1:8002 · no key');
  await expect.poll(() => bench.requests.some(({ key }) => key === 'svc_live_0123456789abcdef0123')).toBe(true);
  expect(bench.requests.filter(({ url, key }) => key !== null && !url.startsWith('http://127.0.0.1:8001/'))).toEqual(
    [],
  );
});

test('a key is set, used, stored and forgotten through the window’s channels, and no answer contains it', async () => {
  settle(sandbox, remote('desk', 8001));
  const app = await start();
  const key = 'svc_live_plantedplantedplanted0007';
  const call = (name: string, payload: object, profile = 'desk') => app.core(profile)?.dispatch(name, payload);
  expect(await call('key.state', {})).toMatchObject({ ok: true, value: { status: 'none' } });
  const answers = [await call('key.set', { key }), await call('key.state', {})];
  for (const answer of answers)
    expect(answer).toMatchObject({ ok: true, value: { status: 'ready', tier: 'keychain', ending: '0007' } });
  expect(await label(app, 'desk')).toBe('127.0.0.1:8001 · key …0007');
  await expect.poll(() => bench.requests.some((one) => one.key === key)).toBe(true);
  answers.push(
    await call('key.set', { key: 'svc_test_plantedplantedplanted0007' }),
    await call('key.set', { key: 7, more: key }),
  );
  expect(answers.at(-2)).toMatchObject({
    ok: false,
    error: { code: 'refused', message: saying(/svc_live_/) },
  });
  expect(answers.at(-1)).toMatchObject({ ok: false, error: { code: 'bad_input' } });
  expect(await call('key.set', { key: 'svc_test_plantedplanted' }, 'sandbox')).toMatchObject({
    ok: false,
    error: { code: 'refused' },
  });
  expect(await call('key.forget', {})).toMatchObject({ ok: true, value: { status: 'none', saved_at: null } });
  expect(JSON.stringify([answers, bench.said, ...bench.keychain.items.values()])).not.toContain('planted');
});

test('a keychain that hangs blocks nothing: the window opens, and the profile starts when the key arrives', {
  tags: ['long'],
}, async () => {
  settle(remote('desk', 8001));
  const first = await start();
  await first.core('desk')?.dispatch('key.set', { key: 'svc_live_plantedplantedplanted0008' });
  await first.close();
  bench.open = [];
  bench.requests.length = 0;
  bench.keychain.mood = 'mute';
  const app = await start();
  await expect.poll(() => stopped(app, 'desk')).toContain('Waiting for the key');
  expect(bench.requests).toEqual([]);
  bench.keychain.wake();
  await expect.poll(() => bench.requests.some(({ key }) => key === 'svc_live_plantedplantedplanted0008')).toBe(true);
  expect(await label(app, 'desk')).toBe('127.0.0.1:8001 · key …0008');
});

test('Retry asks again for a key that was unavailable', async () => {
  settle(remote('desk', 8001));
  const first = await start();
  await first.core('desk')?.dispatch('key.set', { key: 'svc_live_plantedplantedplanted0009' });
  await first.close();
  bench.open = [];
  bench.keychain.mood = 'gone';
  const app = await start();
  await expect.poll(() => stopped(app, 'desk')).toContain('nobody is there');
  expect(bench.said).toContainEqual(
    expect.stringMatching(/^desk: The system's keychain \(Secret Service\) cannot be used: nobody is there\.$/),
  );
  bench.keychain.mood = 'ready';
  await app.core('desk')?.dispatch('connection.retry', {});
  await expect.poll(() => label(app, 'desk')).toBe('127.0.0.1:8001 · key …0009');
});

test('a profile that cannot be opened is named, does not stop the others, and is not needed by the first start', async () => {
  settle(remote('desk', 8001), sandbox);
  mkdirSync(join(bench.folder, 'profiles'), { recursive: true });
  writeFileSync(join(bench.folder, 'profiles/desk'), '');
  const alone = { program: 'listen', profile: null };
  // A program for this profile alone has nothing else to do.
  await expect(attempt({ profile: 'desk', alone })).rejects.toThrow('the folder cannot be used');
  const app = await start();
  expect([app.core('desk'), app.shown]).toEqual([null, 'sandbox']);
  expect(bench.said).toContainEqual(expect.stringMatching(/^The profile desk is not watched: /));
  expect(await app.core('sandbox')?.dispatch('profiles.read', {})).toMatchObject({
    value: { problem: { code: 'profile.not_opened' }, profiles: [{ status: 'failed' }, { name: 'sandbox' }] },
  });
});

test('an app of which no profile can be opened goes on, names each, and watches the first that can be opened', {
  tags: ['long'],
}, async () => {
  settle(remote('desk', 8001));
  const path = join(bench.folder, 'profiles/desk');
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, '');
  bench.hasDesktop = true;
  const app = await start();
  expect([app.core('desk'), app.failures().map(({ code }) => code)]).toEqual([null, ['profile.not_opened']]);
  await expect
    .poll(() => bench.shown, { timeout: 8_000 })
    .toContainEqual(expect.stringMatching(/^desk cannot be watched/));
});

test.each([
  ['the record of notifications', 'notifications.jsonl'],
  ['the ledger', 'profiles/desk/ledger.sqlite'],
])('a folder in place of %s ends neither the start nor the watch, and is named', async (_, file) => {
  settle(remote('desk', 8001));
  mkdirSync(join(bench.folder, file), { recursive: true });
  const app = await start();
  const found = `${join(bench.folder, file)} is a folder, not a regular file`;
  expect(await app.core('desk')?.dispatch('profiles.read', {})).toMatchObject({
    value: { problem: { code: 'files.unusable', values: { found } } },
  });
});

test.each([
  ['is a file', 'profiles/desk', /^The profile desk is not watched: profile desk: the folder cannot be used: EEXIST/],
  [
    'has a damaged lock',
    'profiles/desk/lock.sqlite',
    /^The profile desk is not watched: .*lock.sqlite is damaged: remove it$/,
  ],
])(
  'a profile whose folder %s is reported, the others run, and it follows when that is mended',
  async (_, file, said) => {
    settle(sandbox, remote('desk', 8001));
    const path = join(bench.folder, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, 'no database'.repeat(1_000));
    const app = await start();
    expect(await label(app, 'sandbox')).toContain('Simulated');
    expect(app.core('desk')).toBeNull();
    expect(bench.said).toContainEqual(expect.stringMatching(said));
    expect(await app.core('sandbox')?.dispatch('profiles.read', {})).toMatchObject({
      value: { profiles: [{ name: 'sandbox' }, { name: 'desk', status: 'failed' }] },
    });
    rmSync(path);
    expect(await bench.call(app, 'profiles.enable', { name: 'desk', enabled: true })).toMatchObject({ ok: true });
    expect(app.core('desk')).not.toBeNull();
  },
);

test('what one profile changes in rules and lists is in force in another at once, also while its service does not answer', async () => {
  settle(sandbox, remote('desk', 8001));
  const app = await start();
  const pushed: string[] = [];
  app.core('desk')?.attach({ push: (name, payload) => pushed.push(`${name} ${JSON.stringify(payload)}`) });
  const ends = ['06:00', '07:00'];
  // The second change comes after the first poll of its service; the next would be in half a minute.
  for (const to of ends) {
    const hours = { kind: 'daily', zone: 'UTC', days: [1], from: '22:00', to };
    const quiet = { when: 'inside', hours };
    expect(await bench.call(app, 'quiet.save', { quiet }, 'sandbox')).toMatchObject({ ok: true });
    const isHere = expect.stringMatching(`^alerting.changed .*"to":"${to}"`);
    await expect.poll(() => pushed, { timeout: 5_000 }).toContainEqual(isHere);
  }
});

test('a profile that another program monitors stays there; a request for it is refused as occupied', async () => {
  settle(sandbox, remote('desk', 8001));
  mkdirSync(join(bench.folder, 'profiles/desk'), { recursive: true });
  const lock = lockFolder(join(bench.folder, 'profiles/desk'), 'listen');
  expect(await attempt({ profile: 'desk' })).toMatchObject({
    occupied: { isApp: false, profile: 'desk', holder: { program: 'listen', pid: process.pid } },
  });
  const app = await start();
  expect(app.core('desk')).toBeNull();
  expect(bench.said).toContain(`The profile desk is in use by another program (listen, process ${process.pid}).`);
  if (lock.held) lock.release();
});

/** Writes run.json as a shell does, so that other programs find the app. */
const show = (app: Application): void =>
  writeRunFile(bench.folder, {
    pid: process.pid,
    started: null,
    address: null,
    socket: null,
    sandbox: null,
    profile: app.shown,
  });

test('one app at a time has the folder, whichever profile a second one asks for; it takes up a feed that one names', {
  tags: ['long'],
}, async () => {
  settle(sandbox, remote('desk', 8001));
  const app = await start();
  show(app);
  const holder = { program: 'the app', pid: process.pid };
  expect(await attempt({ profile: 'desk' })).toMatchObject({ occupied: { isApp: true, profile: 'desk', holder } });
  expect(await attempt({})).toMatchObject({ occupied: { isApp: true, profile: null, holder } });
  await expect(attempt({ profile: 'nobody' })).rejects.toThrow('--profile nobody: there is no such profile.');
  const feed = { name: 'binance' } as const;
  expect(await attempt({ feed })).toMatchObject({ occupied: { isApp: true, profile: 'binance', holder } });
  await expect.poll(() => app.core('binance'), { timeout: 5_000 }).not.toBeNull();
});

test('a program for one profile leaves the folder to the app, before it and beside it', async () => {
  settle(sandbox, remote('desk', 8001));
  const alone = { program: 'listen', profile: null };
  const listen = await start({ profile: 'desk', alone });
  const app = await start();
  expect([app.core('sandbox') === null, app.core('desk') === null]).toEqual([false, true]);
  await listen.close();
  await (await start({ profile: 'desk', alone })).close();
  bench.open = [app];
});

test.each([
  ['takes no lock, as on a full or read-only disk,', (path: string) => void mkdirSync(path)],
  ['has a damaged lock', (path: string) => writeFileSync(path, 'no database'.repeat(1_000))],
])('a folder that %s is opened without one', async (_, spoil) => {
  spoil(join(bench.folder, 'lock.sqlite'));
  expect((await start()).shown).toBe('sandbox');
});

test('an unknown profile is an error, and so is an application without an enabled profile', async () => {
  settle(sandbox);
  await expect(attempt({ profile: 'desk' })).rejects.toThrow(
    '--profile desk: there is no such profile. Profiles: sandbox.',
  );
  settle(sandbox, { ...remote('desk', 8001), enabled: false });
  await expect(attempt({ profile: 'desk' })).rejects.toThrow('--profile desk: this profile is turned off.');
  settle({ ...sandbox, enabled: false });
  await expect(attempt({})).rejects.toThrow('No profile is enabled.');
});

test('a closed folder can be opened again', async () => {
  await (await start()).close();
  bench.open = [];
  expect((await start()).shown).toBe('sandbox');
});

test('a shell sees every profile, and an answer to an unknown notification leads to the list of alerts', async () => {
  settle(sandbox, remote('desk', 8001), { ...remote('off', 8002), enabled: false });
  const app = await start();
  let count = 0;
  const cancel = app.onTrayChanged(() => count++);
  await expect.poll(() => count).toBeGreaterThan(0);
  cancel();
  expect(app.trayViews().map(({ profile, environment }) => [profile, environment])).toEqual([
    ['sandbox', 'sandbox'],
    ['desk', 'production'],
  ]);
  const route = { page: 'alerts', item: null };
  expect(app.answered({ profile: 'desk', id: 'barograph:nothing' }, 'acknowledge')).toEqual({ profile: 'desk', route });
  expect(app.answered({ profile: 'nobody', id: 'barograph:nothing' }, 'open')).toEqual({ profile: 'sandbox', route });
  expect(app.answered(null, 'open')).toEqual({ profile: 'sandbox', route });
  // A bus reports the answers to notifications of other programs, too.
  expect(app.answered({ bus: 'b', owner: ':1.2', number: 3 }, 'open')).toBeNull();
});

test('a shell without a desktop refuses every request with that reason', async () => {
  const app = await start();
  const ask = (name: string, input: object) => app.core('sandbox')?.dispatch(name, input);
  expect(await ask('shell.read', {})).toMatchObject({
    ok: true,
    value: {
      kind: 'browser',
      start_at_login: { can: false },
      close_to_tray: { can: false },
      check_for_updates: { can: false },
      errors: [],
    },
  });
  expect(await ask('shell.save', { start_at_login: true })).toMatchObject({ ok: false, error: { code: 'refused' } });
  expect(await ask('shell.update', { act: 'check' })).toMatchObject({ ok: false, error: { code: 'refused' } });
});
