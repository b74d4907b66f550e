// Main, command line: `barograph keys`: manages keys and accounts in the store of a service.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { DAY_MS, HOUR_MS } from '../../../shared/lib/time.ts';
import { MonthSchema, USAGE_FORMATS, type Usage, usageCsv } from '../../../shared/wire/account.ts';
import { KEY_SCOPES } from '../../../shared/wire/keys.ts';
import { type Contract, ContractSchema, PLANS, type Plan } from '../../../shared/wire/limits.ts';
import { oneLine, UsageError } from '../../host/command-line.ts';
import { type KeyStoreLocation, openKeyService } from '../../service/service-tools.ts';

interface StoreFlags extends KeyStoreLocation {
  readonly dataDir: string;
}
type KeyService = Awaited<ReturnType<typeof openKeyService>>;

/** Names of a service's store in a data folder: self-hosted, its replay, the embedded one. */
const STORES = ['service.db', 'service-replay.db', 'service.sqlite'] as const;
/** An account's plan that follows the service's. */
const OF_SERVICE = 'service';
const ACCOUNT = /^[A-Za-z0-9][\w.@-]{0,63}$/;
const UNIT_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: HOUR_MS, d: DAY_MS };
const LONGEST_OVERLAP_MS = 365 * DAY_MS;

export interface IssueFlags extends StoreFlags {
  readonly plan?: string;
  readonly scope: string;
  readonly account?: string;
  readonly hardCap?: boolean;
  readonly contract?: string;
  readonly owner?: string;
}

/** Prints `key svc_...` on stdout, its description on stderr. */
export async function issueKey(flags: IssueFlags): Promise<void> {
  const plan = flags.plan === undefined ? null : oneOf('--plan', PLANS, flags.plan);
  const scope = oneOf('--scope', KEY_SCOPES, flags.scope);
  if (flags.account !== undefined && !ACCOUNT.test(flags.account))
    throw new UsageError(
      '--account takes up to 64 of A-Z, a-z, 0-9, ".", "_", "@" and "-", beginning with a letter or a digit.',
    );
  const request = {
    plan,
    scope,
    account: flags.account ?? null,
    hardCap: flags.hardCap ?? false,
    contract: contractOf(flags.contract, plan),
    ...(flags.owner === undefined ? {} : { ownerEmail: ownerOf(flags.owner) }),
  };
  await withKeyService(flags, (service) => show(service, service.issue(request)));
}

export async function listKeys(flags: StoreFlags): Promise<void> {
  await withKeyService(flags, (service) => {
    for (const { id, ending, account, plan, hardCap, scope, createdAt, expiresAt, status } of service.list()) {
      const until = status === 'live' && expiresAt !== null ? ` until ${new Date(expiresAt).toISOString()}` : '';
      console.log(
        [
          id,
          `...${ending}`,
          account,
          planLabel({ plan, hardCap }),
          scope,
          new Date(createdAt).toISOString(),
          `${status}${until}`,
        ].join('\t'),
      );
    }
  });
}

export async function rotateKey(
  id: string,
  { overlap, ...flags }: StoreFlags & { readonly overlap: string },
): Promise<void> {
  const ms = overlapOf(overlap);
  await withKeyService(flags, (service) => {
    show(service, service.rotate(id, ms));
    console.error(
      ms === 0 ? `${id} has ended.` : `${id} keeps working until ${new Date(Date.now() + ms).toISOString()}.`,
    );
  });
}

export async function revokeKey(id: string, flags: StoreFlags): Promise<void> {
  await withKeyService(flags, (service) => {
    service.revoke(id);
    console.log(`${id} is revoked.`);
  });
}

export interface ChangeFlags extends StoreFlags {
  readonly plan?: string;
  readonly scope?: string;
  /** undefined: unchanged. */
  readonly hardCap?: boolean;
  readonly contract?: string;
  /** false: none. */
  readonly owner?: string | false;
}

/** Prints the changed account. */
export async function changeAccount(
  account: string,
  { plan, scope, hardCap, contract, owner, ...flags }: ChangeFlags,
): Promise<void> {
  if ([plan, scope, hardCap, contract, owner].every((one) => one === undefined))
    throw new UsageError(
      'Say what is to change: --plan, --hard-cap or --no-hard-cap, --scope, --contract, --owner or --no-owner.',
    );
  const named = plan === undefined ? undefined : oneOf('--plan', [...PLANS, OF_SERVICE], plan);
  const change = {
    ...(named === undefined ? {} : { plan: named === OF_SERVICE ? null : named }),
    ...(hardCap === undefined ? {} : { hardCap }),
    ...(contract === undefined ? {} : { contract: readContract(contract) }),
    ...(scope === undefined ? {} : { scope: oneOf('--scope', KEY_SCOPES, scope) }),
    ...(owner === undefined ? {} : { ownerEmail: owner === false ? null : ownerOf(owner) }),
  };
  await withKeyService(flags, (service) => {
    const { id, ...terms } = service.change(account, change);
    const live = service.list().filter((key) => key.account === id && key.status === 'live');
    const agreed =
      terms.contract === null
        ? ''
        : `, ${Object.entries(terms.contract)
            .map((pair) => pair.join('='))
            .join(',')}`;
    const owned = terms.ownerEmail === null ? '' : `, owner ${terms.ownerEmail}`;
    console.log(
      [id, `${planLabel(terms)}${agreed}${owned}`, ...live.map((key) => `${key.id} ${key.scope}`)].join('\t'),
    );
  });
}

export interface UsageFlags extends StoreFlags {
  readonly account?: string;
  readonly month?: string;
  readonly format: string;
}

/** Prints the calls of a month, one row per account. */
export async function printUsage({ account, month, format, ...flags }: UsageFlags): Promise<void> {
  if (month !== undefined && !MonthSchema.safeParse(month).success)
    throw new UsageError(`--month ${month}: it must be like 2026-03.`);
  const form = oneOf('--format', ['table', ...USAGE_FORMATS], format);
  await withKeyService(flags, (service) => {
    const rows = service.usage(account ?? null, month ?? null);
    if (form === 'json') console.log(JSON.stringify(rows, null, 2));
    else if (form === 'csv') process.stdout.write(usageCsv(rows));
    else console.log(usageTable(rows));
    if (rows.some(({ counted }) => !counted))
      console.error('This service does not count calls: the sandbox is free, unless it has --enforce-limits.');
  });
}

function usageTable(rows: readonly Usage[]): string {
  const lines = [
    ['account', 'month', 'plan', 'quota', 'calls', 'overage', 'at the quota'],
    ...rows.map(({ account, month, plan, quota, calls, overage, hard_cap }) => [
      ...[account, month, plan, String(quota ?? 'none'), String(calls), String(overage)],
      hard_cap ? 'stops' : 'overage',
    ]),
  ];
  const widths = lines[0]?.map((_, column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0))) ?? [];
  const isNumber = (column: number): boolean => column >= 3 && column <= 5;
  const padded = (cell: string, column: number): string =>
    isNumber(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0);
  return lines.map((cells) => cells.map(padded).join('  ').trimEnd()).join('\n');
}

function ownerOf(text: string): string {
  if (!z.email().max(254).safeParse(text).success)
    throw new UsageError(`--owner ${text}: it must be an e-mail address.`);
  return text;
}

const planLabel = ({ plan, hardCap }: { plan: Plan | null; hardCap: boolean }): string =>
  `${plan ?? 'plan of the service'}${hardCap ? ', hard cap' : ''}`;

function show({ environment }: KeyService, { id, key }: { id: string; key: string }): void {
  console.log(`key ${key}`);
  console.error(`${id}, for ${environment}. This is the only time it is shown: keep it now.`);
}

async function withKeyService(flags: StoreFlags, job: (service: KeyService) => void): Promise<void> {
  const service = await openKeyService(flags, process.env, () => storeIn(flags.dataDir)).catch((error) => {
    throw asUsage(error);
  });
  try {
    job(service);
  } catch (error) {
    throw asUsage(error);
  } finally {
    await service.close();
  }
}

function storeIn(dataDir: string): string {
  const found = STORES.map((name) => join(dataDir, name)).filter((path) => existsSync(path));
  if (found.length > 1)
    throw new UsageError(`${dataDir} has ${found.length} stores. Say which one with --db: ${found.join(', ')}.`);
  if (found[0] === undefined)
    throw new UsageError(`There is no store of a service in ${dataDir}. Name one with --db FILE or --data-dir DIR.`);
  return found[0];
}

/** An invalid store, database, account or id is an error of the user. */
const asUsage = (error: unknown): unknown =>
  error instanceof Error && ['StoreError', 'UsageError'].includes(error.name)
    ? new UsageError(oneLine(error.message))
    : error;

function oneOf<Value extends string>(flag: string, values: readonly Value[], given: string): Value {
  const found = values.find((value) => value === given);
  if (found === undefined) throw new UsageError(`${flag} ${given}: it must be one of ${values.join(', ')}.`);
  return found;
}

function contractOf(text: string | undefined, plan: Plan | null): Contract | null {
  if (text === undefined) return null;
  if (plan !== 'institutional')
    throw new UsageError('--contract belongs to --plan institutional; the other plans are fixed.');
  return readContract(text);
}

function readContract(text: string): Contract {
  const pairs = text.split(',').map((part) => part.split('=') as [string, string | undefined]);
  const parsed = ContractSchema.safeParse(
    Object.fromEntries(pairs.map(([name, value]) => [name, /^\d{1,10}$/.test(value ?? '') ? Number(value) : value])),
  );
  if (!parsed.success)
    throw new UsageError(
      `--contract ${text}: it must be like monthly=5000000,burst=200,sustained=20000,archetypes=2000, any of them.`,
    );
  return parsed.data;
}

function overlapOf(text: string): number {
  const [, count, unit] = /^(\d{1,9})([smhd]?)$/.exec(text) ?? [];
  const ms =
    count === undefined || (unit === '' && count !== '0') ? Number.NaN : Number(count) * (UNIT_MS[unit ?? ''] ?? 0);
  if (!(ms <= LONGEST_OVERLAP_MS))
    throw new UsageError(`--overlap ${text}: it must be like 0, 90s, 30m, 24h or 7d, a year at most.`);
  return ms;
}
