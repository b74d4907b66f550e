// Test harness: starts the app without a window in a process of its own, as on a headless machine.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { nodeScript, type RunningProcess, runScript, start } from './processes.ts';

export interface AppOptions {
  readonly dataDir: string;
  readonly profile?: string;
  /** Key of the profile in use, for this run only. */
  readonly key?: string;
  /** False: it finds no session bus, so neither notifications nor keychain. */
  readonly desktop?: boolean;
}

export interface RunningApp {
  readonly process: RunningProcess;
  /** The address with its one-time token: it opens one page. */
  readonly url: string;
  /** Notifications sent to the desktop, one object per line of notifications.jsonl, oldest first. */
  notifications(): Record<string, unknown>[];
}

export async function startApp({ dataDir, profile, key, desktop = true }: AppOptions): Promise<RunningApp> {
  const flags = [
    '--shell',
    'node',
    '--no-open',
    '--port',
    '0',
    '--data-dir',
    dataDir,
    ...(profile === undefined ? [] : ['--profile', profile]),
  ];
  const process_ = start(process.execPath, [...nodeScript('start'), ...flags], {
    ...(key === undefined ? {} : { BAROGRAPH_KEY: key }),
    ...(desktop ? {} : { DBUS_SESSION_BUS_ADDRESS: '', XDG_RUNTIME_DIR: '' }),
  });
  try {
    const [, url = ''] = await process_.line(/^ready (http:\/\/127\.0\.0\.1:\d+\/\S*)$/, 90_000);
    return { process: process_, url, notifications: () => readLines(join(dataDir, 'notifications.jsonl')) };
  } catch (problem) {
    await process_.kill();
    throw problem;
  }
}

function readLines(path: string): Record<string, unknown>[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n');
  // The last segment is empty, or an incomplete line.
  return lines.slice(0, -1).map((line) => JSON.parse(line));
}

/**
 * Runs a verb of the CLI to its end.
 * @throws when it fails, with its output
 */
export const barograph = (...args: string[]): Promise<string> => runScript('barograph', ...args);
