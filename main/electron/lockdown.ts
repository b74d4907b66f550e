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

/** What our own page may do beside drawing: put text that the user copies into the clipboard. It never reads it. */
const GRANTED = 'clipboard-sanitized-write';

/** The window needs no camera, no place, no device, no notification of its own, and downloads nothing but the files that it made itself. */
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
    // Electron asks the user where it goes, as long as nobody sets a path.
    if (!isOwnFile(item.getURL())) event.preventDefault();
  });
}

/** A file that a page of ours made in its memory: blob:app://barograph/... */
const isOwnFile = (url: string): boolean => url.startsWith('blob:') && isOwnPage(url.slice('blob:'.length));
