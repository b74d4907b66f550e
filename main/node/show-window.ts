// Main, Node shell: opens a window and prints the outcome in one line.
import { openByHand } from '../host/launch-page.ts';
import { systemClock } from '../host/system-clock.ts';
import { openWindow } from './open-window.ts';

const MESSAGES = {
  app: 'The window is open.',
  browser: 'The window is open in the default browser.',
} as const;

export async function showWindow(address: string, dataFolder: string, environment: NodeJS.ProcessEnv): Promise<void> {
  const opened = await openWindow(address, {
    platform: process.platform,
    environment,
    clock: systemClock,
    folder: dataFolder,
  });
  console.error(`barograph: ${opened === null ? openByHand(address) : MESSAGES[opened]}`);
}
