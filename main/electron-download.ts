// Start: fetches Electron's binary: one process at a time, with growing pauses between failures.
// Mirrors, cache and checksums are those of @electron/get; the package's own installer unpacks.
import { spawn } from 'node:child_process';
import {
  accessSync,
  constants,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { downloadArtifact } from '@electron/get';
import { z } from 'zod';
import { type Clock, every, isRecent } from '../shared/lib/clock.ts';
import { createRate } from '../shared/lib/progress.ts';
import { messageOf } from '../shared/lib/result.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../shared/lib/time.ts';
import { type Message, message } from '../shared/text/message.ts';
import { isLocked, lockFile } from './core/files/file-lock.ts';
import { electronPackage, findElectron } from './electron-binary.ts';
import type { ElectronDownload } from './host/shell-port.ts';
import { downloadResumed } from './resumed-download.ts';
import { openProcessNetwork, type ProcessNetwork } from './service/process-network.ts';

export interface ElectronFetch extends ElectronDownload {
  /** Its path; null where it cannot be had now, for the reason in `status`. Never rejects. */
  readonly binary: Promise<string | null>;
  /** Ends it; what arrived stays for the next start. */
  stop(): void;
}

export interface FetchOptions {
  readonly root: string;
  readonly clock: Clock;
  readonly environment: NodeJS.ProcessEnv;
  /** Tries also in the pause after a failure. */
  readonly again: boolean;
}

/** After the first failure in a row, the second, any further. */
const PAUSES = [5 * MINUTE_MS, HOUR_MS, DAY_MS];
const FailureSchema = z.object({
  version: z.string(),
  why: z.string(),
  /** Failures in a row. */
  count: z.number().int().positive(),
  at: z.number(),
});
type Failure = z.infer<typeof FailureSchema>;

const pauseAfter = ({ count }: Failure): number => PAUSES[Math.min(count, PAUSES.length) - 1] ?? DAY_MS;

/**
 * Starts to fetch the binary.
 * @throws Error where the npm package is missing
 * @throws UsageError for an address of a proxy that cannot be used
 */
export function fetchElectron({ root, clock, environment, again }: FetchOptions): ElectronFetch {
  const { outbound } = openProcessNetwork({ ...environment, ...npmProxies(environment) });
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(readFileSync(join(electronPackage(root), 'package.json'), 'utf8')));
  const cache = join(root, 'node_modules', '.cache', 'barograph', 'electron');
  const record = join(cache, 'failure.json');
  const listeners = new Set<() => void>();
  const stopped = new AbortController();
  let status = message('electron.connecting', { version });
  const say = (next: Message): void => {
    status = next;
    for (const listener of listeners) listener();
  };
  const sayFailure = (failure: Failure): null => {
    say(message('electron.failed', { version, why: failure.why, retryAt: failure.at + pauseAfter(failure) }));
    return null;
  };
  const run = async (): Promise<string | null> => {
    const before = readFailure(record, version);
    if (before !== null && !again && isRecent(clock, before.at, pauseAfter(before))) return sayFailure(before);
    try {
      const binary = await fetchOnce({ root, clock, outbound, version, cache, say, signal: stopped.signal });
      rmSync(record, { force: true });
      say(message('electron.ready', { version }));
      return binary;
    } catch (error) {
      if (stopped.signal.aborted) return null;
      const [line = ''] = messageOf(error).split('\n');
      const why = line.replace(/\.$/, '');
      const failure = { version, why, count: (before?.count ?? 0) + 1, at: clock.now() };
      writeFailure(record, failure);
      return sayFailure(failure);
    }
  };
  return {
    binary: run(),
    status: () => status,
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    stop: () => stopped.abort(),
  };
}

/** npm passes its own settings of a proxy to a script as npm_config_*; they win over the environment's. */
function npmProxies(environment: NodeJS.ProcessEnv): Record<string, string> {
  const settings = { https_proxy: ['https_proxy', 'proxy'], http_proxy: ['proxy'], no_proxy: ['noproxy'] };
  const given = Object.entries(settings).map(([variable, names]) => [
    variable,
    names.map((name) => environment[`npm_config_${name}`]).find(Boolean),
  ]);
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}

function readFailure(path: string, version: string): Failure | null {
  try {
    const failure = FailureSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
    return failure.version === version ? failure : null;
  } catch {
    return null;
  }
}

function writeFailure(path: string, failure: Failure): void {
  try {
    writeFileSync(path, JSON.stringify(failure));
  } catch {
    // A folder that cannot be written remembers nothing: every start tries.
  }
}

interface Fetch extends Pick<FetchOptions, 'root' | 'clock'> {
  readonly outbound: ProcessNetwork['outbound'];
  readonly version: string;
  readonly cache: string;
  readonly say: (status: Message) => void;
  readonly signal: AbortSignal;
}

async function fetchOnce(fetch: Fetch): Promise<string> {
  const { root, cache, version, say, signal } = fetch;
  // Not found out after the whole download.
  accessSync(electronPackage(root), constants.W_OK);
  mkdirSync(cache, { recursive: true });
  const unlock = await waitForTurn(fetch);
  try {
    // The process before may have fetched it.
    const found = findElectron(root);
    if (found !== null) return found;
    await downloadArchive(fetch);
    say(message('electron.unpacking', { version }));
    await unpack(electronPackage(root), signal);
  } finally {
    unlock();
  }
  const binary = findElectron(root);
  if (binary === null) throw new Error('its installer left no binary');
  return binary;
}

/** Two starts would write the same part. The lock ends with its process. */
async function waitForTurn({ cache, clock, version, say, signal }: Fetch): Promise<() => void> {
  for (;;)
    try {
      return lockFile(join(cache, 'lock.sqlite'), 0);
    } catch (error) {
      if (!isLocked(error)) throw error;
      say(message('electron.waiting', { version }));
      await new Promise<void>((resolve) => void clock.after(1_000, resolve));
      signal.throwIfAborted();
    }
}

/** Leaves the archive in the cache of @electron/get, where the package's installer finds it. */
async function downloadArchive({ root, cache, version, outbound, clock, say, signal }: Fetch): Promise<void> {
  const checksums: Record<string, string> = JSON.parse(
    readFileSync(join(electronPackage(root), 'checksums.json'), 'utf8'),
  );
  const meter = createMeter(clock, (progress) => say(message('electron.loading', { version, ...progress })));
  const download = async (url: string, target: string): Promise<void> => {
    const part = join(cache, `${basename(target)}.part`);
    // Parts of other versions, and folders of killed processes.
    for (const name of readdirSync(cache))
      if (/\.part$|^electron-download-/.test(name) && ![part, join(target, '..')].includes(join(cache, name)))
        rmSync(join(cache, name), { recursive: true, force: true });
    await downloadResumed(url, { part, clock, outbound, signal, onProgress: meter.measure });
    // The library deletes `target` where its checksum is wrong.
    renameSync(part, target);
  };
  try {
    await downloadArtifact({
      version,
      artifactName: 'electron',
      platform: process.platform,
      arch: process.arch,
      checksums,
      ...(process.env.electron_config_cache ? { cacheRoot: process.env.electron_config_cache } : {}),
      tempDirectory: cache,
      downloader: { download },
    });
  } finally {
    meter.stop();
  }
}

interface Progress {
  readonly received: number;
  readonly total: number | null;
  /** Bytes per second. */
  readonly rate: number;
}

/** Reports once a second for as long as there is something to report. */
function createMeter(clock: Clock, report: (progress: Progress) => void) {
  let now: Omit<Progress, 'rate'> | null = null;
  const rateOf = createRate(clock);
  const stop = every(clock, 1_000, () => {
    if (now === null) return;
    const rate = rateOf(now.received);
    if (rate !== null) report({ ...now, rate });
  });
  return {
    measure(received: number, total: number | null): void {
      now = { received, total };
    },
    stop,
  };
}

/** Runs the package's own installer, which takes the archive from the cache and checks it again. */
async function unpack(folder: string, signal: AbortSignal): Promise<void> {
  // Of an installer that was killed.
  rmSync(join(folder, 'dist'), { recursive: true, force: true });
  const installer = spawn(process.execPath, [join(folder, 'install.js')], {
    stdio: ['ignore', 'ignore', 'pipe'],
    signal,
    env: {
      ...process.env,
      // The archive that was fetched, and no other: the native modules beside it are of this architecture too.
      ELECTRON_INSTALL_PLATFORM: process.platform,
      ELECTRON_INSTALL_ARCH: process.arch,
      npm_config_arch: process.arch,
      force_no_cache: '',
      electron_use_remote_checksums: '',
      npm_config_electron_use_remote_checksums: '',
    },
  });
  let printed = '';
  installer.stderr.on('data', (chunk) => {
    printed += chunk;
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    installer.once('error', reject);
    installer.once('close', resolve);
  });
  if (code === 0) return;
  const [line = ''] = printed.trim().split('\n');
  throw new Error(line.replace(/^\w*Error: /, '') || `its installer ended with ${code}`);
}
