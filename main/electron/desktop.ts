// Main, Electron shell: the house, and what the desktop hangs on it: windows, tray, notifications, links, what the system tells, and the end.
import { join } from 'node:path';
import { messageOf } from '../../shared/lib/result.ts';
import type { NotificationAnswer } from '../core/alerts/answering.ts';
import { createDesktopNotifier } from '../core/desktop/desktop-notifier.ts';
import { hasTray, sessionBusAddress } from '../core/desktop/session-bus.ts';
import type { ShellNotifier } from '../core/host/handover-log.ts';
import { type House, openHouse, type ToldBy } from '../core/host/house.ts';
import { nameOf } from '../core/host/profile-lock.ts';
import { keepRunFile } from '../core/host/run-file.ts';
import type { StartFlags } from '../core/host/start-flags.ts';
import { HandOverSchema, type LinkDoor } from './arriving.ts';
import { createClosePolicy } from './close-policy.ts';
import { createDesktopShell, type DesktopShell } from './desktop-shell.ts';
import type { ExternalLinks } from './external-links.ts';
import { createIpcLink } from './ipc-link.ts';
import { createKeychainStarter } from './keychain-process.ts';
import { openLayoutFile } from './layout.ts';
import { createLoginItem } from './login-item.ts';
import { appMenu } from './menu.ts';
import { createFindProxy, createNetFetch, NET_PARTITION } from './net-fetch.ts';
import { createElectronNotifier } from './notifier.ts';
import type { ElectronModule, ElectronShellOptions } from './parts.ts';
import { createTray } from './tray.ts';
import { createTrayPictures } from './tray-picture.ts';
import { createUpdates, type Updates } from './updates.ts';
import { createWindows, type Windows } from './windows.ts';

export interface DesktopParts {
  readonly electron: ElectronModule;
  readonly options: ElectronShellOptions;
  readonly flags: StartFlags;
  readonly say: (line: string) => void;
  readonly links: LinkDoor;
  readonly externalLinks: ExternalLinks;
}

/** Ending takes at most this long, ms. */
const STOP_LIMIT = 2_500;

export async function openDesktop(parts: DesktopParts): Promise<void> {
  const { electron, options, flags, say } = parts;
  const { platform, clock } = options;
  const bus = platform === 'linux' ? sessionBusAddress(options.environment) : null;
  const tray = platform === 'linux' ? await hasTray(bus) : true;
  let shell: DesktopShell | null = null;
  let front: Front | null = null;
  const updates = createUpdates({
    feed: await options.readFeed(),
    load: options.loadUpdater,
    clock,
    wanted: () => shell?.settings().lookForUpdates === true,
    onInstall: () => front?.windows.end(),
    onChange: () => shell?.changed(),
  });
  const notifier = await openNotifier(parts, bus, (told, answer) => void front?.answered(told, answer));
  const net = electron.session.fromPartition(NET_PARTITION, { cache: false });
  const opened = await openHouse({
    ...options,
    dataFolder: flags.dataFolder,
    profile: flags.profile,
    fetch: createNetFetch(net),
    findProxy: createFindProxy(net),
    openWindow: async (profile) => {
      await front?.windows.open(profile);
      return null;
    },
    openShell: (settings) => {
      const login = createLoginItem({ ...options, app: electron.app });
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
    startKeychain: createKeychainStarter(
      electron.utilityProcess,
      join(options.built, 'main', 'keychain.js'),
      options.environment,
    ),
    notifier,
    say,
  });
  if ('occupied' in opened)
    throw new Error(
      `The profile ${opened.occupied.shown} is in use by another program (${nameOf(opened.occupied.holder)}). Stop it first.`,
    );
  if (shell === null) throw new Error('the house did not open the shell');
  front = openFront(parts, { house: opened.house, shell, updates, tray });
  await front.show();
}

/** On Linux by D-Bus, elsewhere by Electron. */
async function openNotifier(
  { electron, options }: DesktopParts,
  bus: string | null,
  onAnswer: (told: ToldBy | null, answer: NotificationAnswer) => void,
): Promise<ShellNotifier> {
  if (options.platform === 'linux') return createDesktopNotifier(bus, onAnswer);
  return createElectronNotifier({
    Notification: electron.Notification,
    clock: options.clock,
    platform: options.platform,
    onAnswer,
  });
}

interface Front {
  readonly windows: Windows;
  answered(told: ToldBy | null, answer: NotificationAnswer): Promise<void>;
  /** Opens the first windows, unless nobody wants to see any. */
  show(): Promise<void>;
}

interface Inside {
  readonly house: House;
  readonly shell: DesktopShell;
  readonly updates: Updates;
  readonly tray: boolean;
}

function openFront(parts: DesktopParts, { house, shell, updates, tray }: Inside): Front {
  const { electron, options, flags, say, links, externalLinks } = parts;
  const { app, BrowserWindow } = electron;
  const { platform, clock } = options;
  const trouble = (words: string): void => {
    house.logger.warn({}, words);
    shell.trouble(words);
  };
  const link = createIpcLink(
    electron.ipcMain,
    (url) => house.logger.warn({ url }, 'A page that is not ours asked for something; it was refused.'),
    externalLinks.learn,
  );
  const closePolicy = createClosePolicy({
    facts: () => ({
      platform,
      tray,
      closeToTray: shell.settings().closeToTray,
      production: house.trayFaces().some(({ environment }) => environment === 'production'),
    }),
    dialog: electron.dialog,
    keepInTray: () => shell.closeToTray(true),
    quit: () => app.quit(),
  });
  const windows = createWindows({
    BrowserWindow,
    screen: electron.screen,
    clock,
    link,
    core: house.core,
    layout: openLayoutFile(house.dataFolder),
    preload: join(options.built, 'preload', 'preload.cjs'),
    icon: join(options.assets, 'icons', '256x256.png'),
    mayClose: closePolicy.mayClose,
    onTrouble: trouble,
  });
  const pictures = createTrayPictures(
    electron.nativeImage,
    join(options.assets, 'tray'),
    platform === 'linux' ? 24 : 16,
  );
  const sign = createTray({
    platform,
    clock,
    pictures,
    nativeTheme: electron.nativeTheme,
    Menu: electron.Menu,
    app,
    faces: house.trayFaces,
    onFaces: house.onTrayFaces,
    makeTray: tray ? (picture) => new electron.Tray(picture) : null,
    windows: () => BrowserWindow.getAllWindows(),
    acts: {
      open: (profile) => void (profile === null ? windows.bringUp(house.shown) : windows.open(profile)),
      acknowledgeAll: house.acknowledgeAll,
      quit: () => app.quit(),
    },
  });
  electron.Menu.setApplicationMenu(
    electron.Menu.buildFromTemplate(
      appMenu(platform, { newWindow: () => void windows.another(windows.front() ?? house.shown) }),
    ),
  );
  const hide = keepRunFile(house, { address: null, control: null }, (thrown) =>
    house.logger.warn({}, `run.json is not up to date: ${messageOf(thrown)}`),
  );
  listen(parts, house, windows, closePolicy.goesOnWithout, trouble);
  endCleanly(app, say, () => {
    sign.stop();
    updates.stop();
    windows.end();
    link.close();
    hide();
    return house.close();
  });
  app.on('before-quit', () => windows.end());

  return {
    windows,
    async answered(told, answer) {
      const found = told === null ? null : await house.answered(told, answer);
      if (found !== null) await windows.open(found.profile, found.place);
      else if (answer === 'open') await windows.bringUp(house.shown);
    },
    async show() {
      const atLogin = flags.hidden || (platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin);
      // Without a tray nobody could bring it up: then it waits in the task bar.
      if (!(atLogin && tray)) await windows.restore(house.shown, atLogin);
      links.open(({ place, profile }) => void openPlace(house, windows, profile, place));
    },
  };
}

/** Of a link that names no profile the window in front shows it. */
async function openPlace(
  house: House,
  windows: Windows,
  profile: string | null,
  place: Parameters<Windows['open']>[1],
): Promise<void> {
  if (profile === null) await windows.bringUp(house.shown, place);
  else if (!(await windows.open(profile, place)))
    house.logger.warn({ profile }, `A link asks for the profile ${profile}, which does not run here.`);
}

/** What the system tells the app while it runs. */
function listen(
  { electron: { app, powerMonitor }, links }: DesktopParts,
  house: House,
  windows: Windows,
  goesOnWithout: () => boolean,
  trouble: (words: string) => void,
): void {
  // A second start always shows a window: it is the way to one that cannot be found.
  app.on('second-instance', (_event, _argv, _folder, handedOver) => {
    const given = HandOverSchema.safeParse(handedOver);
    const { profile, link } = given.success ? given.data : { profile: null, link: null };
    if (link !== null) links.take(link);
    void (profile !== null && house.core(profile) !== null ? windows.open(profile) : windows.bringUp(house.shown));
  });
  app.on('activate', () => void windows.bringUp(house.shown));
  app.on('window-all-closed', () => {
    if (!goesOnWithout()) app.quit();
  });
  // The graphics process, or another helper: Chromium starts it again.
  app.on('child-process-gone', (_event, { type, reason }) => {
    if (reason !== 'clean-exit' && reason !== 'killed')
      trouble(`A helper process ended (${type}, ${reason}). Watching goes on.`);
  });
  powerMonitor.on('resume', () => house.wake('resume'));
  powerMonitor.on('unlock-screen', () => house.wake('unlock'));
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
      (thrown) => {
        say(`Shutting down failed: ${messageOf(thrown)}`);
        app.exit(0);
      },
    );
  });
}
