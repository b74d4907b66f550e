// Main, Electron shell: what the shell is made of: the parts of Electron that it touches, and what its entry passes in.
import type * as Electron from 'electron';
import type { Clock } from '../../shared/lib/clock.ts';
import type { ApplicationDeps } from '../host/application.ts';
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

export interface ElectronShellOptions
  extends Pick<
    ApplicationDeps,
    'environment' | 'openStore' | 'random' | 'startEmbedded' | 'checkPrices' | 'interfaces'
  > {
  readonly argv: readonly string[];
  readonly clock: Clock;
  readonly platform: NodeJS.Platform;
  /** The program that runs. */
  readonly execPath: string;
  /** Folder of what was built: renderer/ and preload/ lie in it. */
  readonly built: string;
  /** Folder of icons and tray pictures. */
  readonly assets: string;
  /** Where this build checks for newer ones. */
  readonly readFeed: () => Promise<Feed | null>;
  readonly loadUpdater: () => Promise<Updater>;
  readonly print: (line: string) => void;
}
