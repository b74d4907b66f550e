// Main, command line: `barograph profiles`: lists, adds and removes profiles in the settings file.
import type { z } from 'zod';
import { messageOf } from '../../../shared/lib/result.ts';
import { ProfileSchema } from '../../core/profiles/settings.ts';
import { UsageError } from '../../host/command-line.ts';
import { readRunFile } from '../../host/run-file.ts';
import { openSettings } from './open-settings.ts';
import { forgetKeys } from './profile-keys.ts';

interface Flags {
  readonly dataDir: string;
}

/** Name, environment, address and whether it is enabled, in columns. */
export function listProfiles({ dataDir }: Flags): void {
  for (const { name, environment, baseUrl, mode, enabled, prices } of openSettings(dataDir).read().profiles)
    console.log(
      [name, environment, baseUrl ?? prices?.folder ?? 'inside the app', mode, enabled ? 'on' : 'off'].join('\t'),
    );
}

export function addProfile(
  name: string,
  { dataDir, env, url, mode }: Flags & { env: string; url?: string; mode: string },
): void {
  const profile = ProfileSchema.safeParse({ name, environment: env, baseUrl: url ?? null, mode, enabled: true });
  if (!profile.success) throw new UsageError(inFlags(profile.error));
  if (profile.data.environment === 'production' && profile.data.baseUrl === null)
    throw new UsageError('A production profile needs --url, the address of its service.');
  const settings = openSettings(dataDir);
  const now = settings.read();
  if (now.profiles.some((other) => other.name === name))
    throw new UsageError(`There is a profile ${name} already. Remove it first, or give another name.`);
  settings.write({ ...now, profiles: [...now.profiles, profile.data] });
  console.log(`${name} is added.${afterRestart(dataDir)}`);
}

export async function removeProfile(name: string, { dataDir }: Flags): Promise<void> {
  const settings = openSettings(dataDir);
  const now = settings.read();
  const rest = now.profiles.filter((other) => other.name !== name);
  if (rest.length === now.profiles.length)
    throw new UsageError(`There is no profile ${name}. Profiles: ${now.profiles.map((one) => one.name).join(', ')}.`);
  if (rest.length === 0) throw new UsageError(`${name} is the only profile. Add another one first.`);
  // A key of a removed profile must not stay behind.
  if (now.profiles.some((one) => one.name === name && typeof one.keys?.saved_at === 'string'))
    await forgetKeys(name, { dataDir }).catch((error) =>
      console.error(`barograph: Its key could not be deleted. ${messageOf(error)}`),
    );
  settings.write({ ...settings.read(), profiles: rest });
  console.log(`${name} is removed; its ledger stays in the data folder.${afterRestart(dataDir)}`);
}

const afterRestart = (dataDir: string): string =>
  readRunFile(dataDir) === null ? '' : ' The running app knows it after a restart.';

const FLAGS: Readonly<Record<string, string>> = {
  name: 'NAME',
  environment: '--env',
  baseUrl: '--url',
  mode: '--mode',
};

function inFlags(error: z.ZodError): string {
  const issue = error.issues[0];
  const field = String(issue?.path[0] ?? '');
  return `${FLAGS[field] ?? field}: ${issue?.message ?? 'this cannot be used'}.`;
}
