// Main, Electron shell: opens the page of one profile in a sandboxed, isolated window without Node.
import { join } from 'node:path';
import type { BrowserWindow, BrowserWindowConstructorOptions } from 'electron';
import { messageOf } from '../../shared/lib/result.ts';
import { PAGE_URL } from './app-protocol.ts';
import { MIN_SIZE } from './bounds.ts';
import type { ProgramFiles } from './shell-options.ts';

export function windowOptions({
  built,
  assets,
}: Pick<ProgramFiles, 'built' | 'assets'>): BrowserWindowConstructorOptions {
  return {
    title: 'Barograph',
    // For systems without another source of the icon.
    icon: join(assets, 'icons', '256x256.png'),
    minWidth: MIN_SIZE.width,
    minHeight: MIN_SIZE.height,
    // The window is shown once painted, on the background of the dark theme, so that nothing flashes.
    show: false,
    backgroundColor: '#0f1214',
    autoHideMenuBar: true,
    webPreferences: {
      preload: join(built, 'preload', 'preload.cjs'),
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
      // An alert sounds in a window that nobody has clicked yet.
      autoplayPolicy: 'no-user-gesture-required',
      // A monitor in the background must keep painting changes.
      backgroundThrottling: false,
    },
  };
}

export const showWhenPainted = (window: Pick<BrowserWindow, 'once' | 'show'>): void =>
  void window.once('ready-to-show', () => window.show());

/**
 * Loads the page and shows the window when it is painted.
 * @param onFailure receives why the page could not be loaded, unless its window was closed meanwhile
 */
export async function openPage(
  window: BrowserWindow,
  minimized: boolean,
  onFailure: (why: string) => void,
): Promise<void> {
  if (minimized) window.once('ready-to-show', () => window.minimize());
  else showWhenPainted(window);
  try {
    await window.loadURL(PAGE_URL);
  } catch (error) {
    if (window.isDestroyed()) return;
    onFailure(messageOf(error));
    // A page that fails to load may never be painted, and the user cannot close an invisible window.
    if (minimized) window.minimize();
    else window.show();
  }
}

/** Brings a window to the front. */
export function bringUp(window: BrowserWindow): void {
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
}
