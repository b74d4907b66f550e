// Main, core: is everything in order that Barograph needs to tell of a High Risk? Looks at all of it and says what to do about the rest.
// It works while the app runs, and writes nothing.
import { join, resolve } from 'node:path';
import type { FetchLike } from '../../../client/request.ts';
import manifest from '../../../package.json' with { type: 'json' };
import type { Clock } from '../../../shared/lib/clock.ts';
import { messageOf } from '../../../shared/lib/result.ts';
import { UsageError } from '../host/command-line.ts';
import { type RunFile, readRunFile } from '../host/run-file.ts';
import { createKeyProbe } from '../keys/key-probe.ts';
import { createKeyRing, type KeyRing } from '../keys/key-ring.ts';
import type { StartKeychain } from '../keys/keychain.ts';
import { createProfileKeys, type ProfileKeys } from '../keys/profile-keys.ts';
import type { SettingsStore } from '../ports.ts';
import type { Profile } from '../profiles/settings.ts';
import { type Check, type Diagnosis, diagnose, type Finding, fail } from './check.ts';
import { lookAtApp, lookAtFolder, lookAtSettings } from './look-at-machine.ts';
import { lookAtService } from './look-at-service.ts';
import { lookAtRelay, lookAtStores } from './look-at-stores.ts';
import { type DesktopFacts, machineFindings } from './machine-findings.ts';
import { type ProfileFacts, profileFindings } from './service-findings.ts';
import { storesFindings } from './store-findings.ts';

export interface DoctorParts {
  readonly dataFolder: string;
  /** Only this profile, switched on or not; null: all that are switched on. */
  readonly profile: string | null;
  /** BAROGRAPH_KEY: of the profile that is named, else of the one that the app shows first. */
  readonly runKey: string | null;
  /** BAROGRAPH_PASSPHRASE: opens the passphrase vault. */
  readonly passphrase: string | null;
  readonly nodeVersion: string;
  readonly platform: NodeJS.Platform;
  /** Can this computer show notifications? */
  readonly desktop: () => Promise<DesktopFacts>;
  readonly startKeychain: StartKeychain;
  readonly fetch: FetchLike;
  readonly clock: Clock;
}

/** What is the same for every profile. */
interface Around extends DoctorParts {
  readonly settings: SettingsStore;
  readonly ring: KeyRing;
  readonly run: RunFile | null;
}

/** @throws UsageError for a profile that there is not */
export async function examineAll(parts: DoctorParts): Promise<Diagnosis> {
  const { clock, platform, passphrase } = parts;
  const dataFolder = resolve(parts.dataFolder);
  const { facts: settingsFacts, settings: held } = lookAtSettings(dataFolder);
  const enabled = held.profiles.filter((profile) => profile.enabled);
  const profiles = parts.profile === null ? enabled : [named(held.profiles, parts.profile)];
  const run = readRunFile(dataFolder);
  const [folder, app, desktop] = await Promise.all([
    lookAtFolder(dataFolder, platform),
    lookAtApp(dataFolder, run, parts.fetch, clock),
    parts.desktop(),
  ]);
  const node = { version: parts.nodeVersion, wanted: manifest.engines.node };
  const machine = machineFindings({ node, folder, settings: settingsFacts, enabled: enabled.length, app, desktop });

  const settings: SettingsStore = { read: () => held, write: refuseToWrite };
  const ring = createKeyRing({ ...parts, dataFolder, settings });
  const vault = profiles.some(({ name }) => ring.tierOf(name) === 'passphrase') ? await unlock(ring, passphrase) : [];
  const around: Around = { ...parts, settings, ring, run };
  const checks = of(null, [...machine, ...vault]);
  const secrets = [passphrase, parts.runKey, run?.control, run?.sandbox?.key];
  for (const [index, profile] of profiles.entries()) {
    const { facts, key } = await lookAtProfile(profile, index === 0 ? parts.runKey : null, around);
    secrets.push(key);
    const stores = lookAtStores(join(dataFolder, 'profiles', profile.name), clock.now());
    const relay = await lookAtRelay(profile, settings, run !== null && profile.enabled);
    checks.push(...of(profile.name, [...profileFindings(facts), ...storesFindings({ ...stores, relay })]));
  }
  return diagnose(
    checks,
    secrets.filter((secret) => secret !== null && secret !== undefined),
  );
}

const of = (profile: string | null, findings: readonly Finding[]): Check[] =>
  findings.map((finding) => ({ ...finding, profile }));

function named(profiles: readonly Profile[], name: string): Profile {
  const found = profiles.find((profile) => profile.name === name);
  if (found !== undefined) return found;
  throw new UsageError(
    `--profile ${name}: there is no such profile. Profiles: ${profiles.map((one) => one.name).join(', ')}.`,
  );
}

function refuseToWrite(): never {
  throw new Error('The doctor writes nothing.');
}

async function unlock({ passphrase: vault }: KeyRing, passphrase: string | null): Promise<Finding[]> {
  if (passphrase === null) return [];
  try {
    await vault.unlock(passphrase);
    return [];
  } catch (thrown) {
    return [
      fail('passphrase vault', messageOf(thrown), 'Give the passphrase that it was made with in BAROGRAPH_PASSPHRASE.'),
    ];
  }
}

async function lookAtProfile(
  profile: Profile,
  runKey: string | null,
  around: Around,
): Promise<{ facts: ProfileFacts; key: string | null }> {
  const { name, environment, enabled, mode, baseUrl, prices } = profile;
  const { run, fetch, clock } = around;
  const common = {
    name,
    environment,
    enabled,
    mode,
    host: baseUrl === null ? null : (URL.parse(baseUrl)?.host ?? baseUrl),
  };
  if (baseUrl === null) {
    const inside = run?.sandbox ?? null;
    // run.json names one service inside the app: the simulated market's.
    if (inside === null || prices !== undefined || !enabled)
      return { facts: { ...common, key: null, service: run === null ? 'needs_app' : 'closed' }, key: null };
    const service = await lookAtService({ profile, baseUrl: inside.url, key: inside.key, fetch, clock });
    return { facts: { ...common, key: null, service }, key: inside.key };
  }
  const keys = mode === 'proxy' ? null : keysOf(profile, runKey, around);
  await keys?.load();
  const key = keys?.inUse().key ?? null;
  const service = await lookAtService({ profile, baseUrl, key, fetch, clock });
  return { facts: { ...common, key: keys?.state() ?? null, service }, key };
}

function keysOf(
  profile: Profile,
  runKey: string | null,
  { ring, settings, clock, platform, fetch }: Around,
): ProfileKeys {
  return createProfileKeys({
    profile,
    ring,
    settings,
    clock,
    platform,
    runKey,
    probe: createKeyProbe(profile, fetch, clock),
  });
}
