// Main, diagnostics: checks everything that a notification of High Risk needs, with remedies.
// It works while the app runs, and writes nothing.
import { join, resolve } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import type { RelayView } from '../../shared/channels/relay.ts';
import { messageOf } from '../../shared/lib/result.ts';
import { createKeyStore, type KeyStore } from '../core/keys/key-store.ts';
import type { SettingsStore } from '../core/ports.ts';
import { createPeer } from '../core/profiles/peer.ts';
import type { Profile } from '../core/profiles/settings.ts';
import { connectToApp } from '../host/app-client.ts';
import { UsageError } from '../host/command-line.ts';
import type { FeedChecker } from '../host/embedded-service.ts';
import { fileProblems } from '../host/file-problems.ts';
import type { Machine } from '../host/machine.ts';
import { readNotificationHistory } from '../host/notification-history.ts';
import { keysOf } from '../host/profile-keys.ts';
import { type RunFile, readRunFile, sandboxOf } from '../host/run-file.ts';
import { type Check, type Diagnosis, diagnose, type Finding, fail } from './check.ts';
import { inspectDisk } from './inspect-disk.ts';
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
  /** BAROGRAPH_KEY: for the named profile, else for the profile that the app shows first. */
  readonly runKey: string | null;
  /** BAROGRAPH_PASSPHRASE: opens the passphrase vault. */
  readonly passphrase: string | null;
  readonly nodeVersion: string;
  /** Whether this computer can show notifications. */
  readonly desktop: () => Promise<DesktopInspection>;
  /** Tries the feed of a profile. */
  readonly checkFeed: FeedChecker;
  readonly machine: Pick<Machine, 'clock' | 'fetch' | 'findProxy' | 'platform' | 'listener' | 'startKeychain'>;
}

/** The part of the context that all profiles share. */
interface DiagnosticsContext {
  readonly machine: DiagnosticsDeps['machine'];
  readonly settings: SettingsStore;
  readonly keyStore: KeyStore;
  readonly run: RunFile | null;
  readonly checkFeed: FeedChecker;
}

/** @throws UsageError for an unknown profile */
export async function examineAll(deps: DiagnosticsDeps): Promise<Diagnosis> {
  const { machine, passphrase } = deps;
  const { clock, platform, fetch } = machine;
  const dataFolder = resolve(deps.dataFolder);
  const { inspection: settingsInspection, settings: stored } = inspectSettings(dataFolder);
  const enabled = stored.profiles.filter((profile) => profile.enabled);
  const profiles = deps.profile === null ? enabled : [named(stored.profiles, deps.profile)];
  const run = readRunFile(dataFolder);
  const [folder, app, desktop] = await Promise.all([
    inspectFolder(dataFolder, platform),
    inspectApp(dataFolder, run, fetch, clock),
    deps.desktop(),
  ]);
  const node = { version: deps.nodeVersion, required: manifest.engines.node };
  const found = machineFindings({
    node,
    folder,
    settings: settingsInspection,
    // Ledger and archive are inspected further down.
    files: fileProblems(
      dataFolder,
      profiles.map(({ name }) => name),
      ['relay', 'service', 'lock'],
    ),
    enabled: enabled.length,
    app,
    desktop,
  });

  const settings: SettingsStore = { read: () => stored, change: refuseToWrite };
  const keyStore = createKeyStore({ ...machine, dataFolder, settings });
  const vault = profiles.some(({ name }) => keyStore.tierOf(name) === 'passphrase')
    ? await unlock(keyStore, passphrase)
    : [];
  const context: DiagnosticsContext = { machine, settings, keyStore, run, checkFeed: deps.checkFeed };
  const checks = of(null, [...found, ...vault]);
  const secrets = [passphrase, deps.runKey, run?.socket?.secret, run?.sandbox?.key];
  for (const [index, profile] of profiles.entries()) {
    const { inspection, key } = await inspectProfile(profile, index === 0 ? deps.runKey : null, context);
    secrets.push(key);
    const stores = inspectStores(join(dataFolder, 'profiles', profile.name), clock.now(), {
      since: profile.watchedSince === undefined ? null : Date.parse(profile.watchedSince),
      history: () => readNotificationHistory(dataFolder, profile.name),
    });
    const runs = run !== null && profile.enabled;
    const disk = inspectDisk(join(dataFolder, 'profiles', profile.name), runs);
    const listening = runs ? await relayAddress(dataFolder, profile.name) : null;
    const relay = await inspectRelay(profile, settings, runs, listening);
    checks.push(...of(profile.name, [...profileFindings(inspection), ...storesFindings({ ...stores, disk, relay })]));
  }
  return diagnose(
    checks,
    secrets.filter((secret) => secret !== null && secret !== undefined),
  );
}

/** Where the relay of the running app listens; null: nowhere, or the app does not answer. */
const relayAddress = (dataFolder: string, profile: string): Promise<RelayView['listening']> =>
  connectToApp(dataFolder, profile)
    .call('relay.read', {})
    .then(
      ({ listening }) => listening,
      () => null,
    );

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

/** The result for a service inside the app, which this process cannot ask. */
const unprobed = (run: DiagnosticsContext['run']): ProfileInspection['service'] =>
  run === null ? 'needs_app' : 'closed';

async function inspectProfile(
  profile: Profile,
  runKey: string | null,
  context: DiagnosticsContext,
): Promise<{ inspection: ProfileInspection; key: string | null }> {
  const { name, environment, enabled, mode, baseUrl, prices, states } = profile;
  const { run, machine, settings, checkFeed } = context;
  const { fetch, clock } = machine;
  const peer = createPeer(profile, settings, machine.listener);
  const common = {
    name,
    environment,
    enabled,
    mode,
    states,
    isWatched: run !== null && enabled,
    proxy: baseUrl === null ? null : ((await machine.findProxy?.(baseUrl)) ?? null),
    host: baseUrl === null ? null : (URL.parse(baseUrl)?.host ?? baseUrl),
  };
  const keys =
    mode === 'proxy' && profile.keys === undefined ? null : keysOf(profile, context, machine, { runKey, checkFeed });
  await keys?.load();
  const key = keys?.inUse().key ?? null;
  if (profile.feed !== undefined && baseUrl === null) {
    const feed = keys === null || key !== null ? await checkFeed(profile.feed, key) : null;
    return { inspection: { ...common, key: keys?.state() ?? null, service: unprobed(run), feed }, key };
  }
  if (baseUrl === null) {
    const inside = sandboxOf(run);
    // run.json names one embedded service: that of the simulated market.
    if (inside === null || prices !== undefined || !enabled)
      return { inspection: { ...common, key: null, service: unprobed(run) }, key: null };
    const probe = await probeService({ profile, baseUrl: inside.url, key: inside.key, peer, fetch, clock });
    return { inspection: { ...common, key: null, service: probe }, key: inside.key };
  }
  const service = await probeService({ profile, baseUrl, key, peer, fetch, clock });
  return { inspection: { ...common, key: keys?.state() ?? null, service }, key };
}
