// Main, Electron shell: a window on one profile: sandboxed, isolated, without Node, on our own address only.
import type { BrowserWindow, BrowserWindowConstructorOptions } from 'electron';
import { PAGE_URL } from './app-protocol.ts';
import { MIN_SIZE } from './bounds.ts';

/**
 * @param preload path of the built bridge
 * @param icon of the window, where the system takes it from nowhere else
 */
export function windowOptions(preload: string, icon: string): BrowserWindowConstructorOptions {
  return {
    title: 'Barograph',
    icon,
    minWidth: MIN_SIZE.width,
    minHeight: MIN_SIZE.height,
    // Shown when it has something to show; until then the ground of the dark theme, so that nothing flashes.
    show: false,
    backgroundColor: '#0f1214',
    autoHideMenuBar: true,
    webPreferences: {
      preload,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      experimentalFeatures: false,
      webviewTag: false,
      navigateOnDragDrop: false,
      spellcheck: false,
      // A monitor in the background must go on painting what changed.
      backgroundThrottling: false,
    },
  };
}

/** Loads the page and shows the window when it is painted. */
export async function openPage(window: BrowserWindow, minimized: boolean): Promise<void> {
  window.once('ready-to-show', () => (minimized ? window.minimize() : window.show()));
  await window.loadURL(PAGE_URL);
}

/** Brings a window to the front, wherever it is. */
export function bringUp(window: BrowserWindow): void {
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
}
