// Main, Electron shell: composes windows, tray, notifications, links, system events and shutdown.
import { join } from 'node:path';
import type { Cancel, Clock } from '../../shared/lib/clock.ts';
import { messageOf } from '../../shared/lib/result.ts';
import { type Message, message, textOf } from '../../shared/text/message.ts';
import type { NotificationAnswer } from '../core/notifications/answers.ts';
import { announceApp } from '../host/announce-app.ts';
import { joinRunningApp } from '../host/app-client.ts';
import { type Application, type NotificationRef, openApplication } from '../host/application.ts';
import { createDesktopNotifier } from '../host/desktop/desktop-notifier.ts';
import { hasTray, sessionBusAddress } from '../host/desktop/session-bus.ts';
import type { Occupancy } from '../host/folder-claim.ts';
import { openByHand, writeLaunchPage } from '../host/launch-page.ts';
import type { ShellNotifier } from '../host/notification-log.ts';
import { reportExceptions } from '../host/rejections.ts';
import type { StartFlags } from '../host/start-flags.ts';
import { createClosePolicy } from './close-policy.ts';
import { createDesktopShell, type DesktopShell } from './desktop-shell.ts';
import type { ExternalLinks } from './external-links.ts';
import { createIpcLink } from './ipc-link.ts';
import type { LinkQueue, SecondStarts } from './launch.ts';
import { openLayoutFile } from './layout.ts';
import { createLoginItem } from './login-item.ts';
import { electronMachine } from './machine.ts';
import { appMenu } from './menu.ts';
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
  readonly secondStarts: SecondStarts;
  readonly externalLinks: ExternalLinks;
  /** What macOS reports with the event `ready`. */
  readonly launchInfo: unknown;
}

/** Time limit of the shutdown, ms. */
const STOP_LIMIT = 2_500;

/** @returns false where another program has the data folder, and shows the window */
export async function openDesktop(deps: DesktopDeps): Promise<boolean> {
  const { electron, options, flags, say } = deps;
  const { platform, clock } = options.machine;
  const bus = platform === 'linux' ? sessionBusAddress(options.machine.environment) : null;
  const tray = platform === 'linux' ? await hasTray(bus) : true;
  let shell: DesktopShell | null = null;
  let front: DesktopFrontend | null = null;
  /** Resolves with the windows open: the answer to a notification may have started the app, and waits for them. */
  const ready = Promise.withResolvers<DesktopFrontend>();
  const updates = createUpdates({
    feed: await options.updates.readFeed(),
    load: options.updates.loadUpdater,
    clock,
    isEnabled: () => shell?.settings().checkForUpdates === true,
    onInstall: () => front?.windows.end(),
    onChange: () => shell?.changed(),
  });
  const notifier = await openNotifier(deps, bus, ready.promise);
  const machine = electronMachine(electron, options);
  const opened = await openApplication({
    request: { dataFolder: flags.dataFolder, profile: flags.profile, feed: flags.feed },
    machine,
    embedded: options.embedded(machine.findProxy),
    openWindow: async (profile) => {
      await front?.windows.open(profile);
      return null;
    },
    openShell: (settings) => {
      const login = createLoginItem({ ...options.machine, execPath: options.program.execPath, app: electron.app });
      shell = createDesktopShell({
        version: electron.app.getVersion(),
        clock,
        settings,
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
  if ('occupied' in opened) {
    await joinRunning(deps, opened.occupied);
    return false;
  }
  if (shell === null) throw new Error('the application did not open the shell');
  front = openFrontend(deps, { application: opened.application, shell, updates, tray });
  await front.show();
  ready.resolve(front);
  return true;
}

/** Another program has the folder: asks it for a window where it is the app in a browser. */
async function joinRunning({ electron, options, flags, say }: DesktopDeps, occupancy: Occupancy): Promise<void> {
  const { clock, platform } = options.machine;
  if (occupancy.isApp && isAtLogin(electron, flags, platform)) return say('Barograph is running already.');
  const { pid, address } = await joinRunningApp(occupancy, clock, () =>
    say('Barograph is running already. Waiting for its window.'),
  );
  say(`Barograph is running already (process ${pid}).`);
  if (address === null) return;
  const page = writeLaunchPage(address, occupancy.dataFolder, clock);
  if (page === null || (await electron.shell.openPath(page)) !== '') throw new Error(openByHand(address));
}

/** True for a start at login, at which the user has not asked for a window. */
const isAtLogin = ({ app }: ElectronModule, { hidden }: StartFlags, platform: NodeJS.Platform): boolean =>
  hidden || (platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin);

/** Opens the notifier: D-Bus on Linux, Electron's own elsewhere. */
async function openNotifier(
  { electron, options, launchInfo }: DesktopDeps,
  bus: string | null,
  ready: Promise<DesktopFrontend>,
): Promise<ShellNotifier> {
  const onAnswer = async (notification: NotificationRef | null, answer: NotificationAnswer): Promise<void> =>
    (await ready).answered(notification, answer);
  if (options.machine.platform === 'linux') return createDesktopNotifier(bus, onAnswer);
  return createElectronNotifier({
    Notification: electron.Notification,
    clock: options.machine.clock,
    platform: options.machine.platform,
    launchInfo,
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
  readonly shell: DesktopShell;
  readonly updates: Updates;
  readonly tray: boolean;
}

function openFrontend(deps: DesktopDeps, { application, shell, updates, tray }: FrontendDeps): DesktopFrontend {
  const { electron, options, flags, say, links, secondStarts, externalLinks } = deps;
  const { app } = electron;
  const { platform, clock } = options.machine;
  const reportError = (found: Message): void => {
    application.logger.warn({}, textOf(found));
    shell.reportError(found);
  };
  const stopReporting = reportExceptions((why) => reportError(message('window.program_error', { why })));
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
      production: application.hasProduction(),
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
  const hide = announceApp(application, {
    clock,
    address: null,
    openWindow(profile) {
      void windows.open(profile);
      return null;
    },
    warn: (line) => application.logger.warn({}, line),
  });
  listen(deps, application, windows, closePolicy.goesOnWithout, reportError);
  endCleanly(app, say, () => {
    stopReporting();
    stopRefreshing();
    sign.stop();
    updates.stop();
    windows.end();
    link.close();
    hide();
    return application.close();
  });
  app.on('before-quit', () => windows.end());

  return {
    windows,
    async answered(notification, answer) {
      const found = application.answered(notification, answer);
      if (found !== null && !(await windows.open(found.profile, found.route))) await windows.bringUp(application.shown);
    },
    async show() {
      const atLogin = isAtLogin(electron, flags, platform);
      // Without a tray the user could not open a window, so it opens minimized.
      if (!(atLogin && tray)) await windows.restore(application.shown, atLogin);
      secondStarts.open(showForSecondStart(application, windows, clock));
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

/** Longest wait for a profile that a second start added to the settings, ms. */
const OPENING_LIMIT = 60_000;

/**
 * Shows a window for a second start, which is the user's remedy for a lost window. The window of a profile
 * that does not run yet follows later.
 */
function showForSecondStart(
  application: Application,
  windows: Windows,
  clock: Clock,
): (profile: string | null) => void {
  let stopWaiting: Cancel = () => undefined;
  return (profile) => {
    stopWaiting();
    if (profile !== null && application.core(profile) !== null) return void windows.open(profile);
    void windows.bringUp(application.shown);
    if (profile === null) return;
    const stopWatching = application.onTrayChanged(() => {
      if (application.core(profile) === null) return;
      stopWaiting();
      void windows.open(profile);
    });
    const cancelLimit = clock.after(OPENING_LIMIT, () => stopWaiting());
    stopWaiting = () => {
      stopWatching();
      cancelLimit();
    };
  };
}

/** Subscribes to events of the system. */
function listen(
  { electron: { app, powerMonitor } }: DesktopDeps,
  application: Application,
  windows: Windows,
  goesOnWithout: () => boolean,
  reportError: (found: Message) => void,
): void {
  app.on('activate', () => void windows.bringUp(application.shown));
  app.on('window-all-closed', () => {
    if (!goesOnWithout()) app.quit();
  });
  // Chromium restarts a helper such as the graphics process.
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
    const closed = close();
    // By now run.json is gone: a second start waits for the data folder, instead of asking this process for a
    // window.
    app.releaseSingleInstanceLock();
    closed.then(
      () => app.exit(0),
      (error) => {
        say(`Shutting down failed: ${messageOf(error)}`);
        app.exit(0);
      },
    );
  });
}
