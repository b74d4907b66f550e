// Main, command line: the tokens of the read API, as hashes in a private file of the data folder.
import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { messageOf } from '../../../shared/lib/result.ts';
import { TimestampSchema, timestamp } from '../../../shared/wire/primitives.ts';
import { readSmallFile, replaceFile } from '../../core/files/private-file.ts';
import { UsageError } from '../../host/command-line.ts';
import { SCOPES, type Scope } from '../mcp/tools.ts';
import { type AppFlags, printRecords } from '../verbs/app-output.ts';

const TokenSchema = z.strictObject({
  name: z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/),
  scopes: z.array(z.enum(SCOPES)).min(1),
  /** SHA-256 of the token, in hexadecimal. */
  hash: z.string(),
  created_at: TimestampSchema,
});
type Token = z.infer<typeof TokenSchema>;
const FileSchema = z.strictObject({ tokens: z.array(TokenSchema).max(100) });

const MAX_SIZE = 64 * 1024;
const pathIn = (dataDir: string): string => join(dataDir, 'api-tokens.json');
const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');

/** @throws UsageError where the file is damaged */
function readTokens(dataDir: string): Token[] {
  if (!existsSync(pathIn(dataDir))) return [];
  try {
    return FileSchema.parse(JSON.parse(readSmallFile(pathIn(dataDir), MAX_SIZE).toString())).tokens;
  } catch (error) {
    throw new UsageError(`${pathIn(dataDir)} cannot be read: ${messageOf(error)}. Delete it, and add tokens again.`);
  }
}

const writeTokens = (dataDir: string, tokens: readonly Token[]): void =>
  replaceFile(pathIn(dataDir), `${JSON.stringify({ tokens }, null, 2)}\n`);

/** What a token may read; null: no such token. Read at each request, so that a removed one ends at once. */
export const scopesOf = (dataDir: string, token: string): readonly Scope[] | null =>
  readTokens(dataDir).find(({ hash }) => hash === hashOf(token))?.scopes ?? null;

export interface TokenFlags extends AppFlags {
  readonly scopes: string;
}

/** Prints the token, once. */
export function addToken(name: string, { dataDir, scopes }: TokenFlags): void {
  const tokens = readTokens(dataDir);
  if (tokens.some((one) => one.name === name)) throw new UsageError(`There is a token ${name} already.`);
  const secret = `bga_${randomBytes(32).toString('base64url')}`;
  const added = TokenSchema.safeParse({
    name,
    scopes: [...new Set(scopes.split(','))],
    hash: hashOf(secret),
    created_at: timestamp(Date.now()),
  });
  if (!added.success)
    throw new UsageError(
      `NAME must be lower-case letters, digits and dashes, and --scopes some of ${SCOPES.join(',')}, separated by commas.`,
    );
  writeTokens(dataDir, [...tokens, added.data]);
  console.log(`token ${secret}`);
  console.error(`It may read ${added.data.scopes.join(', ')}. This is the only time it is shown: keep it now.`);
}

export const listTokens = (flags: AppFlags): void =>
  printRecords(
    flags,
    readTokens(flags.dataDir).map(({ name, scopes, created_at }) => ({
      record: { name, scopes, created_at },
      fields: [name, scopes.join(','), created_at],
    })),
  );

export function removeToken(name: string, { dataDir }: AppFlags): void {
  const tokens = readTokens(dataDir);
  const others = tokens.filter((one) => one.name !== name);
  if (others.length === tokens.length)
    throw new UsageError(`There is no token ${name}. Tokens: ${tokens.map((one) => one.name).join(', ') || 'none'}.`);
  writeTokens(dataDir, others);
  console.log(`${name} is removed.`);
}
