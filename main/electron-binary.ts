// Start: Electron's binary: finds it, downloads it if missing, and runs it.
// The installer of the npm package downloads it. It runs once, in a child, for ten seconds at most; a failure
// is remembered, so that the next start is not slow for nothing.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { onEnd } from './host/end-signal.ts';
import { systemClock } from './host/system-clock.ts';

export interface FindOptions {
  /** Retries the download even where it failed before. */
  readonly again: boolean;
  readonly say: (line: string) => void;
  /** Time limit of the download, ms. */
  readonly limit?: number;
}

export interface RunOptions {
  /** True once the process with this number is the running app. */
  readonly isRunning: (pid: number) => boolean;
  readonly environment: NodeJS.ProcessEnv;
}

const FETCH_LIMIT = 10_000;
/** Poll interval for the running app, ms. */
const POLL_MS = 250;
const FailureSchema = z.object({ version: z.string() });

/**
 * Whether the binary exists; downloads nothing.
 * @param root of the repository
 */
export const hasElectron = (root: string): boolean => binaryIn(join(root, 'node_modules', 'electron')) !== null;

/** @returns the path of the binary, or null */
export async function findElectron(
  root: string,
  { again, say, limit = FETCH_LIMIT }: FindOptions,
): Promise<string | null> {
  const folder = join(root, 'node_modules', 'electron');
  const version = versionOf(folder);
  if (version === null) return null;
  const there = binaryIn(folder);
  if (there !== null) return there;
  const failure = join(root, 'node_modules', '.cache', 'barograph', 'electron-not-fetched.json');
  if (!again && failedBefore(failure, version)) return null;
  const problem = await fetchBinary(folder, limit);
  const fetched = problem === null ? binaryIn(folder) : null;
  if (fetched !== null) return fetched;
  mkdirSync(dirname(failure), { recursive: true });
  writeFileSync(failure, JSON.stringify({ version }));
  say(
    `Electron could not be fetched (${problem ?? 'its installer left no binary'}); a browser shows the window. --shell electron tries again.`,
  );
  return null;
}

/**
 * Runs the desktop shell until it ends.
 * @returns its exit code, or null where it ended with an error before it ran: it cannot run on this machine
 */
export async function runElectron(
  binary: string,
  args: readonly string[],
  { isRunning, environment }: RunOptions,
): Promise<number | null> {
  // A terminal of an editor that is itself made with Electron may set it: then the binary would be a plain Node.
  const { ELECTRON_RUN_AS_NODE: _ignored, ...env } = environment;
  const child = spawn(binary, joined(args), { stdio: 'inherit', env });
  const stopListening = onEnd(environment, systemClock, (signal) => void child.kill(signal));
  let ran = false;
  const pollTimer = setInterval(() => {
    ran ||= child.pid !== undefined && isRunning(child.pid);
  }, POLL_MS);
  const code = await new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(null));
    child.once('exit', resolve);
  });
  clearInterval(pollTimer);
  stopListening();
  if (code === 0 || code === 2) return code;
  return ran ? (code ?? 1) : null;
}

/**
 * Joins every value to its flag: on Windows Electron takes an address for a link, and ends at any argument behind one.
 */
function joined(args: readonly string[]): string[] {
  const words: string[] = [];
  for (const argument of args) {
    const before = argument.startsWith('-') ? undefined : words.pop();
    words.push(before === undefined ? argument : `${before}=${argument}`);
  }
  return words;
}

function versionOf(folder: string): string | null {
  try {
    return z.object({ version: z.string() }).parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')))
      .version;
  } catch {
    return null;
  }
}

/** The installer writes the name of the binary into path.txt when it is done. */
function binaryIn(folder: string): string | null {
  const name = join(folder, 'path.txt');
  const base = process.env.ELECTRON_OVERRIDE_DIST_PATH ?? join(folder, 'dist');
  if (!existsSync(name)) return null;
  const path = join(base, readFileSync(name, 'utf8').trim());
  return existsSync(path) ? path : null;
}

function failedBefore(file: string, version: string): boolean {
  try {
    return FailureSchema.parse(JSON.parse(readFileSync(file, 'utf8'))).version === version;
  } catch {
    return false;
  }
}

/** Runs the installer. @returns a short message about its error, or null */
function fetchBinary(folder: string, limit: number): Promise<string | null> {
  return new Promise((resolve) => {
    // A group of its own, so that its children end with it.
    const child = spawn(process.execPath, [join(folder, 'install.js')], {
      stdio: ['ignore', 'ignore', 'pipe'],
      detached: true,
    });
    let printed = '';
    child.stderr.on('data', (chunk) => {
      printed += chunk;
    });
    const timer = setTimeout(() => {
      if (child.pid !== undefined) process.kill(process.platform === 'win32' ? child.pid : -child.pid, 'SIGKILL');
      resolve(`it took longer than ${limit / 1000} seconds`);
    }, limit);
    child.once('error', (problem) => settle(problem.message));
    child.once('exit', (code) => settle(code === 0 ? null : firstLine(printed)));
    const settle = (problem: string | null): void => {
      clearTimeout(timer);
      resolve(problem);
    };
  });
}

const firstLine = (text: string): string =>
  (text.trim().split('\n')[0] ?? '').replace(/^\w*Error: /, '').slice(0, 120) || 'its installer failed';
