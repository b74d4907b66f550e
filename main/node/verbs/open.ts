// Main, command line: `barograph open`: another window of the running app.

import { askForWindow, runningApp } from '../../host/app-client.ts';
import { showWindow } from '../show-window.ts';

export interface OpenFlags {
  readonly dataDir: string;
  readonly profile?: string;
  readonly open: boolean;
}

/** Prints the address, which is valid for one minute and one window, and opens it. */
export async function openVerb({ dataDir, profile, open }: OpenFlags): Promise<void> {
  const address = await askForWindow(runningApp(dataDir), profile ?? null);
  if (address === null) {
    console.log('The desktop application has opened the window.');
    return;
  }
  console.log(`ready ${address}`);
  if (open) await showWindow(address, dataDir, process.env);
}
