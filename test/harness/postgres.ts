// Test harness: a real PostgreSQL for a test, in a process of its own, on a unix socket.
// BAROGRAPH_TEST_POSTGRES names another one: a folder of programs, or the address of a running server.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { type TemporaryFolder, temporaryFolder } from './folders.ts';
import { findBinaries, type PostgresBinaries } from './postgres-binaries.ts';

export interface PostgresOptions {
  /** Writes reach the disk: only for tests of that, and of speed. A killed server needs no fsync, only a killed machine does. */
  readonly isDurable?: boolean;
  /** Listens on this port of the loopback interface too. */
  readonly port?: number;
  /** More settings, as `name=value`. */
  readonly settings?: readonly string[];
  /** Follows this server, as its standby, until `promote`. */
  readonly standbyOf?: PostgresProcess;
}

/** The server's process. None for a server that ran already. */
export interface PostgresProcess {
  /** Ends it: fast (connections are cut, it writes everything down) or immediate (as a crash, without a kill). */
  stop(mode?: 'fast' | 'immediate'): Promise<void>;
  /** SIGKILL to the server and all its connections. */
  kill(): Promise<void>;
  /** After stop or kill. Resolves when it answers. */
  start(): Promise<void>;
  /** SIGSTOP: it answers nobody, and its sockets stay open. */
  freeze(): void;
  thaw(): void;
  /** Runs a statement as the superuser. */
  execute(sql: string): Promise<void>;
  /** The path of its unix socket. */
  readonly socket: string;
  /** Of the server, whose children are the processes of its connections. @throws Error while it does not run */
  pid(): number;
}

export interface Postgres {
  /** For a report: its version and where it is from. */
  readonly name: string;
  readonly process: PostgresProcess | null;
  /** Makes an empty database. @returns its address, as `--cluster` takes it */
  createDatabase(): Promise<string>;
  /** Ends the server and deletes its folder. */
  remove(): Promise<void>;
}

const NAMED = process.env.BAROGRAPH_TEST_POSTGRES ?? null;
const isAddress = (text: string): boolean => /^postgres(ql)?:\/\//.test(text);
const READY_MS = 60_000;
/** Name of the socket's port; nothing listens on it over TCP unless a test asks. */
const PORT = 5432;

/** @returns why tests with PostgreSQL cannot run here; null where they can */
export function whyNoPostgres(): string | null {
  if (NAMED !== null && isAddress(NAMED)) return null;
  const found = findBinaries(NAMED);
  if (typeof found === 'string') return found;
  found.remove();
  return null;
}

/** @returns why tests that stop or freeze the server cannot run here; null where they can */
export const whyNoPostgresProcess = (): string | null =>
  NAMED !== null && isAddress(NAMED)
    ? 'the server that BAROGRAPH_TEST_POSTGRES names is not ours to stop'
    : whyNoPostgres();

/** @throws Error where there is none: ask `whyNoPostgres` first */
export async function startPostgres(options: PostgresOptions = {}): Promise<Postgres> {
  if (NAMED !== null && isAddress(NAMED)) return runningServer(NAMED);
  const binaries = findBinaries(NAMED);
  if (typeof binaries === 'string') throw new Error(binaries);
  const folder = temporaryFolder();
  try {
    return await ownServer(binaries, folder, options);
  } catch (problem) {
    folder.remove();
    binaries.remove();
    throw problem;
  }
}

function runningServer(address: string): Postgres {
  const made: string[] = [];
  return {
    name: `the server that BAROGRAPH_TEST_POSTGRES names`,
    process: null,
    async createDatabase() {
      const name = databaseName();
      await execute(address, `CREATE DATABASE ${name}`);
      made.push(name);
      const url = new URL(address);
      url.pathname = `/${name}`;
      return url.href;
    },
    async remove() {
      for (const name of made) await execute(address, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
}

async function ownServer(
  binaries: PostgresBinaries,
  folder: TemporaryFolder,
  options: PostgresOptions,
): Promise<Postgres> {
  const server = createServer(binaries, folder, options);
  server.initialize();
  await server.start();
  const address = (database: string): string =>
    `postgres://postgres@localhost:${options.port ?? PORT}/${database}?host=${encodeURIComponent(folder.path)}`;
  const { initialize: _, ...process_ } = server;
  return {
    name: binaries.name,
    process: process_,
    async createDatabase() {
      const name = databaseName();
      await execute(address('postgres'), `CREATE DATABASE ${name}`);
      return address(name);
    },
    async remove() {
      await server.kill();
      folder.remove();
      binaries.remove();
    },
  };
}

function createServer(
  binaries: PostgresBinaries,
  folder: TemporaryFolder,
  { isDurable = false, port, settings = [], standbyOf }: PostgresOptions,
): PostgresProcess & { initialize(): void } {
  const { owner, environment } = binaries;
  const data = join(folder.path, 'data');
  const env = { ...environment, LC_ALL: 'C', TZ: 'UTC' };
  let child: ChildProcess | null = null;
  let printed = '';
  const given = [
    `unix_socket_directories=${folder.path}`,
    `listen_addresses=${port === undefined ? '' : '127.0.0.1'}`,
    `port=${port ?? PORT}`,
    ...(isDurable ? [] : ['fsync=off', 'full_page_writes=off']),
    'shared_buffers=32MB',
    'max_connections=100',
    ...settings,
  ].flatMap((setting) => ['-c', setting]);
  const killNow = (): void => {
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    // First the server: it would start its connections' helpers again.
    for (const pid of [child.pid, ...childrenOf(child.pid)]) send(pid, 'SIGKILL');
  };
  const ended = async (): Promise<void> => {
    if (child !== null && child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  };
  const signalAll = (signal: NodeJS.Signals): void => {
    if (child?.pid === undefined) return;
    for (const pid of [child.pid, ...childrenOf(child.pid)]) send(pid, signal);
  };
  process.once('exit', killNow);
  const address = `postgres://postgres@localhost:${port ?? PORT}/postgres?host=${encodeURIComponent(folder.path)}`;
  return {
    execute: (sql) => execute(address, sql),
    socket: join(folder.path, `.s.PGSQL.${port ?? PORT}`),
    pid() {
      if (child?.pid === undefined) throw new Error('PostgreSQL does not run');
      return child.pid;
    },
    initialize() {
      mkdirSync(data, { mode: 0o700 });
      chmodSync(folder.path, 0o755);
      if (owner.uid !== undefined && owner.gid !== undefined)
        for (const path of [folder.path, data]) chownSync(path, owner.uid, owner.gid);
      const run = (program: string, flags: readonly string[]): void => {
        const made = spawnSync(join(binaries.folder, program), [...flags, '-D', data], {
          ...{ ...owner, env, cwd: '/' },
          encoding: 'utf8',
        });
        if (made.status !== 0) throw new Error(`${program} failed: ${made.stderr}${made.stdout}`);
      };
      if (standbyOf !== undefined)
        return run('pg_basebackup', ['-h', dirname(standbyOf.socket), '-U', 'postgres', '--no-sync', '-R']);
      const flags = [
        '--no-sync',
        '--auth=trust',
        '--username=postgres',
        '--encoding=UTF8',
        '--locale=C',
        '--wal-segsize=4',
      ];
      run('initdb', flags);
    },
    async start() {
      await ended();
      const started = spawn(join(binaries.folder, 'postgres'), ['-D', data, ...given], {
        ...owner,
        env,
        cwd: '/',
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      child = started;
      for (const stream of [started.stdout, started.stderr])
        stream.on('data', (chunk) => {
          printed = `${printed}${chunk}`.slice(-10_000);
        });
      for (const deadline = performance.now() + READY_MS; ; await delay(20)) {
        if (await answers(address)) return;
        if (started.exitCode !== null || started.signalCode !== null || performance.now() > deadline)
          throw new Error(`PostgreSQL did not start:\n${printed}`);
      }
    },
    async stop(mode = 'fast') {
      if (child?.pid !== undefined) send(child.pid, mode === 'fast' ? 'SIGINT' : 'SIGQUIT');
      await ended();
    },
    async kill() {
      killNow();
      await ended();
    },
    freeze: () => signalAll('SIGSTOP'),
    thaw: () => signalAll('SIGCONT'),
  };
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended already.
  }
}

/** Each connection is a process in a group of its own. */
function childrenOf(parent: number): number[] {
  if (process.platform !== 'linux') {
    const { stdout } = spawnSync('pgrep', ['-P', String(parent)], { encoding: 'utf8' });
    return stdout.split('\n').filter(Boolean).map(Number);
  }
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        return /\) \S (\d+)/.exec(readFileSync(`/proc/${name}/stat`, 'utf8'))?.[1] === String(parent);
      } catch {
        return false;
      }
    })
    .map(Number);
}

let databases = 0;
function databaseName(): string {
  databases += 1;
  return `barograph_${process.pid}_${databases}`;
}

/** Runs one statement on a connection of its own. */
async function execute(address: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

const answers = (address: string): Promise<boolean> =>
  execute(address, 'SELECT 1').then(
    () => true,
    () => false,
  );
