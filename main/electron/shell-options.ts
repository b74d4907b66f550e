// Main, Electron shell: declares the parts of Electron that it uses, and the options of the entry.
import type * as Electron from 'electron';
import type { FindProxy } from '../../shared/lib/proxy.ts';
import type { ApplicationDeps } from '../host/application.ts';
import type { EmbeddedServices } from '../host/embedded-service.ts';
import type { PlainMachine } from '../host/machine.ts';
import type { Feed, Updater } from './updates.ts';

export type ElectronModule = Pick<
  typeof Electron,
  | 'app'
  | 'BrowserWindow'
  | 'dialog'
  | 'ipcMain'
  | 'Menu'
  | 'nativeImage'
  | 'nativeTheme'
  | 'Notification'
  | 'powerMonitor'
  | 'protocol'
  | 'screen'
  | 'session'
  | 'shell'
  | 'Tray'
  | 'utilityProcess'
>;

export interface ElectronShellOptions {
  readonly argv: readonly string[];
  readonly machine: PlainMachine;
  readonly program: ProgramFiles;
  readonly embedded: (findProxy: FindProxy) => EmbeddedServices;
  readonly writeSettings?: ApplicationDeps['writeSettings'];
  readonly updates: {
    /** Reads the feed where this build checks for updates; null: none. */
    readonly readFeed: () => Promise<Feed | null>;
    readonly loadUpdater: () => Promise<Updater>;
  };
  readonly print: (line: string) => void;
}

export interface ProgramFiles {
  /** Path of the running program. */
  readonly execPath: string;
  /** Build folder: it contains renderer/ and preload/. */
  readonly built: string;
  /** Folder of icons and tray pictures. */
  readonly assets: string;
}
