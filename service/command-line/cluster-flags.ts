// Service, command line: the flags of a service with several nodes, and its database address.
import { readFileSync } from 'node:fs';
import { type Command, CommanderError, InvalidArgumentError } from 'commander';
import { messageOf } from '../../shared/lib/result.ts';
import type { ClusterConfig, Role } from '../cluster/node.ts';
import { UsageError } from '../usage-error.ts';

const ROLES: readonly Role[] = ['engine', 'api', 'hooks'];

export interface ClusterFlags {
  /** Address of PostgreSQL; null: not given by this flag. */
  readonly cluster: string | null;
  /** File with that address. */
  readonly clusterFile: string | null;
  /** null: all. */
  readonly roles: readonly Role[] | null;
}

export const withClusterFlags = (command: Command): Command =>
  command
    .option(
      '--cluster <url>',
      'run as one of several nodes over this PostgreSQL: postgres://user@host/database; with a password better in BAROGRAPH_CLUSTER or --cluster-file',
      databaseUrl,
    )
    .option('--cluster-file <file>', 'file with the address of --cluster')
    .option(
      '--roles <list>',
      'of a node: engine (may lead), api (answers clients), hooks (sends webhooks); default: all',
      roleList,
    );

/** Flags that exclude --cluster. */
interface Alone {
  readonly db: string | null;
}

/** Returns why these flags cannot be used together, or null. */
export function clusterConflict(
  flags: { readonly [Name in keyof (ClusterFlags & Alone)]?: (ClusterFlags & Alone)[Name] | undefined },
): string | null {
  const { cluster, clusterFile, db } = flags;
  if (cluster !== undefined && clusterFile !== undefined)
    return '--cluster and --cluster-file both say where the database is; give one of them';
  if (cluster === undefined && clusterFile === undefined) return null;
  if (db !== undefined)
    return '--db is the store of one machine; a node keeps its copy of the log in memory, so leave it out';
  return null;
}

/**
 * Reads the database address, and removes it from the environment, so that other code cannot read it.
 * @returns null: one machine
 * @throws UsageError with one sentence, which does not repeat the address
 */
export function takeCluster(environment: NodeJS.ProcessEnv, flags: ClusterFlags & Alone): ClusterConfig | null {
  const given = environment.BAROGRAPH_CLUSTER?.trim();
  delete environment.BAROGRAPH_CLUSTER;
  const flag = flags.cluster ?? (flags.clusterFile === null ? null : readAddress(flags.clusterFile));
  // An empty flag or file is an error: it must not start a service of one machine with its own keys.
  const url = flag ?? (given === '' ? undefined : given);
  if (url === undefined) {
    if (flags.roles !== null) throw new UsageError('--roles needs --cluster');
    return null;
  }
  const conflict = clusterConflict({ cluster: url, db: flags.db ?? undefined });
  if (conflict !== null) throw new UsageError(conflict);
  if (!isDatabaseUrl(url))
    throw new UsageError(
      '--cluster, BAROGRAPH_CLUSTER and --cluster-file must hold one address like postgres://user@host/database',
    );
  return { url, roles: flags.roles ?? ROLES };
}

/** Whether every user of this computer can read a password in the list of processes. */
export const showsPassword = ({ cluster }: ClusterFlags): boolean =>
  cluster !== null && (URL.parse(cluster)?.password ?? '') !== '';

function readAddress(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new UsageError(`the address of the database cannot be read: ${messageOf(error)}`);
  }
}

const isDatabaseUrl = (text: string): boolean =>
  !/\s/.test(text) && ['postgres:', 'postgresql:'].includes(URL.parse(text)?.protocol ?? '');

function databaseUrl(text: string): string {
  // Not InvalidArgumentError: commander would add the value, which may contain a password.
  if (!isDatabaseUrl(text))
    throw new CommanderError(2, 'barograph.cluster', '--cluster takes an address like postgres://user@host/database');
  return text;
}

function roleList(text: string): readonly Role[] {
  const named = text.split(',').map((part) => part.trim());
  const roles = ROLES.filter((role) => named.includes(role));
  if (roles.length === 0 || roles.length !== new Set(named).size)
    throw new InvalidArgumentError(`It must be a list of ${ROLES.join(', ')}.`);
  return roles;
}
