// Test harness: starts the app without a window in a process of its own, as on a headless machine.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEFAULT_SETTINGS, type Settings } from '../../main/core/profiles/settings.ts';
import { joinRunningApp } from '../../main/host/app-client.ts';
import { systemClock } from '../../main/host/system-clock.ts';
import type { Environment } from '../../shared/wire/keys.ts';
import { nodeScript, type RunningProcess, runScript, start } from './processes.ts';

export interface AppOptions {
  readonly dataDir: string;
  readonly profile?: string;
  /** Key of the profile in use, for this run only. */
  readonly key?: string;
  /** False: it finds no session bus, so neither notifications nor keychain. */
  readonly desktop?: boolean;
  /** Address of another session bus. */
  readonly bus?: string;
  /** A module that its process loads first. */
  readonly imported?: string;
  /** Returns as soon as a window can be opened, before the services are ready. */
  readonly early?: boolean;
  /** Further flags of `npm start`. */
  readonly flags?: readonly string[];
  /** A command that runs it, with its arguments: "prlimit". */
  readonly under?: readonly string[];
}

export interface RunningApp {
  readonly process: RunningProcess;
  /** The address with its one-time token: it opens one page. */
  readonly url: string;
  notifications(): Record<string, unknown>[];
}

/** The flags of `npm start` that mean the same in both shells. */
export const startFlags = ({ dataDir, profile, flags = [] }: AppOptions): string[] => [
  ...['--data-dir', dataDir],
  ...(profile === undefined ? [] : ['--profile', profile]),
  ...flags,
];

const running = (dataFolder: string) => ({ dataFolder, isApp: true, profile: null, holder: null });

export async function startApp(options: AppOptions): Promise<RunningApp> {
  const { dataDir, key, desktop = true, bus, imported, early = false, under = [] } = options;
  const flags = [...['--shell', 'node', '--no-open', '--port', '0'], ...startFlags(options)];
  const node = imported === undefined ? [] : ['--import', imported];
  const [command = '', ...args] = [...under, process.execPath, ...node, ...nodeScript('start'), ...flags];
  const process_ = start(command, args, {
    ...(key === undefined ? {} : { BAROGRAPH_KEY: key }),
    ...(bus === undefined ? {} : { DBUS_SESSION_BUS_ADDRESS: bus }),
    ...(desktop ? {} : { DBUS_SESSION_BUS_ADDRESS: '', XDG_RUNTIME_DIR: '' }),
  });
  try {
    const ready = () => process_.line(/^ready (http:\/\/127\.0\.0\.1:\d+\/\S*)$/, 90_000);
    const url = early
      ? (await joinRunningApp(running(dataDir), systemClock, () => undefined)).address
      : (await ready())[1];
    if (url == null) throw new Error('it printed no address');
    return { process: process_, url, notifications: () => notificationsOf(dataDir) };
  } catch (problem) {
    await process_.kill();
    throw problem;
  }
}

/** Notifications sent to the desktop, one object per line of notifications.jsonl, oldest first. */
export function notificationsOf(dataDir: string): Record<string, unknown>[] {
  const path = join(dataDir, 'notifications.jsonl');
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n');
  // The last segment is empty, or an incomplete line.
  return lines.slice(0, -1).map((line) => JSON.parse(line));
}

/** Writes the settings of a new data folder whose one profile listens to this service. */
export function writeProfile(
  dataDir: string,
  name: string,
  baseUrl: string,
  environment: Environment = 'sandbox',
  alerting: Partial<Settings['alerting']> = {},
): void {
  const settings = { ...DEFAULT_SETTINGS, alerting: { ...DEFAULT_SETTINGS.alerting, ...alerting } };
  const profile = { name, environment, baseUrl, mode: 'auto', enabled: true } as const;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  writeFileSync(join(dataDir, 'settings.json'), JSON.stringify({ ...settings, profiles: [profile] }), {
    mode: 0o600,
  });
}

/**
 * Runs a verb of the CLI to its end.
 * @throws when it fails, with its output
 */
export const barograph = (...args: string[]): Promise<string> => runScript('barograph', ...args);
