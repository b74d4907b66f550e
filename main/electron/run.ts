// Main, Electron shell: the start sequence of the desktop application, with Electron passed in.
import { join } from 'node:path';
import { LINK_SCHEME } from '../../shared/settings/deep-links.ts';
import { exitCodeOf } from '../host/command-line.ts';
import { openDataFolder } from '../host/data-folder.ts';
import { feedProfile } from '../host/feed-profile.ts';
import { isFolderLocked } from '../host/folder-lock.ts';
import { createSettingsStore } from '../host/settings-store.ts';
import { parseStartFlags, type StartFlags } from '../host/start-flags.ts';
import { APP_SCHEME, servePage } from './app-protocol.ts';
import { openDesktop } from './desktop.ts';
import { createExternalLinks } from './external-links.ts';
import { createLinkQueue, createSecondStarts, type SecondInstanceData, splitArguments } from './launch.ts';
import { denyPermissions, lockDown } from './lockdown.ts';
import type { ElectronModule, ElectronShellOptions } from './shell-options.ts';

/** The identity of the installed application; notifications on Windows depend on it. */
const APP_ID = 'app.barograph.desktop';
/**
 * The class by which Windows starts the app for a click on a notification. Electron writes it into the shortcut and
 * the registry; without one of our own it would be another in each installation, and after an update.
 */
const TOAST_ACTIVATOR = '{80002B28-49A9-4074-97EF-AB42E8715F26}';

/**
 * Runs the application; returns when its first window is open. A start that cannot be ends with the reason in a dialog,
 * because who clicked an icon sees no terminal.
 */
export async function run(electron: ElectronModule, options: ElectronShellOptions): Promise<void> {
  process.umask(0o077);
  const { app, dialog } = electron;
  let isRunning = false;
  let reason: string | null = null;
  const job = async (): Promise<number> => {
    isRunning = await start(electron, options);
    return 0;
  };
  const code = await exitCodeOf('barograph', job, (line) => {
    options.print(line);
    reason = line.replace(/^barograph: /, '');
  });
  if (isRunning) return;
  if (reason !== null) {
    // Before the app is ready, Electron could only print it.
    await app.whenReady();
    dialog.showErrorBox('Barograph', reason);
  }
  // By 2 `npm start` knows that the reason was shown, and that another shell would meet it too.
  app.exit(code === 0 ? 0 : 2);
}

/** @returns false where another program shows the window, and this one has nothing more to do */
async function start(electron: ElectronModule, options: ElectronShellOptions): Promise<boolean> {
  const { app, protocol } = electron;
  const say = (line: string): void => options.print(`barograph: ${line}`);
  // Pages would run with all rights of the user.
  if (app.commandLine.hasSwitch('no-sandbox')) throw new Error(whyNoSandbox(options.machine.environment));
  const given = splitArguments(options.argv);
  const flags: StartFlags = parseStartFlags(given.flags);
  const dataFolder = openDataFolder(flags.dataFolder);
  // Chromium's own files are in the data folder too; the single-instance lock depends on this path.
  app.setPath('userData', join(dataFolder, 'electron'));
  // A feed goes into the settings first, where the app with the lock finds it.
  const profile =
    flags.feed === null
      ? flags.profile
      : feedProfile(createSettingsStore(dataFolder, say, options.writeSettings), flags.feed);
  const handOver: SecondInstanceData = { profile, link: given.link };
  // Chromium says no also where it cannot write its lock. Then the lock of the folder alone decides, further on.
  if (!app.requestSingleInstanceLock(handOver) && isFolderLocked(dataFolder)) {
    say('Barograph is running already; its window comes to the front.');
    return false;
  }
  if (options.machine.platform === 'win32') {
    app.setAppUserModelId(APP_ID);
    app.setToastActivatorCLSID(TOAST_ACTIVATOR);
    // Packages for macOS and Linux declare their links in their own files; the installer of Windows does not.
    if (app.isPackaged) app.setAsDefaultProtocolClient(LINK_SCHEME);
  }
  const links = createLinkQueue((why, count) => say(`A link was refused (${count} in this run). ${why}`));
  if (given.link !== null) links.take(given.link);
  // A Mac delivers links as events, the first one perhaps before the app is ready.
  app.on('open-url', (event, url) => {
    event.preventDefault();
    links.take(url);
  });
  // Opening takes seconds, in which the user may start the app again.
  const secondStarts = createSecondStarts(links);
  app.on('second-instance', (_event, _argv, _folder, additionalData) => secondStarts.take(additionalData));
  app.enableSandbox();
  protocol.registerSchemesAsPrivileged([APP_SCHEME]);
  const externalLinks = createExternalLinks();
  lockDown(app, electron.shell, externalLinks.isAllowed, options.machine.clock);
  let launchInfo: unknown;
  app.once('ready', (_event, info) => {
    launchInfo = info;
  });
  await app.whenReady();
  protocol.handle(APP_SCHEME.scheme, servePage(join(options.program.built, 'renderer')));
  denyPermissions(electron.session.defaultSession);
  const request = { ...flags, dataFolder, profile, feed: null };
  return openDesktop({ electron, options, flags: request, say, links, secondStarts, externalLinks, launchInfo });
}

/** An AppImage gets the switch where its launcher finds no sandbox in the system. */
const whyNoSandbox = ({ APPIMAGE }: NodeJS.ProcessEnv): string =>
  APPIMAGE === undefined
    ? 'Barograph does not run without the sandbox of its windows: start it without --no-sandbox and without ELECTRON_DISABLE_SANDBOX.'
    : 'Barograph does not run without the sandbox of its windows, and its launcher found none on this system (`unshare -Ur true` fails). Install the deb or rpm package instead of the AppImage.';
