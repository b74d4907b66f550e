// Main, core: a vault in a file, for machines without a keychain: AES-256-GCM under a passphrase.
// scrypt derives the key.
import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';
import { existsSync, renameSync } from 'node:fs';
import { z } from 'zod';
import { message } from '../../../shared/text/message.ts';
import { withFileLock } from '../files/file-lock.ts';
import { readSmallFile, replaceFile } from '../files/private-file.ts';
import type { KeyVault } from '../ports.ts';
import { VaultError } from './vault-error.ts';

/** 128 MB and about half a second per guess (OWASP's first choice for scrypt). */
const COST: Cost = { N: 2 ** 17, r: 8, p: 1 };
const MAX_MEMORY = 512 * 1024 * 1024;
/** Most bytes of the file. */
const MAX_SIZE = 1024 * 1024;
const CIPHER = 'aes-256-gcm';

const bytes = z.base64().transform((text) => Buffer.from(text, 'base64'));
const FileSchema = z.strictObject({
  version: z.literal(1),
  /** Bounded, so that a foreign file cannot occupy the machine. */
  scrypt: z.strictObject({
    N: z
      .number()
      .int()
      .min(2 ** 14)
      .max(2 ** 20),
    r: z.number().int().min(1).max(16),
    p: z.number().int().min(1).max(4),
    salt: bytes,
  }),
  nonce: bytes,
  tag: bytes.refine((tag) => tag.length === 16),
  data: bytes,
});
type VaultFile = z.infer<typeof FileSchema>;
const ItemsSchema = z.array(z.strictObject({ service: z.string(), account: z.string(), password: z.string() }));
type Items = z.infer<typeof ItemsSchema>;

export interface PassphraseVault extends KeyVault {
  isLocked(): boolean;
  /** True once an item was stored. */
  exists(): boolean;
  /**
   * Opens the vault for this run; the first passphrase creates it.
   * @throws VaultError where the passphrase does not fit the file
   */
  unlock(passphrase: string): Promise<void>;
  /** Renames the file, whose passphrase is lost, so that a new passphrase can begin a new one. */
  abandon(): void;
}

/**
 * Every verb throws VaultError while the vault is locked.
 * @param path the file
 * @param newCost of a guess, for a new vault; an existing file keeps its own
 */
export function createPassphraseVault(path: string, newCost = COST): PassphraseVault {
  let open: { readonly key: Buffer; readonly salt: Buffer; readonly cost: Cost } | null = null;

  const opened = () => {
    if (open !== null) return open;
    throw new VaultError('locked', message('vault.locked'));
  };
  const items = (): Items => {
    const file = readVault(path);
    return file === null ? [] : decrypt(file, opened().key);
  };
  /** Reads, changes and writes under a lock between processes. */
  const change = <Value>(job: (current: Items) => { next: Items; value: Value }): Value => {
    const { key, salt, cost } = opened();
    return withFileLock(path, () => {
      const { next, value } = job(items());
      replaceFile(path, encrypt(next, key, salt, cost));
      return value;
    });
  };
  const isItem = (service: string, account: string) => (item: Items[number]) =>
    item.service === service && item.account === account;

  return {
    tier: message('tier.passphrase'),
    isLocked: () => open === null,
    exists: () => existsSync(path),
    async unlock(passphrase) {
      const file = readVault(path);
      const { salt, ...cost } = file?.scrypt ?? { ...newCost, salt: randomBytes(16) };
      const key = await derive(passphrase, salt, cost);
      if (file !== null) decrypt(file, key);
      open = { key, salt, cost };
    },
    abandon() {
      let number = 1;
      while (existsSync(`${path}.lost-${number}`)) number += 1;
      renameSync(path, `${path}.lost-${number}`);
      open = null;
    },
    getPassword: async (service, account) => {
      opened();
      return items().find(isItem(service, account))?.password ?? null;
    },
    async setPassword(service, account, password) {
      change((current) => ({
        next: [...current.filter((item) => !isItem(service, account)(item)), { service, account, password }],
        value: undefined,
      }));
    },
    async deletePassword(service, account) {
      return change((current) => {
        const next = current.filter((item) => !isItem(service, account)(item));
        return { next, value: next.length < current.length };
      });
    },
    async findCredentials(service) {
      opened();
      return items().flatMap((item) =>
        item.service === service ? [{ account: item.account, password: item.password }] : [],
      );
    },
  };
}

interface Cost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

/**
 * Normalizes: the same passphrase from another keyboard, or from a file with a final line break, gives the
 * same bytes.
 */
const derive = (passphrase: string, salt: Buffer, { N, r, p }: Cost): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    scrypt(passphrase.normalize('NFKC').trim(), salt, 32, { N, r, p, maxmem: MAX_MEMORY }, (problem, key) =>
      problem === null ? resolve(key) : reject(problem),
    );
  });

/** The public part of the file is authenticated too: a changed cost or salt does not open. */
const sealed = (salt: Buffer, { N, r, p }: Cost): Buffer =>
  Buffer.from(JSON.stringify([1, N, r, p, salt.toString('base64')]));

function encrypt(items: Items, key: Buffer, salt: Buffer, cost: Cost): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(sealed(salt, cost));
  const data = Buffer.concat([cipher.update(JSON.stringify(items), 'utf8'), cipher.final()]);
  const text = (part: Buffer): string => part.toString('base64');
  const { N, r, p } = cost;
  return `${JSON.stringify({ version: 1, scrypt: { N, r, p, salt: text(salt) }, nonce: text(nonce), tag: text(cipher.getAuthTag()), data: text(data) }, null, 2)}\n`;
}

function decrypt({ scrypt: { salt, ...cost }, nonce, tag, data }: VaultFile, key: Buffer): Items {
  try {
    const decipher = createDecipheriv(CIPHER, key, nonce).setAAD(sealed(salt, cost)).setAuthTag(tag);
    return ItemsSchema.parse(JSON.parse(Buffer.concat([decipher.update(data), decipher.final()]).toString('utf8')));
  } catch {
    throw new VaultError('locked', message('vault.wrong_passphrase'));
  }
}

/** @returns null where there is no file yet */
function readVault(path: string): VaultFile | null {
  if (!existsSync(path)) return null;
  try {
    return FileSchema.parse(JSON.parse(readSmallFile(path, MAX_SIZE).toString()));
  } catch {
    throw new VaultError('unavailable', message('vault.damaged', { path }));
  }
}
