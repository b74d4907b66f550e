// Main, Electron shell: the entry. The only file that loads Electron itself; everything else gets it as an object.
import { join } from 'node:path';
import * as electron from 'electron';
import Store from 'electron-store';
import { SETTINGS_NAME } from '../core/host/settings-store.ts';
import { systemClock } from '../core/host/system-clock.ts';
import { checkPrices, startSandbox } from '../sandbox.ts';
import { run } from './run.ts';

// Not awaited: Electron is ready only once this module has been evaluated.
void run(electron, {
  // A packaged app has its own path first, one that is run from its sources also theirs.
  argv: process.argv.slice(electron.app.isPackaged ? 1 : 2),
  environment: process.env,
  platform: process.platform,
  clock: systemClock,
  random: Math.random,
  startEmbedded: startSandbox,
  checkPrices,
  openStore: (cwd) => new Store({ cwd, name: SETTINGS_NAME, configFileMode: 0o600 }),
  // This file is dist/main/entry.js when it runs.
  built: join(import.meta.dirname, '..'),
  print: console.error,
});
