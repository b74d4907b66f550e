// Start: Electron's binary in the npm package: where it is, and running it.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onEnd } from './host/end-signal.ts';
import { systemClock } from './host/system-clock.ts';

export interface RunOptions {
  /** True once the process with this number is the running app. */
  readonly isRunning: (pid: number) => boolean;
  readonly environment: NodeJS.ProcessEnv;
}

/** Poll interval for the running app, ms. */
const POLL_MS = 250;

/** @param root of the repository */
export const electronPackage = (root: string): string => join(root, 'node_modules', 'electron');

/**
 * The path of the binary, or null; downloads nothing. The package's installer writes its name into path.txt
 * when it is done; another folder of binaries (ELECTRON_OVERRIDE_DIST_PATH) may come without.
 */
export function findElectron(root: string): string | null {
  const named = join(electronPackage(root), 'path.txt');
  const other = process.env.ELECTRON_OVERRIDE_DIST_PATH;
  if (!existsSync(named) && !other) return null;
  const name = existsSync(named) ? readFileSync(named, 'utf8').trim() : 'electron';
  const path = join(other || join(electronPackage(root), 'dist'), name);
  return existsSync(path) ? path : null;
}

/** Why Electron cannot open a window here, with what to do; null: it can. */
export function whyNoElectron(environment: NodeJS.ProcessEnv): string | null {
  if (process.platform !== 'linux') return null;
  if (process.getuid?.() === 0) return 'root has no sandbox of Chromium: start as an ordinary user';
  const hasDisplay = environment.DISPLAY || environment.WAYLAND_DISPLAY;
  return hasDisplay ? null : 'there is no display: set DISPLAY or WAYLAND_DISPLAY, or run it under xvfb-run -a';
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
  const child = spawn(binary, electronArguments(args), { stdio: 'inherit', env });
  const stopListening = onEnd(environment, systemClock, (signal) => void child.kill(signal));
  let ran = false;
  const pollTimer = setInterval(() => {
    ran ||= child.pid !== undefined && isRunning(child.pid);
  }, POLL_MS);
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve) => {
    child.once('error', () => resolve([null, null]));
    child.once('exit', (...ended) => resolve(ended));
  });
  clearInterval(pollTimer);
  stopListening();
  // Somebody emptied a file that it had mapped into its memory, such as the -shm of a ledger.
  if (ran && signal === 'SIGBUS') return runElectron(binary, args, { isRunning, environment });
  if (code === 0 || code === 2) return code;
  return ran ? (code ?? 1) : null;
}

/**
 * Joins every value to its flag: on Windows Electron takes an address for a link, and ends at any argument behind one.
 */
export function electronArguments(args: readonly string[]): string[] {
  const words: string[] = [];
  for (const argument of args) {
    const before = argument.startsWith('-') ? undefined : words.pop();
    words.push(before === undefined ? argument : `${before}=${argument}`);
  }
  return words;
}
