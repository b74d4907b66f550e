// Main, diagnostics: turns the inspection of this computer into findings. Pure.
import { dataSize } from '../../shared/text/format.ts';
import { textOf } from '../../shared/text/message.ts';
import type { FileProblem } from '../core/files/private-file.ts';
import type { ShellNotifier } from '../host/notification-log.ts';
import { type Finding, fail, good, warn } from './check.ts';

export interface MachineInspection {
  /** The running version, and the range of package.json: ">=20.19". */
  readonly node: { readonly version: string; readonly required: string };
  readonly folder: FolderInspection;
  readonly settings: SettingsInspection;
  /** Other files that cannot be used. */
  readonly files: readonly FileProblem[];
  /** Number of enabled profiles. */
  readonly enabled: number;
  readonly app: AppInspection;
  readonly desktop: DesktopInspection;
}

export interface FolderInspection {
  readonly path: string;
  readonly exists: boolean;
  /** Why the folder cannot be used; null: it is writable. */
  readonly problem: string | null;
  /** Permission bits; null where the platform has none. */
  readonly mode: number | null;
  /** Bytes; null: unknown. */
  readonly free: number | null;
}

export interface SettingsInspection {
  readonly status: 'valid' | 'newer' | 'older' | 'damaged' | 'missing' | 'unreadable';
  /** The fault of the settings file. */
  readonly problem: string | null;
  /** True where a copy of the last good settings exists. */
  readonly hasCopy: boolean;
  /** Quarantined files: name and reason. */
  readonly quarantined: readonly { readonly name: string; readonly problem: string }[];
}

export interface AppInspection {
  /** left: a run.json of a program that has ended. */
  readonly status: 'none' | 'left' | 'runs';
  readonly pid: number | null;
  /** null: the desktop application, which opens no port. */
  readonly address: string | null;
  /** Why the app does not answer at its address; null: it does, or has no address. */
  readonly silence: string | null;
}

export interface DesktopInspection {
  readonly platform: NodeJS.Platform;
  readonly electron: boolean;
  /** Status of the desktop's notification service; Linux only. */
  readonly service: ReturnType<ShellNotifier['status']> | null;
}

const GB = 1024 ** 3;
const MB = 1024 ** 2;
/** Enough free space on the disk, bytes. */
const ENOUGH_ROOM = GB;
const MIN_ROOM = 100 * MB;

export const machineFindings = (inspection: MachineInspection): Finding[] => [
  nodeFinding(inspection.node),
  folderFinding(inspection.folder),
  ...(inspection.folder.exists ? [diskSpaceFinding(inspection.folder.free)] : []),
  settingsFinding(inspection.settings),
  ...inspection.files.map(({ found, cure }) => fail('file', `${found}.`, cure)),
  ...(inspection.enabled === 0
    ? [fail('profiles', 'No profile is turned on: nothing is watched.', 'Turn one on in the window, under Settings.')]
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
      `${path} does not exist yet.`,
      'Start Barograph once with npm start, or give the right --data-dir.',
    );
  if (problem !== null)
    return fail(name, `${path} cannot be used: ${problem}.`, 'Make your user its owner, or use another --data-dir.');
  if (mode !== null && (mode & 0o077) !== 0)
    return warn(
      name,
      `Other users of this computer can read ${path}.`,
      `Run chmod 700 '${path}'; the next start does so too.`,
    );
  return good(name, `${path} exists, is writable and private.`);
}

function diskSpaceFinding(free: number | null): Finding {
  const name = 'disk';
  const cure = 'Free some space: alerts are shown from memory and not written down while there is none.';
  if (free === null)
    return warn(name, 'This system does not report its free disk space.', 'Check yourself that 1 GB is free.');
  if (free < MIN_ROOM) return fail(name, `Only ${dataSize(free)} is free.`, cure);
  return free < ENOUGH_ROOM
    ? warn(name, `Only ${dataSize(free)} is free.`, cure)
    : good(name, `${dataSize(free)} is free.`);
}

const SETTINGS_CURES = {
  valid: 'Correct them in settings.json.',
  newer: 'Start the newer Barograph, or replace the file with one of this version.',
  older: 'Change any setting in the window: that sets the older file aside.',
  damaged: 'Correct it, or replace it with a copy of yours.',
  unreadable: 'Make your user its owner.',
  missing: 'The next start writes it again.',
} as const;

function settingsFinding({ status, problem, hasCopy, quarantined }: SettingsInspection): Finding {
  const name = 'settings';
  if (problem !== null && status === 'valid') return warn(name, problem, SETTINGS_CURES[status]);
  if (problem !== null)
    return fail(
      name,
      hasCopy ? problem : `${problem} There is no copy of the settings, so Barograph cannot start.`,
      SETTINGS_CURES[status],
    );
  if (status === 'missing' && hasCopy)
    return warn(name, 'settings.json is missing; there is a copy of it.', SETTINGS_CURES[status]);
  if (quarantined.length > 0)
    return warn(
      name,
      `settings.json is valid. An earlier file was set aside: ${quarantined.map((one) => `${one.name} (${one.problem})`).join(', ')}.`,
      'Check that the current profiles and watchlists are yours, then delete the old file.',
    );
  return good(
    name,
    status === 'valid' ? 'settings.json is valid.' : 'There is no settings.json yet; the default settings are used.',
  );
}

function appFinding({ status, pid, address, silence }: AppInspection): Finding {
  const name = 'app';
  const start = 'Start it: npm start.';
  if (status === 'none')
    return warn(name, 'Barograph is not running in this folder: no High Risk alert is shown.', start);
  if (status === 'left')
    return warn(name, 'Barograph ended unexpectedly in this folder: no High Risk alert is shown.', start);
  if (address === null) return good(name, `Barograph is running as a desktop application (process ${pid}).`);
  if (silence !== null)
    return fail(
      name,
      `Barograph is running (process ${pid}), but does not answer at ${address}: ${silence}.`,
      'End that process and start Barograph again.',
    );
  return good(name, `Barograph is running (process ${pid}) and answers at ${address}.`);
}

function desktopFinding({ platform, electron, service }: DesktopInspection): Finding {
  const name = 'notifications';
  if (service?.tier === 'system') return good(name, textOf(service.detail));
  if (platform !== 'linux' && electron) return good(name, 'The desktop application shows them.');
  const cure =
    platform === 'linux'
      ? 'Use a desktop with a notification service, or keep a window of Barograph open.'
      : 'Start it with --shell electron, or keep a window of Barograph open.';
  return warn(
    name,
    `${service === null ? 'The desktop application is not installed on this computer.' : textOf(service.detail)} Only a window of Barograph shows notifications.`,
    cure,
  );
}
