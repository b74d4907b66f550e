// Main, Node shell: starts the app without Electron, opens a browser page, and shuts the app down.
import { messageOf } from '../../shared/lib/result.ts';
import { createStatusLine } from '../../shared/lib/status-line.ts';
import { message, textOf } from '../../shared/text/message.ts';
import type { NotificationAnswer } from '../core/notifications/answers.ts';
import { announceApp } from '../host/announce-app.ts';
import { joinRunningApp } from '../host/app-client.ts';
import { type Application, openApplication } from '../host/application.ts';
import { exitCodeOf } from '../host/command-line.ts';
import { createDesktopNotifier, type DesktopNotifier } from '../host/desktop/desktop-notifier.ts';
import { sessionBusAddress } from '../host/desktop/session-bus.ts';
import { onEnd } from '../host/end-signal.ts';
import type { Occupancy } from '../host/folder-claim.ts';
import { deleteExpiredPages } from '../host/launch-page.ts';
import type { DesktopHandle } from '../host/notification-log.ts';
import type { ElectronDownload } from '../host/shell-port.ts';
import type { StartFlags } from '../host/start-flags.ts';
import { systemClock } from '../host/system-clock.ts';
import { embeddedServices } from '../service/embedded-service.ts';
import { createBrowserWindows } from './browser-windows.ts';
import { type Loopback, listenLoopback } from './loopback-server.ts';
import { nodeMachine } from './machine.ts';
import { createSessions } from './sessions.ts';
import { showWindow } from './show-window.ts';

export interface NodeShellOptions {
  readonly flags: StartFlags;
  readonly environment: NodeJS.ProcessEnv;
  /** Folder of the built page; in development, the address that serves its sources. */
  readonly page: string | URL;
  /** The download of Electron that goes on meanwhile. */
  readonly electron: ElectronDownload | null;
}

const DEFAULT_PORT = 4780;
/** Time limit of the shutdown, ms; written data is durable at any time. */
const STOP_LIMIT = 2_500;

const say = (line: string): void => console.error(`barograph: ${line}`);

/** Runs the app until a signal ends it, and ends the process. */
export async function runNodeShell(options: NodeShellOptions): Promise<never> {
  process.umask(0o077);
  process.exit(await exitCodeOf('npm start', () => start(options), console.error));
}

async function start({ flags, environment, page, electron }: NodeShellOptions): Promise<number> {
  const machine = nodeMachine(environment);
  const end = untilEnd(environment);
  let answered: (notification: DesktopHandle, answer: NotificationAnswer) => void = () => undefined;
  const notifier = await createDesktopNotifier(sessionBusAddress(environment), (notification, answer) =>
    answered(notification, answer),
  );
  let loopback: Loopback | null = null;
  const line = createStatusLine(process.stderr, systemClock);
  const opened = await openApplication({
    request: { dataFolder: flags.dataFolder, profile: flags.profile, feed: flags.feed },
    machine,
    embedded: embeddedServices(machine.findProxy),
    electron,
    notifier,
    openWindow: async (profile) => loopback?.windowAddress(profile) ?? null,
    say(text) {
      line.clear();
      say(text);
    },
    onStarting(profile, start) {
      if (start.kind === 'starting' && start.progress !== null)
        line.show(`barograph: ${profile}: ${textOf(message('work.progress', start.progress))}`);
      else line.clear();
    },
  });
  if ('occupied' in opened) {
    await notifier.close();
    return joinRunning(opened.occupied, flags, environment);
  }
  const { application } = opened;
  const { status } = notifier;
  if (status().tier === 'in_app')
    say(`Alerts show in the window, or by its browser where you allow that. ${textOf(status().detail)}`);

  const opensWindows = flags.open && !flags.hidden;
  const windows = createBrowserWindows(application.core, (profile) => {
    if (flags.open && loopback !== null)
      void showWindow(windowAddress(loopback, profile, application), application.dataFolder, environment);
  });
  answered = async (notification, answer) => {
    const found = application.answered(notification, answer);
    if (found !== null) windows.show(found.profile, found.route);
  };
  const server = await listenLoopback({
    port: flags.port ?? DEFAULT_PORT,
    page,
    sessions: createSessions(systemClock),
    core: windows.admit,
    failures: () => (application.core(application.shown) === null ? application.failures() : []),
    clock: systemClock,
  });
  loopback = server;
  if (!server.isPreferredPort)
    say(`Port ${flags.port ?? DEFAULT_PORT} is in use; using ${new URL(server.address).port} instead.`);
  const hide = announceApp(application, {
    clock: systemClock,
    address: server.address,
    openWindow: (profile) => windowAddress(server, profile, application),
    warn: say,
  });
  if (opensWindows)
    void showWindow(windowAddress(server, application.shown, application), application.dataFolder, environment);
  const isEnding = await Promise.race([end.then(() => true), application.settled().then(() => false)]);
  if (!isEnding) console.log(`ready ${server.windowAddress(application.shown)}`);

  await end;
  await stop(application, server, notifier, hide);
  return 0;
}

/** The address of a window, for a launch page that this process or a command writes. */
function windowAddress(loopback: Loopback, profile: string, { dataFolder }: Application): string {
  deleteExpiredPages(dataFolder, systemClock);
  return loopback.windowAddress(profile);
}

/** Resolves when the process receives a signal to end. From then on its time is limited. */
function untilEnd(environment: NodeJS.ProcessEnv): Promise<void> {
  return new Promise((resolve) => {
    onEnd(environment, systemClock, () => {
      setTimeout(() => process.exit(0), STOP_LIMIT).unref();
      resolve();
    });
  });
}

async function stop(
  application: Application,
  server: Loopback,
  notifier: DesktopNotifier,
  hide: () => void,
): Promise<void> {
  // Removes the file first: no program may find a closing server there.
  hide();
  try {
    await server.close();
    await application.close();
    await notifier.close();
  } catch (error) {
    say(`Shutting down failed: ${messageOf(error)}`);
  }
}

/** Opens a window of the app that has this folder or profile; any other program is an error. */
async function joinRunning(occupancy: Occupancy, flags: StartFlags, environment: NodeJS.ProcessEnv): Promise<number> {
  const { pid, address } = await joinRunningApp(occupancy, systemClock, () =>
    say('Barograph is running already. Waiting for its window.'),
  );
  say(`Barograph is running already (process ${pid}).`);
  if (address === null) return 0;
  if (flags.open) await showWindow(address, occupancy.dataFolder, environment);
  else console.log(`ready ${address}`);
  return 0;
}
