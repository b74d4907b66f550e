// Test: the passphrase vault: locked, sealed as a whole, private, safe with two writers.
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createPassphraseVault, type PassphraseVault } from './passphrase-vault.ts';
import { VaultError } from './vault-error.ts';

const KEY = 'svc_live_plantedplantedplanted0003';
const PASSPHRASE = 'corréct horse';
let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'barograph-vault-'));
  path = join(folder, 'keys.vault');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The cheapest permitted file: these tests try many passphrases. */
const CHEAP = { N: 2 ** 14, r: 8, p: 1 };
async function opened(passphrase = PASSPHRASE): Promise<PassphraseVault> {
  const vault = createPassphraseVault(path, CHEAP);
  await vault.unlock(passphrase);
  return vault;
}

test('stored items are read back, in another process too, and only with the passphrase', async () => {
  const vault = await opened();
  expect(vault.exists()).toBe(false);
  await vault.setPassword('desk', 'api-key', KEY);
  await vault.setPassword('desk', 'relay', 'x');
  await vault.setPassword('other', 'api-key', 'y');
  const again = await opened();
  expect(again.exists()).toBe(true);
  expect(await again.getPassword('desk', 'api-key')).toBe(KEY);
  expect(await again.findCredentials('desk')).toEqual([
    { account: 'api-key', password: KEY },
    { account: 'relay', password: 'x' },
  ]);
  await expect(opened('correct horse')).rejects.toThrow(/does not open/);
  expect(await again.deletePassword('desk', 'api-key')).toBe(true);
  expect(await again.deletePassword('desk', 'api-key')).toBe(false);
  expect(await vault.getPassword('desk', 'api-key')).toBeNull();
});

test('the same passphrase from another keyboard or a file opens it', async () => {
  await (await opened(`${PASSPHRASE.normalize('NFD')}\n`)).setPassword('desk', 'api-key', KEY);
  expect(await (await opened(PASSPHRASE.normalize('NFC'))).getPassword('desk', 'api-key')).toBe(KEY);
});

test('while it is locked, every verb throws', async () => {
  await (await opened()).setPassword('desk', 'api-key', KEY);
  const locked = createPassphraseVault(path);
  expect(locked.isLocked()).toBe(true);
  const errors = await Promise.all(
    [
      locked.getPassword('desk', 'api-key'),
      locked.setPassword('desk', 'api-key', 'z'),
      locked.deletePassword('desk', 'api-key'),
      locked.findCredentials('desk'),
    ].map((operation) => operation.then(String, (problem) => problem)),
  );
  for (const problem of errors) {
    expect(problem).toBeInstanceOf(VaultError);
    expect(problem.kind).toBe('locked');
  }
  expect(await (await opened()).getPassword('desk', 'api-key')).toBe(KEY);
});

test('the file is private, contains neither key nor passphrase, and differs at each write', async () => {
  const vault = await opened();
  await vault.setPassword('desk', 'api-key', KEY);
  const first = readFileSync(path, 'utf8');
  expect((statSync(path).mode & 0o777).toString(8)).toBe('600');
  for (const secret of [KEY, PASSPHRASE, 'desk', 'api-key', Buffer.from(KEY).toString('base64').slice(0, 20)])
    expect(first).not.toContain(secret);
  await vault.setPassword('desk', 'api-key', KEY);
  const second = readFileSync(path, 'utf8');
  expect(JSON.parse(second).nonce).not.toBe(JSON.parse(first).nonce);
  expect(JSON.parse(second).data).not.toBe(JSON.parse(first).data);
});

test.each(['nonce', 'tag', 'data', 'salt', 'N'])('a changed %s does not open', async (field) => {
  await (await opened()).setPassword('desk', 'api-key', KEY);
  const file = JSON.parse(readFileSync(path, 'utf8'));
  const flip = (text: string): string => {
    const bytes = Buffer.from(text, 'base64');
    bytes[0] = (bytes[0] ?? 0) ^ 1;
    return bytes.toString('base64');
  };
  if (field === 'N') file.scrypt.N = 2 ** 15;
  else if (field === 'salt') file.scrypt.salt = flip(file.scrypt.salt);
  else file[field] = flip(file[field]);
  writeFileSync(path, JSON.stringify(file));
  await expect(opened()).rejects.toThrow(/does not open/);
});

test.each([
  ['no JSON', () => '{'],
  ['another format', () => '{"version":2}'],
  ['a cost that would occupy the machine', (text: string) => text.replace('"N": 16384', '"N": 4294967296')],
  ['a short seal', (text: string) => text.replace(/"tag": "[^"]+"/, '"tag": "AAAA"')],
])('%s is reported as damaged, and does not change', async (_, spoil) => {
  await (await opened()).setPassword('desk', 'api-key', KEY);
  const spoilt = spoil(readFileSync(path, 'utf8'));
  writeFileSync(path, spoilt);
  await expect(opened()).rejects.toThrow(/is damaged/);
  expect(readFileSync(path, 'utf8')).toBe(spoilt);
});

test('two concurrent writers lose no item', async () => {
  await (await opened()).setPassword('desk', 'api-key', KEY);
  const writers = await Promise.all([opened(), opened()]);
  await Promise.all(
    writers.flatMap((vault, index) =>
      Array.from({ length: 10 }, (_, round) => vault.setPassword('desk', `${index}-${round}`, 'x')),
    ),
  );
  expect(await writers[0].findCredentials('desk')).toHaveLength(21);
});

test('of two that create it at once under different passphrases, the first wins and the second is refused', async () => {
  const [one, two] = await Promise.all([opened(), opened('another one')]);
  await one.setPassword('desk', 'api-key', KEY);
  await expect(two.setPassword('desk', 'api-key', 'z')).rejects.toThrow(/does not open/);
  expect(await one.getPassword('desk', 'api-key')).toBe(KEY);
});

test('a new vault costs every guess 128 MB', async () => {
  const vault = createPassphraseVault(path);
  await vault.unlock(PASSPHRASE);
  await vault.setPassword('desk', 'api-key', KEY);
  const { N, r, p, salt } = JSON.parse(readFileSync(path, 'utf8')).scrypt;
  expect([128 * N * r, p, Buffer.from(salt, 'base64').length]).toEqual([128 * 1024 * 1024, 1, 16]);
});
