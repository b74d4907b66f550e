// Main, Electron shell: composes windows, tray, notifications, links, system events and shutdown.
import { join } from 'node:path';
import { err, messageOf, ok } from '../../shared/lib/result.ts';
import { type Message, message, textOf } from '../../shared/text/message.ts';
import type { NotificationAnswer } from '../core/notifications/answers.ts';
import type { SettingsStore } from '../core/ports.ts';
import { type Application, type NotificationRef, openApplication } from '../host/application.ts';
import { listenControl } from '../host/control-socket.ts';
import { createDesktopNotifier } from '../host/desktop/desktop-notifier.ts';
import { hasTray, sessionBusAddress } from '../host/desktop/session-bus.ts';
import { nameOf } from '../host/folder-lock.ts';
import type { ShellNotifier } from '../host/notification-log.ts';
import { keepRunFile } from '../host/run-file.ts';
import type { StartFlags } from '../host/start-flags.ts';
import { createClosePolicy } from './close-policy.ts';
import { createDesktopShell, type DesktopShell } from './desktop-shell.ts';
import type { ExternalLinks } from './external-links.ts';
import { createIpcLink } from './ipc-link.ts';
import { createKeychainStarter } from './keychain-process.ts';
import { type LinkQueue, SecondInstanceDataSchema } from './launch.ts';
import { openLayoutFile } from './layout.ts';
import { createLoginItem } from './login-item.ts';
import { appMenu } from './menu.ts';
import { createFindProxy, createNetFetch, NET_PARTITION } from './net-fetch.ts';
import { createElectronNotifier } from './notifier.ts';
import type { ElectronModule, ElectronShellOptions } from './shell-options.ts';
import { createTray } from './tray.ts';
import { createTrayPictures } from './tray-picture.ts';
import { createUpdates, type Updates } from './updates.ts';
import { createWindows, type Windows } from './windows.ts';

export interface DesktopDeps {
  readonly electron: ElectronModule;
  readonly options: ElectronShellOptions;
  readonly flags: StartFlags;
  readonly say: (line: string) => void;
  readonly links: LinkQueue;
  readonly externalLinks: ExternalLinks;
}

/** Time limit of the shutdown, ms. */
const STOP_LIMIT = 2_500;

export async function openDesktop(deps: DesktopDeps): Promise<void> {
  const { electron, options, flags, say } = deps;
  const { platform, clock } = options.machine;
  const bus = platform === 'linux' ? sessionBusAddress(options.machine.environment) : null;
  const tray = platform === 'linux' ? await hasTray(bus) : true;
  let shell: DesktopShell | null = null;
  let settings: SettingsStore | null = null;
  let front: DesktopFrontend | null = null;
  const updates = createUpdates({
    feed: await options.updates.readFeed(),
    load: options.updates.loadUpdater,
    clock,
    isEnabled: () => shell?.settings().checkForUpdates === true,
    onInstall: () => front?.windows.end(),
    onChange: () => shell?.changed(),
  });
  const notifier = await openNotifier(deps, bus, (notification, answer) => void front?.answered(notification, answer));
  const net = electron.session.fromPartition(NET_PARTITION, { cache: false });
  const opened = await openApplication({
    request: { dataFolder: flags.dataFolder, profile: flags.profile, feed: flags.feed },
    machine: {
      ...options.machine,
      fetch: createNetFetch(net),
      findProxy: createFindProxy(net),
      startKeychain: createKeychainStarter(
        electron.utilityProcess,
        join(options.program.built, 'main', 'keychain.js'),
        options.machine.environment,
      ),
    },
    embedded: options.embedded,
    openWindow: async (profile) => {
      await front?.windows.open(profile);
      return null;
    },
    openShell: (store) => {
      settings = store;
      const login = createLoginItem({ ...options.machine, execPath: options.program.execPath, app: electron.app });
      shell = createDesktopShell({
        version: electron.app.getVersion(),
        clock,
        settings: store,
        login,
        hasTray: tray,
        platform,
        updates: () => updates,
      });
      return shell;
    },
    notifier,
    writeSettings: options.writeSettings,
    say,
  });
  if ('occupied' in opened)
    throw new Error(
      `The profile ${opened.occupied.profile} is in use by another program (${nameOf(opened.occupied.holder)}). Stop it first.`,
    );
  if (shell === null || settings === null) throw new Error('the application did not open the shell');
  front = openFrontend(deps, { application: opened.application, settings, shell, updates, tray });
  await front.show();
}

/** On Linux by D-Bus, elsewhere by Electron. */
async function openNotifier(
  { electron, options }: DesktopDeps,
  bus: string | null,
  onAnswer: (notification: NotificationRef | null, answer: NotificationAnswer) => void,
): Promise<ShellNotifier> {
  if (options.machine.platform === 'linux') return createDesktopNotifier(bus, onAnswer);
  return createElectronNotifier({
    Notification: electron.Notification,
    clock: options.machine.clock,
    platform: options.machine.platform,
    onAnswer,
  });
}

interface DesktopFrontend {
  readonly windows: Windows;
  answered(notification: NotificationRef | null, answer: NotificationAnswer): Promise<void>;
  /** Opens the first windows, unless the start is hidden. */
  show(): Promise<void>;
}

interface FrontendDeps {
  readonly application: Application;
  readonly settings: Pick<SettingsStore, 'read'>;
  readonly shell: DesktopShell;
  readonly updates: Updates;
  readonly tray: boolean;
}

function openFrontend(
  deps: DesktopDeps,
  { application, settings, shell, updates, tray }: FrontendDeps,
): DesktopFrontend {
  const { electron, options, flags, say, links, externalLinks } = deps;
  const { app } = electron;
  const { platform, clock } = options.machine;
  const reportError = (found: Message): void => {
    application.logger.warn({}, textOf(found));
    shell.reportError(found);
  };
  const link = createIpcLink(
    electron.ipcMain,
    (url) => application.logger.warn({ url }, 'A page that is not ours asked for something; it was refused.'),
    externalLinks.learn,
  );
  const closePolicy = createClosePolicy({
    context: () => ({
      platform,
      tray,
      closeToTray: shell.settings().closeToTray,
      production: [...settings.read().profiles.filter(({ enabled }) => enabled), ...application.trayViews()].some(
        ({ environment }) => environment === 'production',
      ),
    }),
    dialog: electron.dialog,
    keepInTray: () => shell.closeToTray(true),
    quit: () => app.quit(),
  });
  const windows = createWindows({
    electron,
    clock,
    link,
    profiles: { core: application.core, shown: () => application.shown, failures: application.failures },
    layout: openLayoutFile(application.dataFolder),
    program: options.program,
    mayClose: closePolicy.mayClose,
    reportError,
  });
  const stopRefreshing = application.onTrayChanged(() => void windows.refresh());
  const pictures = createTrayPictures(
    electron.nativeImage,
    join(options.program.assets, 'tray'),
    platform === 'linux' ? 24 : 16,
  );
  const sign = createTray({
    platform,
    clock,
    electron,
    pictures,
    hasTray: tray,
    application,
    open: (profile) => void (profile === null ? windows.bringUp(application.shown) : windows.open(profile)),
  });
  electron.Menu.setApplicationMenu(
    electron.Menu.buildFromTemplate(
      appMenu(platform, { newWindow: () => void windows.another(windows.front() ?? application.shown) }),
    ),
  );
  const commands = listenControl(
    {
      dataFolder: application.dataFolder,
      clock,
      acknowledge: application.acknowledge,
      openWindow(profile) {
        const name = profile ?? application.shown;
        if (application.monitor(name) === null) return err(message('profile.not_here', { name }));
        void windows.open(name);
        return ok(null);
      },
    },
    (error) => application.logger.warn({}, `Commands cannot reach the app: ${messageOf(error)}`),
  );
  const hide = keepRunFile(application, { address: null, socket: commands.address }, (error) =>
    application.logger.warn({}, `run.json is not up to date: ${messageOf(error)}`),
  );
  listen(deps, application, windows, closePolicy.goesOnWithout, reportError);
  endCleanly(app, say, () => {
    stopRefreshing();
    sign.stop();
    updates.stop();
    windows.end();
    link.close();
    hide();
    commands.close();
    return application.close();
  });
  app.on('before-quit', () => windows.end());

  return {
    windows,
    async answered(notification, answer) {
      const found = notification === null ? null : application.answered(notification, answer);
      if (found !== null) await windows.open(found.profile, found.route);
      else if (answer === 'open') await windows.bringUp(application.shown);
    },
    async show() {
      const atLogin = flags.hidden || (platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin);
      // Without a tray the user could not open it: then it is minimized.
      if (!(atLogin && tray)) await windows.restore(application.shown, atLogin);
      links.open(({ route, profile }) => void openRoute(application, windows, profile, route));
    },
  };
}

/** The front window shows a link without a profile. */
async function openRoute(
  application: Application,
  windows: Windows,
  profile: string | null,
  route: Parameters<Windows['open']>[1],
): Promise<void> {
  if (profile === null) await windows.bringUp(application.shown, route);
  else if (!(await windows.open(profile, route)))
    application.logger.warn({ profile }, `A link asks for the profile ${profile}, which does not run here.`);
}

/** Subscribes to events of the system. */
function listen(
  { electron: { app, powerMonitor }, links }: DesktopDeps,
  application: Application,
  windows: Windows,
  goesOnWithout: () => boolean,
  reportError: (found: Message) => void,
): void {
  // A second start always shows a window: it is the remedy for a lost one.
  app.on('second-instance', (_event, _argv, _folder, additionalData) => {
    const given = SecondInstanceDataSchema.safeParse(additionalData);
    const { profile, link } = given.success ? given.data : { profile: null, link: null };
    if (link !== null) links.take(link);
    void (profile !== null && application.core(profile) !== null
      ? windows.open(profile)
      : windows.bringUp(application.shown));
  });
  app.on('activate', () => void windows.bringUp(application.shown));
  app.on('window-all-closed', () => {
    if (!goesOnWithout()) app.quit();
  });
  // The graphics process, or another helper: Chromium restarts it.
  app.on('child-process-gone', (_event, { type, reason }) => {
    if (reason !== 'clean-exit' && reason !== 'killed') reportError(message('window.helper_ended', { type, reason }));
  });
  powerMonitor.on('resume', () => application.wake('resume'));
  powerMonitor.on('unlock-screen', () => application.wake('unlock'));
}

function endCleanly(app: ElectronModule['app'], say: (line: string) => void, close: () => Promise<void>): void {
  let ending = false;
  app.on('will-quit', (event) => {
    event.preventDefault();
    if (ending) return;
    ending = true;
    setTimeout(() => app.exit(0), STOP_LIMIT).unref();
    close().then(
      () => app.exit(0),
      (error) => {
        say(`Shutting down failed: ${messageOf(error)}`);
        app.exit(0);
      },
    );
  });
}
