// Main, host: asks the running app, found by run.json, for a window.
import { messageFrom } from '../../shared/channels/channel.ts';
import type { Clock } from '../../shared/lib/clock.ts';
import { requestWindow } from './control-socket.ts';
import type { Occupancy } from './folder-claim.ts';
import { nameOf } from './folder-lock.ts';
import { listensAt } from './listener.ts';
import { type RunFile, readRunFile } from './run-file.ts';

/**
 * The address of a new window of the running app; null where the app shows the window itself.
 * @throws Error with the reason and its remedy
 */
export async function askForWindow(run: RunFile, profile: string | null): Promise<string | null> {
  if (run.socket === null) throw new Error(`Barograph (process ${run.pid}) takes no commands: it is an older version.`);
  const isTaken = run.address !== null && listensAt(run.pid, new URL(run.address)) === false;
  const address = isTaken ? '' : await requestWindow(run.socket, profile);
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
