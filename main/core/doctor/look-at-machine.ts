// Main, core: looks at this computer for the doctor: folder, disk, settings, the running app. Reads, and writes nothing.
import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { FetchLike } from '../../../client/request.ts';
import type { Clock } from '../../../shared/lib/clock.ts';
import { messageOf } from '../../../shared/lib/result.ts';
import { hasRunFile, type RunFile } from '../host/run-file.ts';
import { asideName, SETTINGS_NAME, settingsProblem } from '../host/settings-store.ts';
import { DEFAULT_SETTINGS, type Settings, SettingsSchema } from '../profiles/settings.ts';
import type { AppFacts, FolderFacts, SettingsFacts } from './machine-findings.ts';

/** How long the running app may take, ms. */
const ANSWER_LIMIT = 3_000;

export async function lookAtFolder(path: string, platform: NodeJS.Platform): Promise<FolderFacts> {
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
    return 'your user may not read and write there';
  }
}

/** @returns what is found, and the settings that a start would use now */
export function lookAtSettings(dataFolder: string): { readonly facts: SettingsFacts; readonly settings: Settings } {
  const path = join(dataFolder, `${SETTINGS_NAME}.json`);
  const aside: SettingsFacts['aside'][number][] = [];
  for (let number = 1; existsSync(join(dataFolder, asideName(number))); number += 1) {
    const name = asideName(number);
    aside.push({ name, problem: asideProblem(join(dataFolder, name)) });
  }
  const facts = { exists: existsSync(path), unreadable: null, problem: null, aside };
  if (!facts.exists) return { facts, settings: DEFAULT_SETTINGS };
  try {
    const problem = settingsProblem(path);
    const settings = problem === null ? SettingsSchema.parse(JSON.parse(readFileSync(path, 'utf8'))) : DEFAULT_SETTINGS;
    return { facts: { ...facts, problem }, settings };
  } catch (thrown) {
    return { facts: { ...facts, unreadable: messageOf(thrown) }, settings: DEFAULT_SETTINGS };
  }
}

function asideProblem(path: string): string {
  try {
    return settingsProblem(path) ?? 'it is in order by now';
  } catch (thrown) {
    return messageOf(thrown);
  }
}

/** @param run of the app that runs; null: none does */
export async function lookAtApp(
  dataFolder: string,
  run: RunFile | null,
  fetch: FetchLike,
  clock: Clock,
): Promise<AppFacts> {
  if (run === null)
    return { standing: hasRunFile(dataFolder) ? 'left' : 'none', pid: null, address: null, silence: null };
  const { pid, address } = run;
  return { standing: 'runs', pid, address, silence: address === null ? null : await silenceOf(address, fetch, clock) };
}

/** Any answer will do: without a token it is a refusal. */
async function silenceOf(address: string, fetch: FetchLike, clock: Clock): Promise<string | null> {
  const late = new AbortController();
  const cancel = clock.after(ANSWER_LIMIT, () => late.abort(new Error(`no answer within ${ANSWER_LIMIT / 1000} s`)));
  try {
    const answer = await fetch(address, { redirect: 'manual', signal: late.signal });
    await answer.body?.cancel();
    return null;
  } catch (thrown) {
    return messageOf(thrown);
  } finally {
    cancel();
  }
}
