// Main, host: one profile that is watched here, whole: its lock, its keys, the service inside the app where it needs one, its core, and the
// windows that hang on it. Opened and closed while the others go on.

import { join } from 'node:path';
import { type Channels, channels } from '../../shared/channels/channels.ts';
import { createDispatch, type Handlers } from '../../shared/channels/ends.ts';
import type { CoreLink, LinkedCore } from '../../shared/channels/link.ts';
import type { ProfileChannels } from '../../shared/channels/profiles.ts';
import type { ShellChannels } from '../../shared/channels/shell.ts';
import type { Cancel } from '../../shared/lib/clock.ts';
import { messageOf } from '../../shared/lib/result.ts';
import type { ReaderFactory } from '../core/archive/reader.ts';
import { createKeyProbe } from '../core/keys/key-probe.ts';
import type { KeyStore } from '../core/keys/key-store.ts';
import { createProfileKeys, type ProfileKeys } from '../core/keys/profile-keys.ts';
import { createMonitor, type Monitor } from '../core/monitor.ts';
import { createNotificationChannels } from '../core/notifications/channels/channels.ts';
import type { SettingsStore } from '../core/ports.ts';
import type { Profile } from '../core/profiles/settings.ts';
import { profileFolder } from './data-folder.ts';
import type { EmbeddedService, EmbeddedServiceStarter } from './embedded-service.ts';
import { type ClosableLogger, ofProfile } from './logger.ts';
import type { Machine } from './machine.ts';
import { createNetworkPathReader } from './network-path.ts';
import type { NotificationLog, ShellNotifier } from './notification-log.ts';
import { type Holder, lockProfile, nameOf } from './profile-lock.ts';
import { openRelayServer } from './relay-server.ts';
import { reportOf } from './report.ts';

export interface ProfileRuntime {
  readonly profile: Profile;
  readonly core: Monitor;
  readonly linked: LinkedCore;
  /** null where the service inside the app has a key of its own. */
  readonly keys: ProfileKeys | null;
  readonly embedded: EmbeddedService | null;
  /** Tells every window of this profile what the application tells all of them. */
  push(name: string, payload: unknown): void;
  /** Stops it; nothing that was written is lost. `forGood`: its windows are told that it is over, and do not wait for it. */
  close(forGood: boolean): Promise<void>;
}

/** Another program watches it. */
export class OccupiedError extends Error {
  readonly holder: Holder | null;
  constructor(profile: string, holder: Holder | null) {
    super(`The profile ${profile} is in use by another program (${nameOf(holder)}).`);
    this.holder = holder;
  }
}

/** A data folder that this program has open. */
export interface OpenDataFolder {
  readonly path: string;
  /** What holds the locks, for others who ask: "the app", "listen". */
  readonly program: string;
  readonly settings: SettingsStore;
  readonly keyStore: KeyStore;
  readonly notificationLog: NotificationLog;
  readonly logger: ClosableLogger;
}

/** What all profile runtimes of an application share. */
export interface RuntimeDeps {
  readonly machine: Machine;
  readonly folder: OpenDataFolder;
  readonly notifier: ShellNotifier;
  readonly startEmbedded: EmbeddedServiceStarter;
  readonly shellHandlers: Handlers<ShellChannels>;
  /** Absent: nothing is kept for reading offline. */
  readonly archive?: ReaderFactory;
  /** What tray and dock show of a profile may have changed. */
  trayChanged(): void;
}

export interface OpenOptions {
  /** BAROGRAPH_KEY, for this profile. */
  readonly runKey: string | null;
  /** What a window of this profile may ask about all profiles. */
  readonly handlers: Handlers<ProfileChannels>;
  /** Prepares its keys before its core begins; what it throws ends the opening. */
  readonly prepare?: (keys: ProfileKeys) => Promise<void>;
}

/** The folder of a profile, and the right to watch it. */
export interface Claim {
  readonly profile: Profile;
  readonly folder: string;
  readonly release: Cancel;
}

/** @throws OccupiedError */
export function claimProfile(profile: Profile, { path, program }: Pick<OpenDataFolder, 'path' | 'program'>): Claim {
  const folder = profileFolder(path, profile.name);
  const lock = lockProfile(folder, program);
  if (!lock.held) throw new OccupiedError(profile.name, lock.holder);
  return { profile, folder, release: lock.release };
}

/** @throws what the ledger, the service inside the app or `prepare` say when it cannot be had; then nothing of it is left, the claim neither */
export async function openProfileRuntime(
  claim: Claim,
  deps: RuntimeDeps,
  { runKey, handlers, prepare }: OpenOptions,
): Promise<ProfileRuntime> {
  const { profile, folder, release } = claim;
  let embedded: EmbeddedService | null = null;
  let core: Monitor | null = null;
  try {
    const keys = profile.baseUrl === null ? null : keysOf(profile, deps, runKey);
    if (keys !== null) {
      await prepare?.(keys);
      await loadKeys(keys, profile.name, deps);
    } else {
      const say = (line: string): void => deps.folder.logger.warn({}, line);
      embedded = await deps.startEmbedded({ db: join(folder, 'service.sqlite'), prices: profile.prices ?? null, say });
    }
    core = makeCore({ profile, folder, keys, embedded }, deps);
    await core.start();
    return withLinks({ profile, core, keys, embedded, release }, handlers, deps);
  } catch (error) {
    await core?.stop().catch(() => undefined);
    await embedded?.close();
    release();
    throw error;
  }
}

function keysOf(profile: Profile, deps: RuntimeDeps, runKey: string | null): ProfileKeys {
  const { keyStore, settings } = deps.folder;
  const { clock, platform, fetch } = deps.machine;
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

interface CoreDeps {
  readonly profile: Profile;
  readonly folder: string;
  readonly keys: ProfileKeys | null;
  readonly embedded: EmbeddedService | null;
}

function makeCore({ profile, folder: profileFolder, keys, embedded }: CoreDeps, deps: RuntimeDeps): Monitor {
  const { machine, folder } = deps;
  const { clock, random, fetch } = machine;
  const endpoint = serviceOf(profile, embedded);
  return createMonitor({
    ports: {
      clock,
      random,
      fetch,
      vault: folder.keyStore.vaultOf(profile.name),
      notifier: folder.notificationLog.notifierOf(profile.name, deps.notifier),
      channels: createNotificationChannels(fetch, clock),
      logger: ofProfile(folder.logger, profile.name),
      settings: folder.settings,
      folder: profileFolder,
      relay: openRelayServer(clock),
      ...(deps.archive === undefined ? {} : { archive: deps.archive }),
      networkPath: createNetworkPathReader(endpoint.service.baseUrl, machine.findProxy, clock),
      report: () => reportOf(folder.path, folder.settings, clock.now()),
    },
    profile,
    ...endpoint,
    ...(keys === null ? {} : { keys }),
  });
}

/** Where the profile listens, and the label under which people see it. */
function serviceOf({ name, baseUrl, prices }: Profile, embedded: EmbeddedService | null) {
  if (baseUrl !== null) return { service: { baseUrl, key: null }, label: new URL(baseUrl).host };
  if (embedded === null) throw new Error(`${name}: the service inside the app is not running`);
  const service = { baseUrl: embedded.url, key: embedded.key };
  if (prices !== undefined) return { service, label: `Own prices · ${lastPart(prices.folder)}` };
  return { service, label: `Simulated market · seed ${embedded.seed}` };
}

const lastPart = (path: string): string => path.split(/[\\/]/).findLast((part) => part !== '') ?? path;

interface RunningCore extends Pick<ProfileRuntime, 'profile' | 'core' | 'keys' | 'embedded'> {
  readonly release: () => void;
}

/** A running core as windows and application reach it. */
function withLinks(
  { release, ...runtime }: RunningCore,
  profileHandlers: Handlers<ProfileChannels>,
  { folder: { logger }, shellHandlers, trayChanged }: RuntimeDeps,
): ProfileRuntime {
  const { profile, core, embedded } = runtime;
  core.onTrayChanged(trayChanged);
  setImmediate(trayChanged);
  const links = new Set<CoreLink>();
  const handlers: Handlers<Channels> = { ...core.handlers, ...profileHandlers, ...shellHandlers };
  return {
    ...runtime,
    linked: {
      dispatch: createDispatch(channels, handlers, (name, error) =>
        ofProfile(logger, profile.name).error({ name }, `${name} failed: ${messageOf(error)}`),
      ),
      attach(link) {
        links.add(link);
        const detach = core.attach(link);
        return () => {
          links.delete(link);
          detach();
        };
      },
    },
    push(name, payload) {
      for (const link of links) link.push(name, payload);
    },
    async close(forGood) {
      if (forGood) for (const link of [...links]) link.end?.();
      try {
        await core.stop();
      } catch (error) {
        logger.error({}, `The core of ${profile.name} did not stop: ${messageOf(error)}`);
      }
      await embedded?.close();
      release();
      trayChanged();
    },
  };
}

/** A keychain that works answers in a blink. The app does not wait for one that does not: its profile says so and begins later. */
const KEYS_QUICK = 1_500;

function loadKeys(
  keys: ProfileKeys,
  name: string,
  { machine: { clock }, folder: { logger } }: RuntimeDeps,
): Promise<void> {
  const loaded = keys.load().then(() => {
    const { status, message, rotation_due } = keys.state();
    if (rotation_due || status === 'failed' || status === 'locked') ofProfile(logger, name).warn({}, message);
  });
  return new Promise((resolve) => {
    const cancel = clock.after(KEYS_QUICK, resolve);
    const settle = (): void => {
      cancel();
      resolve();
    };
    loaded.then(settle, settle);
  });
}
