// Main, host: one running profile: its lock, keys, embedded service, core and attached windows.
// It opens and closes while other profiles continue.

import { join } from 'node:path';
import { type Channels, channels } from '../../shared/channels/channels.ts';
import { createDispatch, type Handlers } from '../../shared/channels/ends.ts';
import type { CoreLink, LinkedCore } from '../../shared/channels/link.ts';
import type { ProfileChannels } from '../../shared/channels/profiles.ts';
import type { ShellChannels } from '../../shared/channels/shell.ts';
import { listsOfProfile } from '../../shared/domain/watchlists.ts';
import type { Cancel } from '../../shared/lib/clock.ts';
import { messageOf } from '../../shared/lib/result.ts';
import { type Message, message, plainMessage, textOf } from '../../shared/text/message.ts';
import { timestamp } from '../../shared/wire/primitives.ts';
import type { ReaderFactory } from '../core/archive/reader.ts';
import { type ServiceStart, serviceAt } from '../core/connection/service-source.ts';
import type { KeyStore } from '../core/keys/key-store.ts';
import type { ProfileKeys } from '../core/keys/profile-keys.ts';
import type { Monitor } from '../core/monitor.ts';
import type { Profile } from '../core/profiles/settings.ts';
import { createRestartingMonitor } from '../core/restarting-monitor.ts';
import { profileFolder } from './data-folder.ts';
import type { EmbeddedService, EmbeddedServices } from './embedded-service.ts';
import { followedFeed } from './feed-profile.ts';
import { type Holder, lockFolder, nameOf } from './folder-lock.ts';
import { type ClosableLogger, ofProfile } from './logger.ts';
import type { Machine } from './machine.ts';
import { createNetworkPathReader } from './network-path.ts';
import type { NotificationLog, ShellNotifier } from './notification-log.ts';
import { keysOf } from './profile-keys.ts';
import { openRelayServer } from './relay-server.ts';
import { reportOf } from './report.ts';
import type { HostSettings } from './settings-store.ts';

export interface ProfileRuntime {
  readonly profile: Profile;
  readonly core: Monitor;
  readonly linked: LinkedCore;
  /** Keys of a remote service, or of the feed's vendor; null: the profile needs none. */
  readonly keys: ProfileKeys | null;
  readonly embedded: EmbeddedService | null;
  /** Has no effect on another service than a replay inside the app. */
  pauseReplay(isPaused: boolean): Promise<void>;
  /** Pushes an event of the application to every window of this profile. */
  push(name: string, payload: unknown): void;
  /** Tells the windows that the profile has ended, so that they do not wait for it. */
  endWindows(why: 'over' | 'restarted'): void;
  /** Stops the profile without losing written data. */
  close(): Promise<void>;
}

/** Another program monitors the profile. */
export class OccupiedError extends Error {
  readonly description: Message;
  readonly holder: Holder | null;
  constructor(profile: string, holder: Holder | null) {
    const description = message('profile.in_use', { name: profile, holder: nameOf(holder) });
    super(textOf(description));
    this.description = description;
    this.holder = holder;
  }
}

/** A data folder that this program has open. */
export interface OpenDataFolder {
  readonly path: string;
  /** Name of the lock holder for other programs: "the app", "listen". */
  readonly program: string;
  readonly settings: HostSettings;
  readonly keyStore: KeyStore;
  readonly notificationLog: NotificationLog;
  readonly logger: ClosableLogger;
}

/** The dependencies that all profile runtimes of an application share. */
export interface RuntimeDeps {
  readonly machine: Machine;
  readonly folder: OpenDataFolder;
  readonly notifier: ShellNotifier;
  readonly embedded: Pick<EmbeddedServices, 'start' | 'checkFeed'>;
  readonly shellHandlers: Handlers<ShellChannels>;
  /** Absent: nothing is archived for offline reading. */
  readonly archive?: ReaderFactory;
  /** The view of a profile in tray and dock may have changed. */
  trayChanged(): void;
  /** The start of a profile's service goes on. */
  starting(profile: string, start: ServiceStart): void;
}

export interface OpenOptions {
  /** BAROGRAPH_KEY, for this profile. */
  readonly runKey: string | null;
  /** Handlers of the channels about all profiles, for a window of this profile. */
  readonly handlers: Handlers<ProfileChannels>;
  /** Prepares the keys before the core begins; an error ends the opening. */
  readonly prepare?: (keys: ProfileKeys) => Promise<void>;
}

/** The folder of a profile, and the right to monitor it. */
export interface Claim {
  readonly profile: Profile;
  readonly folder: string;
  readonly release: Cancel;
}

/** @throws OccupiedError */
export function claimProfile(profile: Profile, { path, program }: Pick<OpenDataFolder, 'path' | 'program'>): Claim {
  const folder = profileFolder(path, profile.name);
  const lock = lockFolder(folder, program);
  if (!lock.held) throw new OccupiedError(profile.name, lock.holder);
  return { profile, folder, release: lock.release };
}

/**
 * Does not wait for the embedded service, which says itself how far its start is.
 * @throws the error of the ledger or `prepare`, after releasing everything, also the claim
 */
export async function openProfileRuntime(
  claim: Claim,
  deps: RuntimeDeps,
  { runKey, handlers, prepare }: OpenOptions,
): Promise<ProfileRuntime> {
  const { profile, folder, release } = claim;
  let embedded: EmbeddedService | null = null;
  let core: Monitor | null = null;
  try {
    const keys = keysOf(profile, deps.folder, deps.machine, { runKey, checkFeed: deps.embedded.checkFeed });
    if (keys !== null) {
      await prepare?.(keys);
      await loadKeys(keys, profile.name, deps);
    }
    if (profile.baseUrl === null) embedded = startEmbedded(claim, keys, deps);
    core = beginningWhenSeen(makeCore({ profile, folder, keys, embedded }, deps), embedded);
    await core.start();
    noteWatched(profile, deps);
    return withLinks({ profile, core, keys, embedded, release }, handlers, deps);
  } catch (error) {
    await core?.stop().catch(() => undefined);
    await embedded?.close();
    release();
    throw error;
  }
}

/** Starts the embedded service, and passes it the vendor's key, also when that changes later. */
function startEmbedded(
  { profile, folder }: Claim,
  keys: ProfileKeys | null,
  { embedded, trayChanged, starting, folder: { logger, settings } }: RuntimeDeps,
): EmbeddedService {
  const lists = listsOfProfile(settings.read().watchlists, profile.name);
  const service = embedded.start({
    db: join(folder, 'service.sqlite'),
    prices: profile.prices ?? null,
    feed: profile.feed === undefined ? null : followedFeed(profile.name, profile.feed, lists),
    feedKey: keys?.inUse().key ?? null,
    scenario: profile.scenario ?? null,
    say: (line) => logger.warn({}, line),
  });
  keys?.onChange(() => service.setFeedKey(keys.inUse().key));
  service.onChange(() => {
    starting(profile.name, service.status());
    trayChanged();
  });
  return service;
}

/** A replay begins when the first window, or printer of events, is attached. */
function beginningWhenSeen(core: Monitor, embedded: EmbeddedService | null): Monitor {
  const { attach } = core;
  let isSeen = false;
  return Object.assign(core, {
    attach(link: CoreLink): Cancel {
      if (!isSeen) {
        isSeen = true;
        embedded?.pause(false);
        void core.readClock();
      }
      return attach(link);
    },
  });
}

/** Notes in the settings that the profile has a ledger now, unless the file has a problem. */
function noteWatched({ name, watchedSince }: Profile, { folder: { settings, logger }, machine }: RuntimeDeps): void {
  if (watchedSince !== undefined || settings.problem() !== null) return;
  if (!settings.read().profiles.some((profile) => profile.name === name && profile.watchedSince === undefined)) return;
  const now = timestamp(machine.clock.now());
  try {
    settings.change((all) => ({
      ...all,
      profiles: all.profiles.map((one) =>
        one.name === name ? { ...one, watchedSince: one.watchedSince ?? now } : one,
      ),
    }));
  } catch (error) {
    ofProfile(logger, name).warn({}, `The settings could not be changed: ${messageOf(error)}`);
  }
}

interface CoreDeps {
  readonly profile: Profile;
  readonly folder: string;
  readonly keys: ProfileKeys | null;
  readonly embedded: EmbeddedService | null;
}

function makeCore({ profile, folder: profileFolder, keys, embedded }: CoreDeps, deps: RuntimeDeps): Monitor {
  const { machine, folder } = deps;
  const { clock, random, fetch, listener, startPicture } = machine;
  return createRestartingMonitor({
    ports: {
      clock,
      random,
      fetch,
      vault: folder.keyStore.vaultOf(profile.name),
      notifier: folder.notificationLog.notifierOf(profile.name, deps.notifier),
      logger: ofProfile(folder.logger, profile.name),
      settings: folder.settings,
      host: {
        relay: openRelayServer(clock),
        ...(listener === undefined ? {} : { listener }),
        ...(deps.archive === undefined ? {} : { archive: deps.archive }),
        ...(startPicture === undefined ? {} : { startPicture }),
        networkPath: createNetworkPathReader(profile.baseUrl ?? 'http://127.0.0.1', machine.findProxy, clock),
        report: () => reportOf(folder.path, folder.settings, clock.now()),
      },
    },
    folder: profileFolder,
    profile,
    ...sourceOf(profile, embedded),
    ...(keys === null ? {} : { keys }),
  });
}

/** The profile's service, and its label for the user. */
function sourceOf({ name, baseUrl, prices, feed, scenario }: Profile, source: EmbeddedService | null) {
  if (baseUrl !== null)
    return { source: serviceAt({ baseUrl, key: null }), label: plainMessage(new URL(baseUrl).host) };
  if (source === null) throw new Error(`${name}: the service inside the app is not running`);
  // The name distinguishes several profiles of one folder.
  if (prices !== undefined) return { source, label: message('source.own_prices', { name }) };
  if (feed !== undefined) return { source, label: message('source.feed', { feed: feed.name }) };
  if (scenario !== undefined) return { source, label: message('source.scenario', { scenario }) };
  return { source, label: message('source.market', { seed: source.seed }) };
}

interface RunningCore extends Pick<ProfileRuntime, 'profile' | 'core' | 'keys' | 'embedded'> {
  readonly release: () => void;
}

/** Connects a running core to windows and application. */
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
    async pauseReplay(isPaused) {
      embedded?.pause(isPaused);
      await core.readClock();
    },
    push(name, payload) {
      for (const link of links) link.push(name, payload);
    },
    endWindows(why) {
      for (const link of [...links]) link.end?.(why);
    },
    async close() {
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

/**
 * Longest wait for the keys, ms. A working keychain answers at once; with one that hangs, the profile says so
 * and begins later.
 */
const KEYS_QUICK = 1_500;

function loadKeys(
  keys: ProfileKeys,
  name: string,
  { machine: { clock }, folder: { logger } }: RuntimeDeps,
): Promise<void> {
  const loaded = keys.load().then(() => {
    const { status, message, rotation_due } = keys.state();
    if (rotation_due || status === 'failed' || status === 'locked') ofProfile(logger, name).warn({}, textOf(message));
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
