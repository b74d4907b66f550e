// Main, host: everything that runs behind the windows of one data folder, put together: a profile runtime per enabled profile, settings, log,
// notifications. A shell opens an application and hangs its windows on it.
import { join } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import type { LinkedCore } from '../../shared/channels/link.ts';
import type { WindowRoute } from '../../shared/domain/window-routes.ts';
import type { Cancel, Clock } from '../../shared/lib/clock.ts';
import { messageOf } from '../../shared/lib/result.ts';
import { createAnswerHandler, type NotificationAnswer } from '../core/alerts/notification-answers.ts';
import { startReaderThread } from '../core/archive/reader-thread.ts';
import { createKeyStore, type KeyStore } from '../core/keys/key-store.ts';
import type { KeychainStarter } from '../core/keys/keychain.ts';
import type { Monitor } from '../core/monitor.ts';
import type { FetchLike, Logger, SettingsStore } from '../core/ports.ts';
import type { Profile } from '../core/profiles/settings.ts';
import type { TrayView } from '../core/views/tray-view.ts';
import { UsageError } from './command-line.ts';
import { openDataFolder } from './data-folder.ts';
import type { EmbeddedService, EmbeddedServiceStarter, PriceChecker } from './embedded-service.ts';
import { createLogger } from './logger.ts';
import type { ProxyResolver } from './network-path.ts';
import { type Interfaces, watchNetwork } from './network-watch.ts';
import { type DesktopHandle, openNotificationLog, type ShellNotifier } from './notification-log.ts';
import type { Holder } from './profile-lock.ts';
import {
  type Claim,
  claimProfile,
  OccupiedError,
  openProfileRuntime,
  type ProfileRuntime,
  type RuntimeDeps,
} from './profile-runtime.ts';
import { createProfileService } from './profile-service.ts';
import { takeKeyFromEnvironment, takePassphraseFromEnvironment } from './secrets.ts';
import { createSettingsStore, type JsonStore, SETTINGS_NAME } from './settings-store.ts';
import { createBareShell, createShellHandlers, type ShellPort } from './shell-port.ts';
import { watchForSleep } from './sleep-watch.ts';

/** What a shell brings along. */
export interface ApplicationDeps {
  readonly dataFolder: string;
  /** The profile that is asked for; null for the first enabled one. */
  readonly profile: string | null;
  /** Only the profile that is asked for runs, or this one, which need not be in the settings; what the program is called when another asks. */
  readonly alone?: { readonly program: string; readonly profile: Profile | null };
  readonly environment: NodeJS.ProcessEnv;
  readonly clock: Clock;
  readonly random: () => number;
  readonly fetch: FetchLike;
  /** Which way `fetch` takes to an address, as text; absent: straight. */
  readonly findProxy?: ProxyResolver;
  readonly notifier: ShellNotifier;
  readonly startEmbedded: EmbeddedServiceStarter;
  readonly checkPrices: PriceChecker;
  /** Opens a window on a profile. @returns the address that does it, once, where the shell opens none itself */
  readonly openWindow: (profile: string) => Promise<string | null>;
  /** What the program around the windows can do, and does; absent: it has no desktop around it. */
  readonly openShell?: (settings: SettingsStore) => ShellPort;
  /** The computer's network interfaces; absent: nobody watches them. */
  readonly interfaces?: () => Interfaces;
  /** Starts the process that asks the system's keychain. */
  readonly startKeychain: KeychainStarter;
  readonly platform: NodeJS.Platform;
  /** Opens the settings file `SETTINGS_NAME`.json of the folder. */
  readonly openStore: (dataFolder: string) => JsonStore;
  /** Prints one line for the user. */
  readonly say: (line: string) => void;
}

export interface Application {
  readonly dataFolder: string;
  /** The profile that the first window shows. */
  readonly shown: string;
  readonly logger: Logger;
  /** The simulated market inside the app, where one runs. */
  readonly embedded: EmbeddedService | null;
  /** The core of a profile that runs here. */
  core(profile: string): LinkedCore | null;
  /** The same, whole, for a program without windows. */
  monitor(profile: string): Monitor | null;
  wake: Monitor['wake'];
  /** Every profile that runs here, as tray and dock show it. */
  trayViews(): TrayView[];
  /** Told that one of them may have changed. */
  onTrayChanged(listener: () => void): Cancel;
  /** Acknowledges what is not acknowledged in these profiles. */
  acknowledgeAll(profiles: readonly TrayView[]): void;
  /** The user answered a notification: the core that sent it does what is asked. @returns where to look then; null: nowhere */
  answered(
    ref: NotificationRef,
    answer: NotificationAnswer,
  ): Promise<{ readonly profile: string; readonly route: WindowRoute } | null>;
  /** Stops everything; nothing that was written is lost. */
  close(): Promise<void>;
}

/** A notification by its profile and id, or as the desktop knows it. */
export type NotificationRef = { readonly profile: string; readonly id: string } | DesktopHandle;

/** Another program has the profile that is asked for. */
export interface Occupancy {
  readonly dataFolder: string;
  readonly shown: string;
  readonly holder: Holder | null;
}

/** @throws UsageError where folder or profile cannot be had */
export async function openApplication(
  deps: ApplicationDeps,
): Promise<{ readonly application: Application } | { readonly occupied: Occupancy }> {
  const dataFolder = openDataFolder(deps.dataFolder);
  const key = takeKeyFromEnvironment(deps.environment);
  const passphrase = takePassphraseFromEnvironment(deps.environment);
  const logger = createLogger(dataFolder, deps.say);
  const settings = createSettingsStore(
    join(dataFolder, `${SETTINGS_NAME}.json`),
    () => deps.openStore(dataFolder),
    (line) => logger.warn({}, line),
  );
  const { alone } = deps;
  const enabled = settings.read().profiles.filter((profile) => profile.enabled);
  const shown = alone?.profile ?? choose(enabled, deps.profile);
  const program = alone?.program ?? 'the app';

  const requested = [shown, ...(alone === undefined ? enabled.filter((other) => other !== shown) : [])];
  const { claims, refused } = claimAll(requested, { dataFolder, program });
  const occupied = refused.get(shown.name);
  if (occupied !== undefined) {
    logger.close();
    return { occupied: { dataFolder, shown: shown.name, holder: occupied.holder } };
  }
  for (const { message } of refused.values()) logger.warn({}, message);

  const keyStore = createKeyStore({ ...deps, dataFolder, settings });
  if (key !== null && shown.baseUrl === null)
    logger.warn({}, `BAROGRAPH_KEY is not used: the service inside the app has a key of its own.`);
  await openVault(keyStore, claims, passphrase, logger);

  const notificationLog = openNotificationLog(dataFolder, deps.clock);
  const runtimes = new Map<string, ProfileRuntime>();
  /** Why a profile that is enabled does not run here. */
  const failures = new Map<string, unknown>(refused);
  const profileService = createProfileService({
    ...deps,
    settings,
    logger,
    keyStore,
    runtimes,
    refused: failures,
    async open(profile, prepare) {
      const claim = claimProfile(profile, runtimeDeps);
      runtimes.set(
        profile.name,
        await openProfileRuntime(claim, runtimeDeps, { runKey: null, ...(prepare === undefined ? {} : { prepare }) }),
      );
      notifyListeners();
    },
    async end(name) {
      const runtime = runtimes.get(name);
      runtimes.delete(name);
      notifyListeners();
      await runtime?.close(true);
    },
    dataFolder,
  });
  const shell = deps.openShell?.(settings) ?? createBareShell(manifest.version);
  const shellHandlers = createShellHandlers(shell);
  const stopShell = shell.onChange(() => {
    for (const runtime of runtimes.values()) runtime.push('shell.changed', shell.read());
  });
  const listeners = new Set<() => void>();
  const notifyListeners = (): void => {
    for (const listener of listeners) listener();
  };
  const runtimeDeps: RuntimeDeps = {
    ...deps,
    dataFolder,
    program,
    settings,
    keyStore,
    notificationLog,
    logger,
    onTrayChanged: notifyListeners,
    handlersOf: (profile) => ({ ...profileService.handlersOf(profile), ...shellHandlers }),
    // A program that listens in a terminal has nobody to read: it asks the service for no texts.
    ...(alone === undefined ? { archive: startReaderThread } : {}),
  };
  const wake: Monitor['wake'] = (reason) => {
    for (const { core } of runtimes.values()) core.wake(reason);
  };
  const stopWatching = [
    watchForSleep(deps.clock, () => wake('clock')),
    ...(deps.interfaces === undefined ? [] : [watchNetwork(deps.clock, deps.interfaces, () => wake('network'))]),
    stopShell,
  ];
  const close = async (): Promise<void> => {
    for (const stop of stopWatching) stop();
    await profileService.close();
    await Promise.allSettled([...runtimes.values()].map((runtime) => runtime.close(false)));
    await notificationLog.close();
    logger.close();
  };

  // The one that is asked for decides whether there is an application; what another lacks does not stop the rest.
  const [first] = await Promise.allSettled(
    claims.map(async (claim) => {
      const { profile } = claim;
      try {
        runtimes.set(
          profile.name,
          await openProfileRuntime(claim, runtimeDeps, { runKey: profile === shown ? key : null }),
        );
      } catch (error) {
        if (profile === shown) throw error;
        failures.set(profile.name, error);
        logger.error({}, `The profile ${profile.name} is not watched: ${messageOf(error)}`);
      }
    }),
  );
  if (first?.status === 'rejected') {
    await close();
    throw first.reason;
  }
  profileService.start();
  return {
    application: {
      dataFolder,
      shown: shown.name,
      logger,
      get embedded() {
        return (
          [...runtimes.values()].find(({ profile, embedded }) => embedded !== null && profile.prices === undefined)
            ?.embedded ?? null
        );
      },
      core: (profile) => runtimes.get(profile)?.linked ?? null,
      monitor: (profile) => runtimes.get(profile)?.core ?? null,
      wake,
      trayViews: () => [...runtimes.values()].flatMap(({ core }) => trayViewsOf(core)),
      onTrayChanged(listener) {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
      acknowledgeAll(views) {
        for (const { profile, unacknowledged } of views)
          if (unacknowledged.length > 0)
            void runtimes
              .get(profile)
              ?.linked.dispatch('alerts.acknowledge', { ledger_ids: unacknowledged, acknowledged: true });
      },
      async answered(ref, answer) {
        const about = 'id' in ref ? ref : notificationLog.find(ref);
        const core = about === null ? undefined : runtimes.get(about.profile)?.core;
        if (about === null || core === undefined) return null;
        try {
          const route = await createAnswerHandler(core)(about.id, answer);
          return route === null || route === undefined ? null : { profile: about.profile, route };
        } catch (error) {
          logger.error({ profile: about.profile }, `The answer to a notification was not taken: ${messageOf(error)}`);
          return { profile: about.profile, route: { page: 'alerts', item: null } };
        }
      },
      close,
    },
  };
}

/** Locks the profiles for this program; `refused`: those that another program has. The first one is needed: where it is refused, none is locked. */
function claimAll(
  profiles: readonly Profile[],
  where: Pick<RuntimeDeps, 'dataFolder' | 'program'>,
): { readonly claims: readonly Claim[]; readonly refused: ReadonlyMap<string, OccupiedError> } {
  const claims: Claim[] = [];
  const refused = new Map<string, OccupiedError>();
  for (const profile of profiles) {
    try {
      claims.push(claimProfile(profile, where));
    } catch (error) {
      if (!(error instanceof OccupiedError)) throw error;
      refused.set(profile.name, error);
      if (profile === profiles[0]) break;
    }
  }
  return { claims, refused };
}

/** Nothing of a core whose ledger cannot be read at the moment: it says so itself. */
function trayViewsOf(core: Monitor): TrayView[] {
  try {
    return [core.trayView()];
  } catch {
    return [];
  }
}

function choose(enabled: readonly Profile[], requested: string | null): Profile {
  const [first] = enabled;
  if (first === undefined)
    throw new UsageError('No profile is enabled. Add one: npm run barograph -- profiles add NAME --env sandbox');
  if (requested === null) return first;
  const found = enabled.find(({ name }) => name === requested);
  if (found !== undefined) return found;
  throw new UsageError(
    `--profile ${requested}: there is no such profile. Profiles: ${enabled.map(({ name }) => name).join(', ')}.`,
  );
}

/** Opens the passphrase vault where a profile keeps its key in it. A wrong passphrase is said; the window can still open it. */
async function openVault(
  keyStore: KeyStore,
  claims: readonly Claim[],
  passphrase: string | null,
  logger: Logger,
): Promise<void> {
  if (passphrase === null || !claims.some(({ profile }) => keyStore.tierOf(profile.name) === 'passphrase')) return;
  try {
    await keyStore.passphrase.unlock(passphrase);
  } catch (error) {
    logger.warn({}, `BAROGRAPH_PASSPHRASE: ${messageOf(error)}`);
  }
}
