// Main, diagnostics: checks everything that Barograph needs to notify of a High Risk, with remedies.
// It works while the app runs, and writes nothing.
import { join, resolve } from 'node:path';
import type { FetchLike } from '../../client/request.ts';
import manifest from '../../package.json' with { type: 'json' };
import type { Clock } from '../../shared/lib/clock.ts';
import { messageOf } from '../../shared/lib/result.ts';
import { createKeyProbe } from '../core/keys/key-probe.ts';
import { createKeyStore, type KeyStore } from '../core/keys/key-store.ts';
import type { KeychainStarter } from '../core/keys/keychain.ts';
import { createProfileKeys, type ProfileKeys } from '../core/keys/profile-keys.ts';
import type { SettingsStore } from '../core/ports.ts';
import type { Profile } from '../core/profiles/settings.ts';
import { UsageError } from '../host/command-line.ts';
import { type RunFile, readRunFile } from '../host/run-file.ts';
import { type Check, type Diagnosis, diagnose, type Finding, fail } from './check.ts';
import { inspectApp, inspectFolder, inspectSettings } from './inspect-machine.ts';
import { inspectRelay, inspectStores } from './inspect-stores.ts';
import { type DesktopInspection, machineFindings } from './machine-findings.ts';
import { probeService } from './probe-service.ts';
import { type ProfileInspection, profileFindings } from './service-findings.ts';
import { storesFindings } from './store-findings.ts';

export interface DiagnosticsDeps {
  readonly dataFolder: string;
  /** Only this profile, enabled or not; null: all enabled ones. */
  readonly profile: string | null;
  /** BAROGRAPH_KEY: for the named profile, else for the one that the app shows first. */
  readonly runKey: string | null;
  /** BAROGRAPH_PASSPHRASE: opens the passphrase vault. */
  readonly passphrase: string | null;
  readonly nodeVersion: string;
  readonly platform: NodeJS.Platform;
  /** Whether this computer can show notifications. */
  readonly desktop: () => Promise<DesktopInspection>;
  readonly startKeychain: KeychainStarter;
  readonly fetch: FetchLike;
  readonly clock: Clock;
}

/** The part of the context that all profiles share. */
interface DiagnosticsContext extends DiagnosticsDeps {
  readonly settings: SettingsStore;
  readonly keyStore: KeyStore;
  readonly run: RunFile | null;
}

/** @throws UsageError for an unknown profile */
export async function examineAll(deps: DiagnosticsDeps): Promise<Diagnosis> {
  const { clock, platform, passphrase } = deps;
  const dataFolder = resolve(deps.dataFolder);
  const { inspection: settingsInspection, settings: stored } = inspectSettings(dataFolder);
  const enabled = stored.profiles.filter((profile) => profile.enabled);
  const profiles = deps.profile === null ? enabled : [named(stored.profiles, deps.profile)];
  const run = readRunFile(dataFolder);
  const [folder, app, desktop] = await Promise.all([
    inspectFolder(dataFolder, platform),
    inspectApp(dataFolder, run, deps.fetch, clock),
    deps.desktop(),
  ]);
  const node = { version: deps.nodeVersion, required: manifest.engines.node };
  const machine = machineFindings({
    node,
    folder,
    settings: settingsInspection,
    enabled: enabled.length,
    app,
    desktop,
  });

  const settings: SettingsStore = { read: () => stored, write: refuseToWrite };
  const keyStore = createKeyStore({ ...deps, dataFolder, settings });
  const vault = profiles.some(({ name }) => keyStore.tierOf(name) === 'passphrase')
    ? await unlock(keyStore, passphrase)
    : [];
  const context: DiagnosticsContext = { ...deps, settings, keyStore, run };
  const checks = of(null, [...machine, ...vault]);
  const secrets = [passphrase, deps.runKey, run?.control, run?.sandbox?.key];
  for (const [index, profile] of profiles.entries()) {
    const { inspection, key } = await inspectProfile(profile, index === 0 ? deps.runKey : null, context);
    secrets.push(key);
    const stores = inspectStores(join(dataFolder, 'profiles', profile.name), clock.now());
    const relay = await inspectRelay(profile, settings, run !== null && profile.enabled);
    checks.push(...of(profile.name, [...profileFindings(inspection), ...storesFindings({ ...stores, relay })]));
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

async function unlock({ passphrase: vault }: KeyStore, passphrase: string | null): Promise<Finding[]> {
  if (passphrase === null) return [];
  try {
    await vault.unlock(passphrase);
    return [];
  } catch (error) {
    return [
      fail('passphrase vault', messageOf(error), 'Give the passphrase that it was made with in BAROGRAPH_PASSPHRASE.'),
    ];
  }
}

async function inspectProfile(
  profile: Profile,
  runKey: string | null,
  context: DiagnosticsContext,
): Promise<{ inspection: ProfileInspection; key: string | null }> {
  const { name, environment, enabled, mode, baseUrl, prices } = profile;
  const { run, fetch, clock } = context;
  const common = {
    name,
    environment,
    enabled,
    mode,
    host: baseUrl === null ? null : (URL.parse(baseUrl)?.host ?? baseUrl),
  };
  if (baseUrl === null) {
    const inside = run?.sandbox ?? null;
    // run.json names one embedded service: that of the simulated market.
    if (inside === null || prices !== undefined || !enabled)
      return { inspection: { ...common, key: null, service: run === null ? 'needs_app' : 'closed' }, key: null };
    const service = await probeService({ profile, baseUrl: inside.url, key: inside.key, fetch, clock });
    return { inspection: { ...common, key: null, service }, key: inside.key };
  }
  const keys = mode === 'proxy' ? null : keysOf(profile, runKey, context);
  await keys?.load();
  const key = keys?.inUse().key ?? null;
  const service = await probeService({ profile, baseUrl, key, fetch, clock });
  return { inspection: { ...common, key: keys?.state() ?? null, service }, key };
}

function keysOf(
  profile: Profile,
  runKey: string | null,
  { keyStore, settings, clock, platform, fetch }: DiagnosticsContext,
): ProfileKeys {
  return createProfileKeys({
    profile,
    keyStore,
    settings,
    clock,
    platform,
    runKey,
    probe: createKeyProbe(profile, fetch, clock),
  });
}
