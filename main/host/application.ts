// Main, host: composes everything behind the windows of one data folder into an application.
import type { Service } from '../../client/address.ts';
import manifest from '../../package.json' with { type: 'json' };
import type { LinkedCore } from '../../shared/channels/link.ts';
import type { WindowRoute } from '../../shared/domain/window-routes.ts';
import type { Cancel } from '../../shared/lib/clock.ts';
import { err, messageOf, ok, type Result } from '../../shared/lib/result.ts';
import type { Message } from '../../shared/text/message.ts';
import { startReaderThread } from '../core/archive/reader-thread.ts';
import type { ServiceStart } from '../core/connection/service-source.ts';
import { createKeyStore, type KeyStore } from '../core/keys/key-store.ts';
import type { Monitor } from '../core/monitor.ts';
import type { NotificationAnswer } from '../core/notifications/answers.ts';
import type { ChannelPress } from '../core/notifications/channel-press.ts';
import { receivePhoneAnswers } from '../core/notifications/phone-answers.ts';
import type { Logger, SettingsStore } from '../core/ports.ts';
import type { Profile } from '../core/profiles/settings.ts';
import type { TrayView } from '../core/views/tray-view.ts';
import { openDataFolder } from './data-folder.ts';
import type { EmbeddedServices } from './embedded-service.ts';
import { claimDataFolder, type Occupancy, type StartRequest } from './folder-claim.ts';
import { createLogger } from './logger.ts';
import type { Machine } from './machine.ts';
import { watchNetwork } from './network-watch.ts';
import {
  type DesktopHandle,
  type NotificationName,
  openNotificationLog,
  type ShellNotifier,
} from './notification-log.ts';
import { createProblemAlarm } from './problem-alarm.ts';
import { failureMessages, problemsOf } from './profile-list.ts';
import type { Claim, OpenDataFolder, ProfileRuntime } from './profile-runtime.ts';
import { createProfileRuntimes, type ProfileRuntimes } from './profile-runtimes.ts';
import { createProfileService, type ProfileService } from './profile-service.ts';
import { logRejections } from './rejections.ts';
import { takeKeyFromEnvironment, takePassphraseFromEnvironment } from './secrets.ts';
import { createSettingsStore, type SettingsWriter } from './settings-store.ts';
import { createBareShell, createShellHandlers, type ElectronDownload, type ShellPort } from './shell-port.ts';
import { watchForSleep } from './sleep-watch.ts';

/** Dependencies that a shell passes in. */
export interface ApplicationDeps {
  readonly request: StartRequest;
  readonly machine: Machine;
  readonly embedded: EmbeddedServices;
  readonly notifier: ShellNotifier;
  /**
   * Opens a window on a profile.
   * @returns its one-time address where the shell opens none itself
   */
  readonly openWindow: (profile: string) => Promise<string | null>;
  /** The features of the program around the windows; absent: no desktop features. */
  readonly openShell?: (settings: SettingsStore) => ShellPort;
  /** Shown where there are none: the application that would have them. */
  readonly electron?: ElectronDownload | null;
  /** How this shell writes the settings file; absent: the host writes it. */
  readonly writeSettings?: SettingsWriter | undefined;
  /** Prints one line for the user. */
  readonly say: (line: string) => void;
  /** Receives each change in the start of a profile's service. */
  readonly onStarting?: (profile: string, start: ServiceStart) => void;
}

export interface Application {
  readonly dataFolder: string;
  /** The profile that the first window shows; after its end, a running one. */
  readonly shown: string;
  readonly logger: Logger;
  /** The simulated market inside the app, where one is ready. */
  readonly sandbox: Service | null;
  /** Resolves when the service of every profile is ready, or cannot start now. */
  settled(): Promise<unknown>;
  /** The core of a profile that runs here. */
  core(profile: string): LinkedCore | null;
  /** The monitor of a profile, for a program without windows. */
  monitor(profile: string): Monitor | null;
  wake: Monitor['wake'];
  /** A view of every profile that runs here, for tray and dock. */
  trayViews(): TrayView[];
  /** Why profiles that should run here do not. */
  failures(): Message[];
  /** Whether a production profile is on, also where it cannot be opened at the moment. */
  hasProduction(): boolean;
  /** Calls the listener when a view, or a failure, may have changed. */
  onTrayChanged(listener: () => void): Cancel;
  /** Acknowledges every pending alert of these profiles. */
  acknowledgeAll(profiles: readonly TrayView[]): void;
  /**
   * The user answered a notification: the core that sent it carries out the action.
   * @param ref null: which one cannot be known
   * @returns the route to show: the list of alerts where the notification is not known; null: none
   */
  answered(
    ref: NotificationRef | null,
    answer: NotificationAnswer,
  ): { readonly profile: string; readonly route: WindowRoute } | null;
  /** Stops everything without losing written data. */
  close(): Promise<void>;
}

/** A notification by profile and id, or by the desktop's own handle. */
export type NotificationRef = NotificationName | DesktopHandle;

const ALERTS: WindowRoute = { page: 'alerts', item: null };

/** @throws UsageError where folder or profile cannot be opened */
export async function openApplication(
  deps: ApplicationDeps,
): Promise<{ readonly application: Application } | { readonly occupied: Occupancy }> {
  const { request, machine } = deps;
  const path = openDataFolder(request.dataFolder);
  const key = takeKeyFromEnvironment(machine.environment);
  const passphrase = takePassphraseFromEnvironment(machine.environment);
  const logger = createLogger(path, deps.say, machine.environment.BAROGRAPH_LOG === 'debug' ? 'debug' : 'info');
  const stopLogging = logRejections(logger);
  const settings = createSettingsStore(path, (line) => logger.warn({}, line), deps.writeSettings);
  const claimed = claimDataFolder(request, path, settings);
  if ('occupied' in claimed) {
    stopLogging();
    logger.close();
    return claimed;
  }
  const { alone } = request;
  const { program, shown, claims, refused, release } = claimed;

  const keyStore = createKeyStore({ ...machine, dataFolder: path, settings });
  if (key !== null && shown.baseUrl === null)
    logger.warn({}, `BAROGRAPH_KEY is not used: the service inside the app has a key of its own.`);
  await openVault(keyStore, claims, passphrase, logger);
  const notificationLog = openNotificationLog(path, machine.clock);
  const folder: OpenDataFolder = { path, program, settings, keyStore, notificationLog, logger };
  const shell = deps.openShell?.(settings) ?? createBareShell(manifest.version, deps.electron ?? null);
  const runtimes = createProfileRuntimes(
    {
      machine,
      folder,
      notifier: deps.notifier,
      embedded: deps.embedded,
      shellHandlers: createShellHandlers(shell),
      // `listen` in a terminal has no reader: it fetches no texts.
      ...(alone === undefined ? { archive: startReaderThread } : {}),
    },
    refused,
    deps.onStarting,
  );
  // BAROGRAPH_KEY is for the service at that address, and for no other.
  const runKeyOf = ({ name, baseUrl }: Profile): string | null =>
    name === shown.name && baseUrl === shown.baseUrl ? key : null;
  const profileService = createProfileService({
    machine,
    folder,
    runtimes,
    embedded: deps.embedded,
    run: { followsSettings: alone === undefined, keyOf: runKeyOf },
    openWindow: deps.openWindow,
    notifier: deps.notifier,
    problemAlarm: createProblemAlarm(
      'barograph:files',
      () => problemsOf(folder, runtimes),
      notificationLog.notifierOf(shown.name, deps.notifier),
    ),
  });
  const stopAnswers =
    alone === undefined
      ? receivePhoneAnswers(
          { ...machine, settings, keyStore, logger, onPress: (press) => pressed(runtimes, press) },
          shown.name,
        )
      : () => undefined;
  const application = createApplication({
    shown,
    folder,
    runtimes,
    profileService,
    watches: [...watchesOf(machine, shell, runtimes), stopAnswers, stopLogging],
    release,
  });
  try {
    await runtimes.openAll(claims, (profile) => ({
      runKey: runKeyOf(profile),
      handlers: profileService.handlersOf(profile.name),
    }));
    // The app goes on without a profile and tries again; a program that was asked for one alone does not.
    if (alone !== undefined) {
      if (runtimes.failures.has(shown.name)) throw runtimes.failures.get(shown.name);
      await runtimes.ready(shown.name);
    }
  } catch (error) {
    await application.close();
    throw error;
  }
  profileService.start();
  return { application };
}

/** The core that sent the message carries out what was pressed under it. */
function pressed({ running }: ProfileRuntimes, press: ChannelPress): string | null {
  for (const { core } of running.values()) {
    const said = core.channelAnswers.answer(press);
    if (said !== null) return said;
  }
  return null;
}

const wakeAll = (runtimes: ProfileRuntimes, reason: Parameters<Monitor['wake']>[0]): void => {
  for (const { core } of runtimes.running.values()) core.wake(reason);
};

/**
 * Forwards events of machine and shell to all profiles.
 * @returns a function that ends it
 */
function watchesOf({ clock, interfaces }: Machine, shell: ShellPort, runtimes: ProfileRuntimes): Cancel[] {
  return [
    watchForSleep(clock, (reason) => wakeAll(runtimes, reason)),
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
  /** Releases the data folder for another app. */
  readonly release: Cancel;
}

function createApplication(parts: ApplicationParts): Application {
  const { shown, folder, runtimes, profileService, watches, release } = parts;
  const { logger, notificationLog } = folder;
  const { running } = runtimes;
  const shownNow = (): string => (running.has(shown.name) ? shown.name : (running.keys().next().value ?? shown.name));
  /** Carries out an action of the user from outside a window. */
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
    get shown() {
      return shownNow();
    },
    logger,
    get sandbox() {
      const simulated = ({ profile, embedded }: ProfileRuntime): boolean =>
        embedded !== null && profile.prices === undefined && profile.feed === undefined;
      const start = [...running.values()].find(simulated)?.embedded?.status();
      return start?.kind === 'ready' ? start.service : null;
    },
    settled: () => Promise.allSettled([...running.keys()].map(runtimes.ready)),
    core: (profile) => running.get(profile)?.linked ?? null,
    monitor: (profile) => running.get(profile)?.core ?? null,
    wake: (reason) => wakeAll(runtimes, reason),
    trayViews: runtimes.trayViews,
    failures: () => failureMessages(runtimes.failures),
    hasProduction: () =>
      [...folder.settings.read().profiles.filter(({ enabled }) => enabled), ...runtimes.trayViews()].some(
        ({ environment }) => environment === 'production',
      ),
    onTrayChanged: runtimes.watch,
    acknowledgeAll(views) {
      for (const { profile, needsAttention } of views)
        if (needsAttention.length > 0) attempt(profile, ({ actions }) => actions.acknowledge(needsAttention, true));
    },
    answered(ref, answer) {
      const name = ref === null || 'id' in ref ? ref : notificationLog.find(ref);
      // Of another program: a bus reports the answers to all notifications.
      if (name === null && ref !== null) return null;
      if (name === null || !running.has(name.profile)) return { profile: shownNow(), route: ALERTS };
      const answered = attempt(name.profile, ({ actions }) => actions.answer(name.id, answer));
      const route = answered.ok ? answered.value : ALERTS;
      return route === null ? null : { profile: name.profile, route: route ?? ALERTS };
    },
    async close() {
      for (const stop of watches) stop();
      await profileService.close();
      await runtimes.close();
      await notificationLog.close();
      logger.close();
      release();
    },
  };
}

/**
 * Opens the passphrase vault where a profile keeps its key in it. Prints a wrong passphrase; the window can
 * still open the vault.
 */
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
