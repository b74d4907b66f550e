// Main, Node shell: asks the running app, found by run.json, for a window.
import { requestWindow } from '../host/control-socket.ts';
import { listensAt } from '../host/listener.ts';
import type { RunFile } from '../host/run-file.ts';

/**
 * The address of a new window of the running app; null where the app shows the window itself.
 * @throws Error with the reason and its remedy
 */
export async function askForWindow(run: RunFile, profile: string | null): Promise<string | null> {
  if (run.socket === null) throw new Error(`Barograph (process ${run.pid}) takes no commands: it is an older version.`);
  const isTaken = run.address !== null && listensAt(run.pid, new URL(run.address)) === false;
  const address = isTaken ? '' : await requestWindow(run.socket, profile);
  if (address === null) return null;
  // A browser opens it: it must be a page of that app, and of no other program.
  const url = URL.parse(address);
  if (url === null || run.address === null || url.origin !== new URL(run.address).origin || url.href !== address)
    throw new Error(
      `Another program answers at the address of Barograph (process ${run.pid}). Nothing was opened. Stop Barograph and start it again.`,
    );
  return address;
}
