// Test: `profiles key` as a process takes keys by standard input into a vault, and prints none.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type TemporaryFolder, temporaryFolder } from '../../test/harness/folders.ts';
import { runWithInput } from '../../test/harness/processes.ts';
import { createPassphraseVault } from '../core/keys/passphrase-vault.ts';
import { DEFAULT_SETTINGS } from '../core/profiles/settings.ts';

const KEY = 'svc_live_plantedplantedplanted0010';
const PASSPHRASE = { BAROGRAPH_PASSPHRASE: 'correct horse' };
let folder: TemporaryFolder;
beforeEach(() => {
  folder = temporaryFolder();
  const profile = {
    name: 'desk',
    environment: 'production',
    baseUrl: 'http://127.0.0.1:9',
    mode: 'auto',
    enabled: true,
  };
  const settings = { ...DEFAULT_SETTINGS, profiles: [...DEFAULT_SETTINGS.profiles, profile] };
  writeFileSync(join(folder.path, 'settings.json'), JSON.stringify(settings));
});
afterEach(() => folder.remove());

/** An environment without a session bus, as on a server. */
const NO_BUS = { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere/bus' };
const profiles = (args: readonly string[], input = '', environment: Readonly<Record<string, string>> = {}) =>
  runWithInput('barograph', ['profiles', ...args, '--data-dir', folder.path], input, { ...NO_BUS, ...environment });
const written = (): string =>
  readdirSync(folder.path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');

test('a profile is added by the one-time link of a dashboard: its session is kept, and no token is in the settings', {
  tags: ['long'],
}, async () => {
  const asked: string[] = [];
  const dashboard = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.setHeader('content-type', 'application/json');
    response.writeHead(request.url === '/session' && asked.length > 1 ? 401 : 200);
    response.end(JSON.stringify(request.url === '/session' ? { session: 'dsh_planted' } : { data: [] }));
  });
  await new Promise<void>((resolve) => dashboard.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(dashboard.address() as { port: number }).port}`;
  const add = (name: string) =>
    profiles(
      [
        'add',
        name,
        '--env',
        'sandbox',
        '--mode',
        'proxy',
        '--url',
        `${address}/#t=tokenoflink`,
        '--keep',
        'passphrase',
      ],
      '',
      PASSPHRASE,
    );
  expect(await add('board')).toMatchObject({
    code: 0,
    out: expect.stringMatching(/was saved in .*\nboard is added\.\n$/),
  });
  expect(asked[0]).toBe('/session');
  // A used link leaves no profile behind.
  expect(await add('again')).toMatchObject({ code: 2 });
  dashboard.close();
  const { profiles: saved } = JSON.parse(readFileSync(join(folder.path, 'settings.json'), 'utf8'));
  expect(saved.slice(2)).toMatchObject([{ name: 'board', baseUrl: address, mode: 'proxy' }]);
  expect(written()).not.toMatch(/planted|tokenoflink/);
});

test('a key under a passphrase: set, described without its text, locked without the passphrase, forgotten', {
  tags: ['long'],
}, async () => {
  const ended = [
    await profiles(['key', 'set', 'desk', '--keep', 'passphrase'], `${KEY}\n`, PASSPHRASE),
    await profiles(['key', 'show', 'desk']),
    await profiles(['key', 'forget', 'desk'], '', { BAROGRAPH_PASSPHRASE: 'another one' }),
    await profiles(['key', 'forget', 'desk']),
    await profiles(['key', 'forget', 'desk'], '', PASSPHRASE),
    await profiles(['key', 'show', 'desk']),
  ];
  expect(ended.map(({ code }) => code)).toEqual([0, 0, 1, 2, 0, 0]);
  expect(ended[0]?.out).toBe('The key of desk was saved in a file encrypted with a passphrase and read back.\n');
  expect(ended[1]?.out).toMatch(
    /^tier\ta file encrypted with a passphrase\nprefix\tsvc_live_\nsaved\t\S+Z, 0 days ago\n$/,
  );
  expect(ended[2]?.err).toMatch(/^barograph: The passphrase does not open the passphrase vault\..*\n$/);
  expect(ended[3]?.err).toMatch(/Give BAROGRAPH_PASSPHRASE, or run this in a terminal\.\n$/);
  expect(ended[4]?.out).toBe('The key of desk was deleted from this computer.\n');
  expect(ended[5]?.out).toBe('tier\ta file encrypted with a passphrase\nkey\tNo key is saved.\n');
  expect(JSON.stringify(ended)).not.toContain('planted');
  expect(written()).not.toMatch(/planted|correct horse/);
});

test('without a keychain no key is saved: one line says so and names the lower tiers', {
  tags: ['long'],
}, async () => {
  const { code, out, err } = await profiles(['key', 'set', 'desk'], KEY);
  expect({ code, out }).toEqual({ code: 1, out: '' });
  expect(err.trim().split('\n')).toHaveLength(1);
  expect(err).toMatch(
    /Nothing was changed\. Keys can also be kept in a file encrypted with a passphrase \(passphrase\)/,
  );
  expect((await profiles(['key', 'show', 'desk'])).out).toMatch(/\nkey\tNo key is saved\.\n$/);
  expect(err + written()).not.toContain('planted');
});

test.each([
  [['key', 'set', 'desk'], '', /No key was given\. Type it at the prompt, or pipe it in/],
  [
    ['key', 'set', 'desk'],
    'svc_test_plantedplantedplanted0010',
    /This is a sandbox key, and profile desk is production/,
  ],
  [['key', 'set', 'sandbox'], 'svc_test_plantedplantedplanted0010', /inside the app, which has a key of its own/],
  [['key', 'set', 'desk', '--keep', 'passphrase'], KEY, /needs its passphrase/],
])('%j is one line and exit code 2', { tags: ['long'], timeout: 60_000 }, async (args, input, message) => {
  const { code, out, err } = await profiles(args, input);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err.trim()).toMatch(message);
  expect(err.trim()).not.toContain('\n');
  expect(err).not.toContain('planted');
});

test('a short passphrase creates no vault', { tags: ['long'] }, async () => {
  const { code, err } = await profiles(['key', 'set', 'desk', '--keep', 'passphrase'], KEY, {
    BAROGRAPH_PASSPHRASE: 'short',
  });
  expect(code).toBe(2);
  expect(err).toMatch(/at least 8 characters/);
  expect(readdirSync(folder.path)).not.toContain('keys.vault');
});

const vault = async () => {
  const opened = createPassphraseVault(join(folder.path, 'keys.vault'));
  await opened.unlock(PASSPHRASE.BAROGRAPH_PASSPHRASE);
  return opened;
};

test('a profile whose key cannot be deleted stays; removed, it loses its key and the rest of its vault', {
  tags: ['long'],
}, async () => {
  await profiles(['key', 'set', 'desk', '--keep', 'passphrase'], KEY, PASSPHRASE);
  await (await vault()).setPassword('desk', 'relay', 'secret of a webhook');
  await (await vault()).setPassword('other', 'api-key', KEY);
  const wrong = await profiles(['remove', 'desk'], '', { BAROGRAPH_PASSPHRASE: 'another one' });
  expect({ code: wrong.code, out: wrong.out }).toEqual({ code: 1, out: '' });
  expect(wrong.err).toMatch(/^barograph: desk is not removed: its secrets could not be deleted\. The passphrase does/);
  expect(wrong.err.trim()).not.toContain('\n');
  expect((await profiles(['list'])).out).toMatch(/^desk\t/m);
  expect((await profiles(['remove', 'desk'], '', PASSPHRASE)).out).toMatch(
    /^The key of desk was deleted from this computer\.\ndesk is removed/,
  );
  expect(await (await vault()).findCredentials('desk')).toEqual([]);
  expect(await (await vault()).findCredentials('other')).toHaveLength(1);
});

test('keys in a vault whose passphrase is lost are given up by the name of the profile, which can then be removed', {
  tags: ['long'],
}, async () => {
  await profiles(['key', 'set', 'desk', '--keep', 'passphrase'], KEY, PASSPHRASE);
  const wrong = await profiles(['key', 'forget', 'desk', '--lost-passphrase'], 'dusk\n');
  expect({ code: wrong.code, out: wrong.out }).toEqual({ code: 2, out: '' });
  const given = await profiles(['key', 'forget', 'desk', '--lost-passphrase'], 'desk\n');
  expect([given.code, given.out]).toEqual([0, expect.stringContaining('were given up')]);
  expect(readdirSync(folder.path)).toContain('keys.vault.lost-1');
  expect((await profiles(['remove', 'desk'])).out).toMatch(/^desk is removed/);
});
