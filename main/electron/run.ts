// Main, Electron shell: the desktop application. Electron comes in as an object, so that all of this runs against a fake one.
import { join } from 'node:path';
import type * as Electron from 'electron';
import type { Clock } from '../../shared/lib/clock.ts';
import { messageOf } from '../../shared/lib/result.ts';
import { exitCodeOf } from '../core/host/command-line.ts';
import { openDataFolder } from '../core/host/data-folder.ts';
import { type House, type HouseParts, openHouse } from '../core/host/house.ts';
import { nameOf } from '../core/host/profile-lock.ts';
import { removeRunFile, writeRunFile } from '../core/host/run-file.ts';
import { parseStartFlags, type StartFlags } from '../core/host/start-flags.ts';
import { APP_SCHEME, servePage } from './app-protocol.ts';
import { createIpcLink, type IpcLink } from './ipc-link.ts';
import { createKeychainStarter } from './keychain-process.ts';
import { denyPermissions, lockDown } from './lockdown.ts';
import { createElectronNotifier } from './notifier.ts';
import { bringUp, openPage, windowOptions } from './window.ts';

export type ElectronModule = Pick<
  typeof Electron,
  'app' | 'BrowserWindow' | 'ipcMain' | 'net' | 'Notification' | 'powerMonitor' | 'protocol' | 'session' | 'shell' | 'utilityProcess'
>;

export interface ElectronShellOptions extends Pick<HouseParts, 'environment' | 'openStore' | 'random' | 'startEmbedded' | 'checkPrices'> {
  readonly argv: readonly string[];
  readonly clock: Clock;
  readonly platform: NodeJS.Platform;
  /** Folder of what was built: renderer/ and preload/ lie in it. */
  readonly built: string;
  readonly print: (line: string) => void;
}

/** Ending takes at most this long, ms. */
const STOP_LIMIT = 2_500;

/** Runs the application; returns when its first window is open, or when it has ended because it cannot run. */
export async function run(electron: ElectronModule, options: ElectronShellOptions): Promise<void> {
  process.umask(0o077);
  const { app } = electron;
  const code = await exitCodeOf('npm start', () => start(electron, options), options.print);
  if (code !== 0) app.exit(code);
}

async function start(electron: ElectronModule, options: ElectronShellOptions): Promise<number> {
  const { app, protocol } = electron;
  const say = (line: string): void => options.print(`barograph: ${line}`);
  const flags = parseStartFlags(options.argv);
  const dataFolder = openDataFolder(flags.dataFolder);
  // Chromium's own files lie in the data folder too; the lock of the single instance hangs on this path.
  app.setPath('userData', join(dataFolder, 'electron'));
  if (!app.requestSingleInstanceLock({ profile: flags.profile })) {
    say('Barograph is running already; its window comes to the front.');
    app.exit(0);
    return 0;
  }
  app.enableSandbox();
  protocol.registerSchemesAsPrivileged([APP_SCHEME]);
  lockDown(app, electron.shell);
  await app.whenReady();
  protocol.handle(APP_SCHEME.scheme, servePage(join(options.built, 'renderer')));
  denyPermissions(electron.session.defaultSession);
  return openAll(electron, options, { ...flags, dataFolder }, say);
}

async function openAll(
  electron: ElectronModule,
  options: ElectronShellOptions,
  flags: StartFlags,
  say: (line: string) => void,
): Promise<number> {
  const { app, net } = electron;
  let windows: Windows | null = null;
  /** Until there is a house, a click only brings up what there is. */
  let onClick = (_id: string): void => windows?.bringUp();
  const opened = await openHouse({
    ...options,
    dataFolder: flags.dataFolder,
    profile: flags.profile,
    // Electron's own: it honours the proxy and the certificates of the system.
    fetch: (url, init) => net.fetch(url, init),
    openWindow: async (profile) => {
      await windows?.open(profile);
      return null;
    },
    startKeychain: createKeychainStarter(electron.utilityProcess, join(options.built, 'main', 'keychain.js'), options.environment),
    notifier: createElectronNotifier({ Notification: electron.Notification, clock: options.clock, onClick: ({ id }) => onClick(id) }),
    say,
  });
  if ('occupied' in opened)
    throw new Error(
      `The profile ${opened.occupied.shown} is watched by another program (${nameOf(opened.occupied.holder)}). End it first.`,
    );
  const { house } = opened;
  onClick = (id) => {
    house.clicked(id);
    windows?.bringUp();
  };
  const link = createIpcLink(electron.ipcMain, (url) =>
    house.logger.warn({ url }, 'A page that is not ours asked for something; it was refused.'),
  );
  windows = createWindows(electron, house, link, join(options.built, 'preload', 'preload.cjs'));
  const { embedded, shown } = house;
  writeRunFile(flags.dataFolder, {
    pid: process.pid,
    address: null,
    control: null,
    sandbox: embedded === null ? null : { url: embedded.url, key: embedded.key },
    profile: shown,
  });
  listen(electron, options, house, windows);
  endCleanly(app, house, link, say);
  await windows.open(shown);
  return 0;
}

interface Windows {
  /** Opens a window on the profile, or brings up the one that shows it. */
  open(profile: string): Promise<void>;
  bringUp(): void;
}

function createWindows({ BrowserWindow }: ElectronModule, house: House, link: IpcLink, preload: string): Windows {
  const open = new Map<string, Electron.BrowserWindow>();
  return {
    async open(profile) {
      const there = open.get(profile);
      const core = house.core(profile);
      if (there !== undefined) bringUp(there);
      if (there !== undefined || core === null) return;
      const window = new BrowserWindow(windowOptions(preload));
      open.set(profile, window);
      window.once('closed', () => open.delete(profile));
      link.attach(window.webContents, core, () => window.close());
      await openPage(window);
    },
    bringUp() {
      const window = open.get(house.shown) ?? [...open.values()][0];
      if (window !== undefined) bringUp(window);
      else void this.open(house.shown);
    },
  };
}

/** What the system tells the app while it runs. */
function listen({ app, powerMonitor }: ElectronModule, { platform }: ElectronShellOptions, house: House, windows: Windows): void {
  app.on('second-instance', (_event, _argv, _folder, given) => {
    const profile = typeof given === 'object' && given !== null && 'profile' in given ? given.profile : null;
    if (typeof profile === 'string' && house.core(profile) !== null) void windows.open(profile);
    else windows.bringUp();
  });
  app.on('activate', () => windows.bringUp());
  // Without a tray, an app without a window could not be reached any more; on a Mac the dock is always there.
  app.on('window-all-closed', () => {
    if (platform !== 'darwin') app.quit();
  });
  powerMonitor.on('resume', () => house.wake('resume'));
  powerMonitor.on('unlock-screen', () => house.wake('unlock'));
}

function endCleanly(app: Electron.App, house: House, link: IpcLink, say: (line: string) => void): void {
  let ending = false;
  app.on('will-quit', (event) => {
    event.preventDefault();
    if (ending) return;
    ending = true;
    setTimeout(() => app.exit(0), STOP_LIMIT).unref();
    removeRunFile(house.dataFolder);
    link.close();
    house.close().then(
      () => app.exit(0),
      (thrown) => {
        say(`Ending did not go well: ${messageOf(thrown)}`);
        app.exit(0);
      },
    );
  });
}
