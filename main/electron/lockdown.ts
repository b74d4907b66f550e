// Main, Electron shell: what no page may do, whatever is loaded into it: leave our address, open windows, embed others, ask for devices.
import type { App, Session, Shell, WebContents } from 'electron';
import type { Clock } from '../../shared/lib/clock.ts';
import { isOwnPage } from './app-protocol.ts';

/** Between two addresses that are opened outside, ms: a page that was taken over must not open a hundred. */
const PAUSE = 500;

/**
 * To be called before the first window is made.
 * @param isAllowed which addresses may be opened in the user's browser
 */
export function lockDown(
  app: Pick<App, 'on'>,
  shell: Pick<Shell, 'openExternal'>,
  isAllowed: (url: string) => boolean,
  clock: Clock,
): void {
  let openedAt: number | null = null;
  const openOutside = (url: string): void => {
    const now = clock.now();
    if (!isAllowed(url) || (openedAt !== null && Math.abs(now - openedAt) < PAUSE)) return;
    openedAt = now;
    // A system without a browser says no; there is nothing that could be done about it here.
    shell.openExternal(url).catch(() => undefined);
  };
  app.on('web-contents-created', (_event, contents: WebContents) => {
    contents.setWindowOpenHandler(({ url }) => {
      openOutside(url);
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
