// Main, Electron shell: a window's page that says which profiles cannot be opened, while none runs.
import type { BrowserWindow, BrowserWindowConstructorOptions } from 'electron';
import { escapeHtml } from '../../shared/lib/html-text.ts';
import { type Message, textOf } from '../../shared/text/message.ts';
import { texts } from '../../shared/text/texts.ts';
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
    const address = `data:text/html;charset=utf-8,${encodeURIComponent(pageOf(failures().map(textOf)))}`;
    if (address === shown) return;
    shown = address;
    // Rejects where the window closes, or a later text is loaded, meanwhile.
    window.loadURL(address).catch(() => undefined);
  };
  showWhenPainted(window);
  update();
  return { update };
}

/** The colours of the window's themes, as the system prefers. */
const STYLE = [
  'body{margin:4rem auto;max-width:40rem;padding:0 2rem;font:1rem/1.5 system-ui,sans-serif;background:#0a0d0f;color:#e6e9eb}',
  'h1{font-size:1.25rem}p{overflow-wrap:anywhere}@media (prefers-color-scheme:light){body{background:#dfe4e5;color:#11181b}}',
].join('');

function pageOf(reasons: readonly string[]): string {
  const { heading, retry } = texts.tray.noneRuns;
  return [
    '<!doctype html><html lang="en"><meta charset="utf-8">',
    `<meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    `<title>Barograph</title><style>${STYLE}</style><main><h1>${escapeHtml(heading)}</h1>`,
    ...reasons.map((reason) => `<p role="alert">${escapeHtml(reason)}</p>`),
    `<p>${escapeHtml(retry)}</p></main></html>`,
  ].join('');
}
