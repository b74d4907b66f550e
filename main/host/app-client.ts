// Main, host: calls the running app, found by run.json, or asks it for a window.
import { CALL_LIMIT, messageFrom } from '../../shared/channels/channel.ts';
import { channels } from '../../shared/channels/channels.ts';
import { createWindowEnd, type InputOf, type OutputOf } from '../../shared/channels/ends.ts';
import type { WindowLink } from '../../shared/channels/link.ts';
import type { Clock } from '../../shared/lib/clock.ts';
import type { CommandChannel } from './command-channels.ts';
import { UsageError } from './command-line.ts';
import { type ControlAddress, requestCall, requestWindow } from './control-socket.ts';
import type { Occupancy } from './folder-claim.ts';
import { nameOf } from './folder-lock.ts';
import { listensAt } from './listener.ts';
import { type RunFile, readRunFile } from './run-file.ts';

/** @throws UsageError where no app runs in the folder */
export function runningApp(dataFolder: string): RunFile {
  const run = readRunFile(dataFolder);
  if (run === null) throw new UsageError(`Barograph does not run in ${dataFolder}. Start it: npm start`);
  return run;
}

/** @throws Error where it is too old for commands */
function socketOf({ socket, pid }: RunFile): ControlAddress {
  if (socket === null) throw new Error(`Barograph (process ${pid}) takes no commands: it is an older version.`);
  return socket;
}

/** The running app's core of one profile, as a window calls it. */
export interface AppClient {
  /** @throws RefusedError with a message for the user; Error where the app does not answer */
  call<Name extends CommandChannel>(
    name: Name,
    input: InputOf<(typeof channels)[Name]>,
  ): Promise<OutputOf<(typeof channels)[Name]>>;
}

/**
 * Finds the app at each call, because it may be started again meanwhile.
 * @param profile null: the profile that its first window shows
 */
export const connectToApp = (dataFolder: string, profile: string | null): AppClient =>
  clientOf((name, payload, limit = CALL_LIMIT) =>
    requestCall(socketOf(runningApp(dataFolder)), { profile, name, payload }, limit),
  );

/** A client without pushes. */
export const clientOf = (call: WindowLink['call']): AppClient =>
  createWindowEnd(channels, { call, subscribe: () => () => undefined, watch: () => () => undefined }, () => undefined);

/**
 * The address of a new window of the running app; null where the app shows the window itself.
 * @throws Error with the reason and its remedy
 */
export async function askForWindow(run: RunFile, profile: string | null): Promise<string | null> {
  const socket = socketOf(run);
  const isTaken = run.address !== null && listensAt(run.pid, new URL(run.address)) === false;
  const address = isTaken ? '' : await requestWindow(socket, profile);
  if (address === null) return null;
  // A browser opens the address, so it must be a page of that app, and of no other program.
  const url = URL.parse(address);
  if (url === null || run.address === null || url.origin !== new URL(run.address).origin || url.href !== address)
    throw new Error(
      `Another program answers at the address of Barograph (process ${run.pid}). Nothing was opened. Stop Barograph and start it again.`,
    );
  return address;
}

/** A window of the app that has the data folder. */
export interface RunningWindow {
  readonly pid: number;
  /** null where the app shows the window itself. */
  readonly address: string | null;
}

/**
 * The app may be starting, or about to follow a profile that was just added to the settings, for this long,
 * ms: a feed that does not answer takes half of it.
 */
const JOIN_LIMIT = 60_000;
const JOIN_INTERVAL = 250;

/**
 * Opens a window of the app that has the data folder, as soon as it can show one.
 * @param onWait called once, where the app cannot show it yet
 * @throws Error with the reason and its remedy
 */
export async function joinRunningApp(occupancy: Occupancy, clock: Clock, onWait: () => void): Promise<RunningWindow> {
  const { dataFolder, isApp, profile } = occupancy;
  const begun = clock.now();
  for (let attempt = 1; ; attempt += 1) {
    const isLast = clock.now() >= begun + JOIN_LIMIT;
    const run = readRunFile(dataFolder);
    if (run === null && (isLast || !isApp)) throw new Error(unreachable(occupancy));
    try {
      if (run !== null) return { pid: run.pid, address: await askForWindow(run, profile) };
    } catch (error) {
      if (isLast || !isApp || messageFrom(error).code !== 'profile.not_here') throw error;
    }
    if (attempt === 1) onWait();
    await new Promise<void>((resolve) => void clock.after(JOIN_INTERVAL, resolve));
  }
}

const unreachable = ({ isApp, profile, holder }: Occupancy): string =>
  isApp
    ? `Barograph is running already (${nameOf(holder)}), but other programs do not find it. Stop it first, or give another --data-dir.`
    : `The profile ${profile} is in use by another program (${nameOf(holder)}). Stop it first, or give another --data-dir.`;
