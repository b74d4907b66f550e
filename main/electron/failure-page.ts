// Main, Electron shell: a window that says which profiles cannot be opened, while none runs.
import type { BrowserWindow, BrowserWindowConstructorOptions } from 'electron';
import type { Message } from '../../shared/text/message.ts';
import { failurePage } from '../host/failure-page.ts';
import type { ProgramFiles } from './shell-options.ts';
import { showWhenPainted, windowOptions } from './window.ts';

/** The page needs no preload and no script. */
export const failureWindowOptions = (
  program: Pick<ProgramFiles, 'built' | 'assets'>,
): BrowserWindowConstructorOptions => ({
  ...windowOptions(program),
  webPreferences: { sandbox: true, contextIsolation: true, nodeIntegration: false, javascript: false },
});

export interface FailurePage {
  /** Shows the current reasons, if they have changed. */
  update(): void;
}

export function openFailurePage(
  window: Pick<BrowserWindow, 'loadURL' | 'once' | 'show'>,
  failures: () => readonly Message[],
): FailurePage {
  let shown = '';
  const update = (): void => {
    const address = `data:text/html;charset=utf-8,${encodeURIComponent(failurePage(failures()))}`;
    if (address === shown) return;
    shown = address;
    // Rejects where the window closes, or a later text is loaded, meanwhile.
    window.loadURL(address).catch(() => undefined);
  };
  showWhenPainted(window);
  update();
  return { update };
}
