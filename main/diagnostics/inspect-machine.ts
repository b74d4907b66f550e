// Main, diagnostics: inspects this computer: folder, disk, settings, the running app. Read-only.
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { FetchLike } from '../../client/request.ts';
import type { Clock } from '../../shared/lib/clock.ts';
import { messageOf } from '../../shared/lib/result.ts';
import { textOf } from '../../shared/text/message.ts';
import { DEFAULT_SETTINGS, type Settings } from '../core/profiles/settings.ts';
import { hasRunFile, type RunFile } from '../host/run-file.ts';
import {
  lastGoodSettings,
  quarantineName,
  readOwnSettings,
  readSettingsFile,
  settingsProblem,
} from '../host/settings-store.ts';
import type { AppInspection, FolderInspection, SettingsInspection } from './machine-findings.ts';

/** Timeout of the running app, ms. */
const ANSWER_LIMIT = 3_000;

export async function inspectFolder(path: string, platform: NodeJS.Platform): Promise<FolderInspection> {
  if (!existsSync(path)) return { path, exists: false, problem: null, mode: null, free: null };
  const { bavail, bsize } = await statfs(path).catch(() => ({ bavail: null, bsize: 0 }));
  return {
    path,
    exists: true,
    problem: folderProblem(path),
    mode: platform === 'win32' ? null : statSync(path).mode & 0o777,
    free: bavail === null ? null : bavail * bsize,
  };
}

function folderProblem(path: string): string | null {
  if (!statSync(path).isDirectory()) return 'it is not a folder';
  try {
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
    return null;
  } catch {
    return 'your user may not read and write it';
  }
}

/** @returns the findings, and the settings that a start would use now */
export function inspectSettings(dataFolder: string): {
  readonly inspection: SettingsInspection;
  readonly settings: Settings;
} {
  const quarantined: SettingsInspection['quarantined'][number][] = [];
  for (let number = 1; existsSync(join(dataFolder, quarantineName(number))); number += 1) {
    const name = quarantineName(number);
    quarantined.push({ name, problem: quarantinedProblem(join(dataFolder, name)) });
  }
  const file = readOwnSettings(dataFolder);
  const problem = settingsProblem(file);
  const copy = lastGoodSettings(dataFolder);
  const own = file.status === 'valid' || file.status === 'newer' ? file.settings : null;
  return {
    inspection: {
      status: file.status,
      problem: problem === null ? null : textOf(problem),
      hasCopy: copy !== null,
      quarantined,
    },
    settings: (file.status === 'valid' ? own : (copy?.settings ?? own)) ?? DEFAULT_SETTINGS,
  };
}

function quarantinedProblem(path: string): string {
  const file = readSettingsFile(path);
  if ('why' in file) return file.why;
  const problem = settingsProblem(file);
  return problem === null ? 'it is valid now' : textOf(problem);
}

/** @param run run.json of the running app; null: none runs */
export async function inspectApp(
  dataFolder: string,
  run: RunFile | null,
  fetch: FetchLike,
  clock: Clock,
): Promise<AppInspection> {
  if (run === null)
    return { status: hasRunFile(dataFolder) ? 'left' : 'none', pid: null, address: null, silence: null };
  const { pid, address } = run;
  return { status: 'runs', pid, address, silence: address === null ? null : await silenceOf(address, fetch, clock) };
}

/** Why the app does not answer; null: it does. A refusal, which it gives without a token, is an answer. */
async function silenceOf(address: string, fetch: FetchLike, clock: Clock): Promise<string | null> {
  const late = new AbortController();
  const cancel = clock.after(ANSWER_LIMIT, () => late.abort(new Error(`no answer within ${ANSWER_LIMIT / 1000} s`)));
  try {
    const answer = await fetch(address, { redirect: 'manual', signal: late.signal });
    await answer.body?.cancel();
    return null;
  } catch (error) {
    return messageOf(error);
  } finally {
    cancel();
  }
}
