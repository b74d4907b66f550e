// Main, Electron shell: the entry. Only this file imports Electron, and passes it on as an object.
import { join } from 'node:path';
import * as electron from 'electron';
import Store from 'electron-store';
import { plainMachine } from '../host/machine.ts';
import { SETTINGS_NAME } from '../host/settings-store.ts';
import { embeddedServices } from '../service/embedded-service.ts';
import { readBuildFeed } from './build-feed.ts';
import { run } from './run.ts';

// Without `await`, because Electron is ready only once this module has been evaluated.
void run(electron, {
  // A packaged app has one argument before the user's: its path; an app from sources has two.
  argv: process.argv.slice(electron.app.isPackaged ? 1 : 2),
  machine: plainMachine(process.env),
  program: {
    // This file is dist/main/entry.js when it runs.
    built: join(import.meta.dirname, '..'),
    assets: join(import.meta.dirname, '..', '..', 'assets'),
    execPath: process.execPath,
  },
  embedded: embeddedServices,
  writeSettings: (cwd, settings) => {
    new Store({ cwd, name: SETTINGS_NAME, configFileMode: 0o600 }).store = settings;
  },
  updates: {
    // Only a packaged app can be updated.
    readFeed: async () =>
      electron.app.isPackaged
        ? readBuildFeed({ resources: process.resourcesPath, platform: process.platform, execPath: process.execPath })
        : null,
    loadUpdater: async () => {
      const { autoUpdater } = (await import('electron-updater')).default;
      // The log of the updater would repeat addresses; the shell logs the outcome.
      autoUpdater.logger = null;
      return autoUpdater;
    },
  },
  print: console.error,
});
