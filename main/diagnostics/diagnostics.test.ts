// Test: the diagnostics of a sandbox service and a data folder: findings, no writes, no secrets.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Clock } from '../../shared/lib/clock.ts';
import { plainMessage } from '../../shared/text/message.ts';
import { type TemporaryFolder, temporaryFolder } from '../../test/harness/folders.ts';
import { SANDBOX_KEY, type Sandbox, startSandbox } from '../../test/harness/sandbox.ts';
import type { KeychainRequest } from '../core/keys/keychain-messages.ts';
import { createPassphraseVault } from '../core/keys/passphrase-vault.ts';
import { openLedger } from '../core/ledger/ledger.ts';
import type { ChildProcess } from '../core/ports.ts';
import { DEFAULT_SETTINGS, type Profile } from '../core/profiles/settings.ts';
import { writeRunFile } from '../host/run-file.ts';
import { systemClock } from '../host/system-clock.ts';
import { type Diagnosis, DiagnosisSchema, exitCode, linesOf } from './check.ts';
import { type DiagnosticsDeps, examineAll } from './diagnostics.ts';

const PLANTED = 'svc_live_plantedplantedplanted0015';
const ODD = 'planted-key-of-no-known-form';
const PASSPHRASE = 'planted horse battery';
const SAVED = '2026-03-02T14:30:00.000Z';
let sandbox: Sandbox;
let url = '';
beforeAll(async () => {
  // Frozen as declared: a clock that nothing moves would be a fault of the service.
  sandbox = await startSandbox({ time: { start: Date.now(), speed: 0 } });
  url = await sandbox.service.app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => {
  // A kept-alive connection would delay the close for a minute.
  sandbox.service.app.server.closeAllConnections();
  return sandbox.service.close();
});

/** Without timeouts, however slow the machine is; they have tests of their own. Pauses of seconds pass at once. */
const unlimitedClock: Clock = {
  now: systemClock.now,
  after: (ms, job) => (ms > 2_000 ? () => undefined : systemClock.after(0, job)),
};

let folder: TemporaryFolder;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

const near = (): Profile => ({ name: 'near', environment: 'sandbox', baseUrl: url, mode: 'auto', enabled: true });
const off = { on: false, port: 0, publicUrl: null };
const write = (profiles: readonly Profile[]): void =>
  writeFileSync(
    join(folder.path, 'settings.json'),
    JSON.stringify({
      ...DEFAULT_SETTINGS,
      profiles: profiles.map((one) => ({ ...one, relay: one.relay ?? off })),
      vault: '0123456789ab',
    }),
  );
/** A keychain that answers every question with this password. */
const keychain = (password: string): ChildProcess<KeychainRequest> => ({
  send: () => undefined,
  onReply: (listener) => queueMicrotask(() => listener({ verb: 'get', password })),
  onEnd: () => undefined,
  kill: () => undefined,
});
const examine = (
  change: Partial<DiagnosticsDeps> = {},
  machine: Partial<DiagnosticsDeps['machine']> = {},
): Promise<Diagnosis> =>
  examineAll({
    checkFeed: () => Promise.reject(new Error('no feed here')),
    dataFolder: folder.path,
    profile: null,
    runKey: null,
    passphrase: null,
    nodeVersion: process.versions.node,
    desktop: async () => ({
      platform: 'linux',
      electron: false,
      service: { tier: 'system', detail: plainMessage('Notifications go to dunst 1.') },
    }),
    machine: {
      clock: unlimitedClock,
      fetch: (address, init) => fetch(address, init),
      platform: 'linux',
      startKeychain: () => keychain(PLANTED),
      ...machine,
    },
    ...change,
  });
const statusOf = ({ checks }: Diagnosis, profile: string | null, name: string) =>
  checks.find((check) => check.profile === profile && check.name === name)?.status;
const written = (): unknown =>
  readdirSync(folder.path, { recursive: true, withFileTypes: true })
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => (/\.(sqlite|json|vault)(-wal)?$/.test(path) ? [path, readFileSync(path, 'latin1')] : path));

test('a service that works, beside a ledger in use', async () => {
  write([near()]);
  mkdirSync(join(folder.path, 'profiles/near'), { recursive: true });
  const ledger = openLedger(join(folder.path, 'profiles/near'), SAVED);
  const before = written();
  const diagnosis = await examine({ runKey: SANDBOX_KEY });
  expect(written()).toEqual(before);
  ledger.close();
  expect(DiagnosisSchema.parse(diagnosis)).toEqual(diagnosis);
  for (const name of [
    'key',
    'service',
    'clock',
    'key accepted',
    'stream',
    'completeness',
    'ledger',
    'gaps',
    'webhooks',
  ])
    expect([name, statusOf(diagnosis, 'near', name)]).toEqual([name, 'ok']);
  expect(statusOf(diagnosis, null, 'app')).toBe('warn');
  expect(exitCode(diagnosis)).toBe(0);
  expect(linesOf(diagnosis).join('\n')).not.toContain(SANDBOX_KEY);
});

test('the running app is probed at its address, and its service with its key', async () => {
  write(DEFAULT_SETTINGS.profiles);
  writeRunFile(folder.path, {
    pid: process.pid,
    started: null,
    address: url,
    socket: { path: '/nowhere', secret: 'planted-secret' },
    sandbox: { url, key: SANDBOX_KEY },
    profile: 'sandbox',
  });
  const diagnosis = await examine();
  expect(statusOf(diagnosis, null, 'app')).toBe('ok');
  for (const name of ['key', 'service', 'key accepted', 'stream', 'completeness'])
    expect([name, statusOf(diagnosis, 'sandbox', name)]).toEqual([name, 'ok']);
});

test('no secret is printed: from settings, run.json, vaults, the environment, or a service that echoes requests', async () => {
  const echo: DiagnosticsDeps['machine']['fetch'] = async (_, init) => {
    const message = `${JSON.stringify([...new Headers(init?.headers)])} ${PASSPHRASE}`;
    return Response.json({ code: 'unauthorized', message }, { status: 401 });
  };
  const production: Profile = {
    ...near(),
    name: 'desk',
    environment: 'production',
    keys: { tier: 'keychain', saved_at: SAVED, prefix: 'svc_live_' },
  };
  const odd: Profile = { ...production, name: 'odd', keys: { tier: 'passphrase', saved_at: SAVED, prefix: '' } };
  write([near(), production, odd]);
  writeFileSync(join(folder.path, 'settings.bad-1.json'), `${PLANTED} is no JSON`);
  const vault = createPassphraseVault(join(folder.path, 'keys.vault'), { N: 2 ** 14, r: 1, p: 1 });
  await vault.unlock(PASSPHRASE);
  await vault.setPassword('odd', 'api-key', ODD);
  writeRunFile(folder.path, {
    pid: process.pid,
    started: null,
    address: url,
    socket: { path: '/nowhere', secret: 'planted-secret' },
    sandbox: { url, key: PLANTED },
    profile: 'near',
  });
  const diagnosis = await examine(
    { runKey: 'svc_test_plantedplantedplanted0015', passphrase: PASSPHRASE },
    { fetch: echo, listener: () => ({ owner: 'self', socket: null }) },
  );
  expect(['near', 'desk', 'odd'].map((name) => statusOf(diagnosis, name, 'key'))).not.toContain('fail');
  expect(['near', 'desk', 'odd'].map((name) => statusOf(diagnosis, name, 'key accepted'))).toEqual([
    'fail',
    'fail',
    'fail',
  ]);
  expect(exitCode(diagnosis)).toBe(1);
  const said = JSON.stringify(diagnosis) + linesOf(diagnosis);
  expect(said).not.toContain('planted');
  expect(said).toContain('[hidden]');
});

test('an invalid settings file stays in place; a locked vault, a wrong passphrase and a missing key are distinct', async () => {
  writeFileSync(join(folder.path, 'settings.json'), '{');
  const before = written();
  const broken = await examine();
  expect(statusOf(broken, null, 'settings')).toBe('fail');
  expect(written()).toEqual(before);

  const keys = { tier: 'passphrase', saved_at: SAVED, prefix: 'svc_test_' } as const;
  const vault = createPassphraseVault(join(folder.path, 'keys.vault'), { N: 2 ** 14, r: 1, p: 1 });
  await vault.unlock(PASSPHRASE);
  await vault.setPassword('near', 'api-key', SANDBOX_KEY);
  write([
    { ...near(), keys },
    { ...near(), name: 'bare' },
  ]);
  const locked = await examine();
  expect([
    statusOf(locked, 'near', 'key'),
    statusOf(locked, 'near', 'service'),
    statusOf(locked, 'near', 'stream'),
  ]).toEqual(['warn', 'ok', undefined]);
  expect(statusOf(locked, 'bare', 'key')).toBe('fail');
  const wrong = await examine({ passphrase: 'another one', profile: 'near' });
  expect([statusOf(wrong, null, 'passphrase vault'), statusOf(wrong, 'bare', 'key')]).toEqual(['fail', undefined]);
  const right = await examine({ passphrase: PASSPHRASE, profile: 'near' });
  expect(statusOf(right, 'near', 'key accepted')).toBe('ok');
});

test('an unknown profile, and a disabled one', async () => {
  write([{ ...near(), enabled: false }]);
  await expect(examine({ profile: 'nope' })).rejects.toThrow(
    '--profile nope: there is no such profile. Profiles: near.',
  );
  expect(statusOf(await examine(), null, 'profiles')).toBe('fail');
  expect(statusOf(await examine({ profile: 'near', runKey: SANDBOX_KEY }), 'near', 'profile')).toBe('warn');
});

test('a feed of prices inside the app: its key, and the vendor’s answers', async () => {
  const alpaca: Profile = {
    ...near(),
    name: 'shares',
    environment: 'production',
    baseUrl: null,
    feed: { name: 'alpaca' },
    keys: { tier: 'keychain', saved_at: SAVED, prefix: '' },
  };
  write([alpaca]);
  const seen: (string | null)[] = [];
  const diagnosis = await examine({
    checkFeed: async (_, key) => {
      seen.push(key);
      return [
        { of: 'key', isRight: true, text: 'alpaca answers' },
        { of: 'prices', isRight: false, text: `SPY is late, says ${key}.` },
      ];
    },
  });
  expect(seen).toEqual([PLANTED]);
  expect(JSON.stringify(diagnosis)).not.toContain(PLANTED);
  const prices = diagnosis.checks.filter(({ name }) => name === 'prices');
  expect(prices.map(({ status, found }) => [status, found])).toEqual([
    ['ok', 'alpaca answers.'],
    ['warn', 'SPY is late, says [hidden].'],
  ]);
  write([{ ...alpaca, keys: { tier: 'keychain', saved_at: null, prefix: null } }]);
  const without = await examine();
  expect(statusOf(without, 'shares', 'key')).toBe('fail');
  expect(statusOf(without, 'shares', 'prices')).toBeUndefined();
});
