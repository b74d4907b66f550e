// Main, host: the application: everything behind the windows of one data folder, put together for a shell.
import { join } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import type { LinkedCore } from '../../shared/channels/link.ts';
import type { WindowRoute } from '../../shared/domain/window-routes.ts';
import type { Cancel } from '../../shared/lib/clock.ts';
import { err, messageOf, ok, type Result } from '../../shared/lib/result.ts';
import { startReaderThread } from '../core/archive/reader-thread.ts';
import { createKeyStore, type KeyStore } from '../core/keys/key-store.ts';
import type { Monitor } from '../core/monitor.ts';
import type { NotificationAnswer } from '../core/notifications/answers.ts';
import type { Logger, SettingsStore } from '../core/ports.ts';
import type { Profile } from '../core/profiles/settings.ts';
import type { TrayView } from '../core/views/tray-view.ts';
import { UsageError } from './command-line.ts';
import { openDataFolder } from './data-folder.ts';
import type { EmbeddedService, EmbeddedServices } from './embedded-service.ts';
import { createLogger } from './logger.ts';
import type { Machine } from './machine.ts';
import { watchNetwork } from './network-watch.ts';
import { type DesktopHandle, openNotificationLog, type ShellNotifier } from './notification-log.ts';
import type { Holder } from './profile-lock.ts';
import type { Claim, OpenDataFolder, ProfileRuntime } from './profile-runtime.ts';
import { claimAll, createProfileRuntimes, type ProfileRuntimes } from './profile-runtimes.ts';
import { createProfileService, type ProfileService } from './profile-service.ts';
import { takeKeyFromEnvironment, takePassphraseFromEnvironment } from './secrets.ts';
import { createSettingsStore, type JsonStore, SETTINGS_NAME } from './settings-store.ts';
import { createBareShell, createShellHandlers, type ShellPort } from './shell-port.ts';
import { watchForSleep } from './sleep-watch.ts';

/** What the command line asks for. */
export interface StartRequest {
  readonly dataFolder: string;
  /** null: the first enabled one. */
  readonly profile: string | null;
  /** Only the profile that is asked for runs, or this one, which need not be in the settings; what the program is called when another asks. */
  readonly alone?: { readonly program: string; readonly profile: Profile | null };
}

/** What a shell passes in. */
export interface ApplicationDeps {
  readonly request: StartRequest;
  readonly machine: Machine;
  readonly embedded: EmbeddedServices;
  readonly notifier: ShellNotifier;
  /** Opens a window on a profile. @returns the address that does it, once, where the shell opens none itself */
  readonly openWindow: (profile: string) => Promise<string | null>;
  /** What the program around the windows can do, and does; absent: it has no desktop around it. */
  readonly openShell?: (settings: SettingsStore) => ShellPort;
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
  ): { readonly profile: string; readonly route: WindowRoute } | null;
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
  const { request, machine } = deps;
  const path = openDataFolder(request.dataFolder);
  const key = takeKeyFromEnvironment(machine.environment);
  const passphrase = takePassphraseFromEnvironment(machine.environment);
  const logger = createLogger(path, deps.say);
  const settings = createSettingsStore(
    join(path, `${SETTINGS_NAME}.json`),
    () => deps.openStore(path),
    (line) => logger.warn({}, line),
  );
  const { alone } = request;
  const program = alone?.program ?? 'the app';
  const enabled = settings.read().profiles.filter((profile) => profile.enabled);
  const shown = alone?.profile ?? choose(enabled, request.profile);
  const others = alone === undefined ? enabled.filter((other) => other !== shown) : [];
  const { claims, refused } = claimAll([shown, ...others], { path, program });
  const occupied = refused.get(shown.name);
  if (occupied !== undefined) {
    logger.close();
    return { occupied: { dataFolder: path, shown: shown.name, holder: occupied.holder } };
  }
  for (const { message } of refused.values()) logger.warn({}, message);

  const keyStore = createKeyStore({ ...machine, dataFolder: path, settings });
  if (key !== null && shown.baseUrl === null)
    logger.warn({}, `BAROGRAPH_KEY is not used: the service inside the app has a key of its own.`);
  await openVault(keyStore, claims, passphrase, logger);
  const notificationLog = openNotificationLog(path, machine.clock);
  const folder: OpenDataFolder = { path, program, settings, keyStore, notificationLog, logger };
  const shell = deps.openShell?.(settings) ?? createBareShell(manifest.version);
  const runtimes = createProfileRuntimes(
    {
      machine,
      folder,
      notifier: deps.notifier,
      startEmbedded: deps.embedded.start,
      shellHandlers: createShellHandlers(shell),
      // A program that listens in a terminal has no reader: it asks the service for no texts.
      ...(alone === undefined ? { archive: startReaderThread } : {}),
    },
    refused,
  );
  const profileService = createProfileService({
    machine,
    folder,
    runtimes,
    checkPrices: deps.embedded.checkPrices,
    openWindow: deps.openWindow,
  });
  const application = createApplication({
    shown,
    folder,
    runtimes,
    profileService,
    watches: watchesOf(machine, shell, runtimes),
  });
  try {
    await runtimes.openAll(claims, (profile) => ({
      runKey: profile === shown ? key : null,
      handlers: profileService.handlersOf(profile.name),
    }));
  } catch (error) {
    await application.close();
    throw error;
  }
  profileService.start();
  return { application };
}

const wakeAll = (runtimes: ProfileRuntimes, reason: Parameters<Monitor['wake']>[0]): void => {
  for (const { core } of runtimes.running.values()) core.wake(reason);
};

/** What of the machine and the shell all profiles are told. @returns what ends it */
function watchesOf({ clock, interfaces }: Machine, shell: ShellPort, runtimes: ProfileRuntimes): Cancel[] {
  return [
    watchForSleep(clock, () => wakeAll(runtimes, 'clock')),
    ...(interfaces === undefined ? [] : [watchNetwork(clock, interfaces, () => wakeAll(runtimes, 'network'))]),
    shell.onChange(() => {
      for (const runtime of runtimes.running.values()) runtime.push('shell.changed', shell.read());
    }),
  ];
}

interface ApplicationParts {
  readonly shown: Profile;
  readonly folder: OpenDataFolder;
  readonly runtimes: ProfileRuntimes;
  readonly profileService: ProfileService;
  readonly watches: readonly Cancel[];
}

function createApplication({ shown, folder, runtimes, profileService, watches }: ApplicationParts): Application {
  const { logger, notificationLog } = folder;
  const { running } = runtimes;
  /** Carries out an action of the user that comes from outside a window. */
  const attempt = <Value>(profile: string, act: (core: Monitor) => Value): Result<Value | undefined, string> => {
    const core = running.get(profile)?.core;
    try {
      return ok(core === undefined ? undefined : act(core));
    } catch (error) {
      logger.error({ profile }, `An action of the user could not be carried out: ${messageOf(error)}`);
      return err(messageOf(error));
    }
  };
  return {
    dataFolder: folder.path,
    shown: shown.name,
    logger,
    get embedded() {
      const simulated = ({ profile, embedded }: ProfileRuntime): boolean =>
        embedded !== null && profile.prices === undefined;
      return [...running.values()].find(simulated)?.embedded ?? null;
    },
    core: (profile) => running.get(profile)?.linked ?? null,
    monitor: (profile) => running.get(profile)?.core ?? null,
    wake: (reason) => wakeAll(runtimes, reason),
    trayViews: runtimes.trayViews,
    onTrayChanged: runtimes.watch,
    acknowledgeAll(views) {
      for (const { profile, needsAttention } of views)
        if (needsAttention.length > 0) attempt(profile, ({ actions }) => actions.acknowledge(needsAttention, true));
    },
    answered(ref, answer) {
      const about = 'id' in ref ? ref : notificationLog.find(ref);
      if (about === null) return null;
      const answered = attempt(about.profile, ({ actions }) => actions.answer(about.id, answer));
      const route = answered.ok ? answered.value : ({ page: 'alerts', item: null } as const);
      return route === null || route === undefined ? null : { profile: about.profile, route };
    },
    async close() {
      for (const stop of watches) stop();
      await profileService.close();
      await runtimes.close();
      await notificationLog.close();
      logger.close();
    },
  };
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
