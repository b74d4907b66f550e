// Main, Electron shell: the start sequence of the desktop application, with Electron passed in.
import { join } from 'node:path';
import { LINK_SCHEME } from '../../shared/settings/deep-links.ts';
import { exitCodeOf } from '../host/command-line.ts';
import { openDataFolder } from '../host/data-folder.ts';
import { feedProfile } from '../host/feed-profile.ts';
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
 * Runs the application; returns when its first window is open, or when it has ended because it cannot run.
 */
export async function run(electron: ElectronModule, options: ElectronShellOptions): Promise<void> {
  process.umask(0o077);
  const { app } = electron;
  const code = await exitCodeOf('npm start', () => start(electron, options), options.print);
  if (code !== 0) app.exit(code);
}

async function start(electron: ElectronModule, options: ElectronShellOptions): Promise<number> {
  const { app, protocol } = electron;
  const say = (line: string): void => options.print(`barograph: ${line}`);
  // An AppImage gets this switch where the system allows no sandbox. Pages would run with all rights of the
  // user.
  if (app.commandLine.hasSwitch('no-sandbox')) return refuseWithoutSandbox(electron, say);
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
  if (!app.requestSingleInstanceLock(handOver)) {
    say('Barograph is running already; its window comes to the front.');
    app.exit(0);
    return 0;
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
  await openDesktop({ electron, options, flags: request, say, links, secondStarts, externalLinks, launchInfo });
  return 0;
}

const NO_SANDBOX =
  'Barograph does not run without the sandbox of its windows, and this system does not allow one (unprivileged user namespaces are off). ' +
  'Install the deb or rpm package instead of the AppImage, or run npm start -- --shell node.';

async function refuseWithoutSandbox({ app, dialog }: ElectronModule, say: (line: string) => void): Promise<number> {
  say(NO_SANDBOX);
  // Before the app is ready, the error could only be printed, and a user who clicks an AppImage sees no
  // output.
  await app.whenReady();
  dialog.showErrorBox('Barograph', NO_SANDBOX);
  app.exit(1);
  return 0;
}
