// Main, Electron shell: restrictions of every page: no navigation, windows, embedding or devices.
import type { App, Session, Shell, WebContents } from 'electron';
import type { Clock } from '../../shared/lib/clock.ts';
import { isOwnPage } from './app-protocol.ts';

/** Pause between two addresses opened outside, ms: a compromised page must not open a hundred. */
const PAUSE = 500;

/**
 * Call before the first window is made.
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
    // A system without a browser refuses, for which there is no remedy here.
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

/**
 * The one permission of our own page: to write text that the user copies to the clipboard.
 */
const GRANTED = 'clipboard-sanitized-write';

/**
 * The window needs no camera, location, device or notification of its own, and downloads only files that it
 * made itself.
 */
export function denyPermissions(session: Session): void {
  session.setPermissionRequestHandler((_contents, permission, answer, { requestingUrl, isMainFrame }) =>
    answer(permission === GRANTED && isMainFrame && isOwnPage(requestingUrl)),
  );
  session.setPermissionCheckHandler(
    (_contents, permission, origin, { isMainFrame }) =>
      (permission as string) === GRANTED && isMainFrame && isOwnPage(origin),
  );
  session.setDevicePermissionHandler(() => false);
  session.on('will-download', (event, item) => {
    // Electron asks the user for the path unless one is set.
    if (!isOwnFile(item.getURL())) event.preventDefault();
  });
}

/** A file that an app page made in memory: blob:app://barograph/... */
const isOwnFile = (url: string): boolean => url.startsWith('blob:') && isOwnPage(url.slice('blob:'.length));
