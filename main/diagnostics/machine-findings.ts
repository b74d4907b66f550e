// Main, diagnostics: turns the inspection of this computer into findings. Pure.
import type { ShellNotifier } from '../host/notification-log.ts';
import { type Finding, fail, good, warn } from './check.ts';

export interface MachineInspection {
  /** The running version, and the range of package.json: ">=20.19". */
  readonly node: { readonly version: string; readonly required: string };
  readonly folder: FolderInspection;
  readonly settings: SettingsInspection;
  /** Number of enabled profiles. */
  readonly enabled: number;
  readonly app: AppInspection;
  readonly desktop: DesktopInspection;
}

export interface FolderInspection {
  readonly path: string;
  readonly exists: boolean;
  /** Why it cannot be used, as a message; null: a writable folder. */
  readonly problem: string | null;
  /** Permission bits; null where the platform has none. */
  readonly mode: number | null;
  /** Bytes; null: unknown. */
  readonly free: number | null;
}

export interface SettingsInspection {
  readonly exists: boolean;
  /** Why it cannot be read. */
  readonly unreadable: string | null;
  /** Why its content is invalid. */
  readonly problem: string | null;
  /** Quarantined files: name and reason. */
  readonly quarantined: readonly { readonly name: string; readonly problem: string }[];
}

export interface AppInspection {
  /** left: a run.json of a program that has ended. */
  readonly status: 'none' | 'left' | 'runs';
  readonly pid: number | null;
  /** null: the desktop application, which opens no port. */
  readonly address: string | null;
  /** Why it does not answer there; null: it does, or has no address. */
  readonly silence: string | null;
}

export interface DesktopInspection {
  readonly platform: NodeJS.Platform;
  readonly electron: boolean;
  /** Of the desktop's notification service; Linux only. */
  readonly service: ReturnType<ShellNotifier['status']> | null;
}

const GB = 1024 ** 3;
const MB = 1024 ** 2;
/** Free on the disk, bytes. */
const ENOUGH_ROOM = GB;
const LEAST_ROOM = 100 * MB;

/** Bytes as text for the user. */
export function size(bytes: number): string {
  if (bytes >= GB) return `${(bytes / GB).toFixed(1)} GB`;
  return bytes >= MB ? `${(bytes / MB).toFixed(1)} MB` : `${Math.ceil(bytes / 1024)} KB`;
}

export const machineFindings = (inspection: MachineInspection): Finding[] => [
  nodeFinding(inspection.node),
  folderFinding(inspection.folder),
  ...(inspection.folder.exists ? [diskSpaceFinding(inspection.folder.free)] : []),
  settingsFinding(inspection.settings),
  ...(inspection.enabled === 0
    ? [
        fail(
          'profiles',
          'No profile is switched on: nothing is watched.',
          'Switch one on in the window, under Settings.',
        ),
      ]
    : []),
  appFinding(inspection.app),
  desktopFinding(inspection.desktop),
];

function nodeFinding({ version, required }: MachineInspection['node']): Finding {
  return isAtLeast(version, required)
    ? good('Node', `${version} runs; ${required} is needed.`)
    : fail(
        'Node',
        `${version} runs, and ${required} is needed.`,
        'Run npm install in the folder of Barograph, or install a newer Node.',
      );
}

/** @param wanted ">=" and up to three numbers @throws Error for another form */
export function isAtLeast(version: string, required: string): boolean {
  const least = /^>=(\d+(?:\.\d+){0,2})$/.exec(required)?.[1];
  if (least === undefined) throw new Error(`engines.node: ${required} is not understood`);
  const [has, needs] = [version.replace(/^v/, ''), least].map((text) =>
    text.split('.').map((part) => Number.parseInt(part, 10)),
  );
  for (const [index, number] of (needs ?? []).entries()) {
    const own = has?.[index] ?? 0;
    if (own !== number) return own > number;
  }
  return true;
}

function folderFinding({ path, exists, problem, mode }: FolderInspection): Finding {
  const name = 'data folder';
  if (!exists)
    return warn(
      name,
      `${path} is not there yet.`,
      'Start Barograph once with npm start, or give the right --data-dir.',
    );
  if (problem !== null)
    return fail(
      name,
      `${path} cannot be used: ${problem}.`,
      'Make your user its owner again, or use another --data-dir.',
    );
  if (mode !== null && (mode & 0o077) !== 0)
    return warn(
      name,
      `Other users of this computer may look into ${path}.`,
      `Close it: chmod 700 '${path}'. The next start does so too.`,
    );
  return good(name, `${path} is there, writable and closed to others.`);
}

function diskSpaceFinding(free: number | null): Finding {
  const name = 'disk';
  const cure = 'Make room: an event that cannot be written down is not told.';
  if (free === null)
    return warn(
      name,
      'This system does not say how much room is left on the disk.',
      'Look yourself that there is 1 GB.',
    );
  if (free < LEAST_ROOM) return fail(name, `Only ${size(free)} are free.`, cure);
  return free < ENOUGH_ROOM ? warn(name, `Only ${size(free)} are free.`, cure) : good(name, `${size(free)} are free.`);
}

function settingsFinding({ exists, unreadable, problem, quarantined }: SettingsInspection): Finding {
  const name = 'settings';
  if (unreadable !== null)
    return fail(name, `settings.json cannot be read: ${unreadable}.`, 'Make your user its owner again.');
  if (problem !== null)
    return fail(
      name,
      `settings.json cannot be used (${problem}). The next start sets it aside and begins with the default settings.`,
      'Fix it before that, or put a copy of yours in its place.',
    );
  if (quarantined.length > 0)
    return warn(
      name,
      `settings.json is in order. An earlier one was set aside: ${quarantined.map((one) => `${one.name} (${one.problem})`).join(', ')}.`,
      'See that the profiles and watchlists of now are yours; then delete the old file.',
    );
  return good(
    name,
    exists ? 'settings.json is in order.' : 'There is no settings.json yet; the default settings are used.',
  );
}

function appFinding({ status, pid, address, silence }: AppInspection): Finding {
  const name = 'app';
  const start = 'Start it: npm start.';
  if (status === 'none') return warn(name, 'Barograph does not run in this folder: no High Risk is shown.', start);
  if (status === 'left') return warn(name, 'Barograph ended here without saying so: no High Risk is shown.', start);
  if (address === null) return good(name, `Barograph runs as a desktop application (process ${pid}).`);
  if (silence !== null)
    return fail(
      name,
      `Barograph runs (process ${pid}) and does not answer at ${address}: ${silence}.`,
      'End that process and start it anew.',
    );
  return good(name, `Barograph runs (process ${pid}) and answers at ${address}.`);
}

function desktopFinding({ platform, electron, service }: DesktopInspection): Finding {
  const name = 'notifications';
  if (service?.tier === 'system') return good(name, service.detail);
  if (platform !== 'linux' && electron) return good(name, 'The desktop application shows them.');
  const cure =
    platform === 'linux'
      ? 'Use a desktop with a notification service, or keep a window of Barograph open.'
      : 'Start it with --shell electron, or keep a window of Barograph open.';
  return warn(
    name,
    `${service?.detail ?? 'The desktop application is not on this computer.'} Only a window of Barograph shows them.`,
    cure,
  );
}
