// Main, Electron shell: what no page may do, whatever is loaded into it: leave our address, open windows, embed others, ask for devices.
import type { App, Session, Shell, WebContents } from 'electron';
import { isOwnPage } from './app-protocol.ts';

/** Hosts whose pages may be opened in the user's browser: what the interface links to. */
const OUTSIDE = ['www.tradingview.com'];

export function isAllowedOutside(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, host, username, password } = new URL(url);
  return protocol === 'https:' && OUTSIDE.includes(host) && username === '' && password === '';
}

/** To be called before the first window is made. */
export function lockDown(app: Pick<App, 'on'>, shell: Pick<Shell, 'openExternal'>): void {
  app.on('web-contents-created', (_event, contents: WebContents) => {
    contents.setWindowOpenHandler(({ url }) => {
      if (isAllowedOutside(url)) void shell.openExternal(url);
      return { action: 'deny' };
    });
    contents.on('will-navigate', (event) => {
      if (!isOwnPage(event.url)) event.preventDefault();
    });
    contents.on('will-frame-navigate', (event) => {
      if (!event.isMainFrame || !isOwnPage(event.url)) event.preventDefault();
    });
    contents.on('will-redirect', (event) => event.preventDefault());
    contents.on('will-attach-webview', (event) => event.preventDefault());
  });
}

/** The window needs no camera, no place, no device, no notification of its own, and downloads nothing. */
export function denyPermissions(session: Session): void {
  session.setPermissionRequestHandler((_contents, _permission, answer) => answer(false));
  session.setPermissionCheckHandler(() => false);
  session.setDevicePermissionHandler(() => false);
  session.on('will-download', (event) => event.preventDefault());
}
