// Renderer: picks the link at the start: the bridge in Electron, else the Node shell's socket.
import './zod-config.ts';

import './theme/tokens.css';
import './theme/fonts.css';
import './theme/base.css';
import './theme/forms.css';
import './theme/table.css';

import { BRIDGE_NAME, type Bridge } from '../shared/channels/bridge.ts';
import { createBridgeLink } from '../shared/channels/bridge-link.ts';
import { LINK_PATH } from '../shared/channels/session-endpoint.ts';
import { createSocketWindowLink } from '../shared/channels/socket-link.ts';
import { createClock } from '../shared/lib/clock.ts';
import { createWebHashes, newNonce } from '../shared/lib/web-hashes.ts';
import { followTheme } from './follow-theme.ts';
import { takeSession } from './link/session.ts';
import { mountApp, mountNoSession } from './mount.tsx';
import { createBrowserNotifications } from './notifications/browser-notifications.ts';
import { openWindow } from './open-window.ts';

declare global {
  interface Window {
    /** Present only in Electron; see preload/. */
    readonly [BRIDGE_NAME]?: Bridge;
  }
}

const clock = createClock({
  now: () => Date.now(),
  setTimeout: (job, ms) => window.setTimeout(job, ms),
  clearTimeout: (handle) => window.clearTimeout(handle),
});

async function start(element: HTMLElement): Promise<void> {
  const bridge = window[BRIDGE_NAME];
  if (bridge !== undefined) {
    mountApp(
      element,
      openWindow(() => createBridgeLink(bridge), clock),
    );
    return;
  }
  // A new address opened in this tab differs only in its hash, for which no browser reloads the page.
  window.addEventListener('hashchange', () => {
    if (location.hash.startsWith('#t=')) location.reload();
  });
  const session = await takeSession({
    hash: location.hash,
    clearHash: () => history.replaceState(null, '', location.pathname + location.search),
    storage: sessionStorage,
    fetch: (path, init) => fetch(path, init),
  });
  if (!session.ok) {
    mountNoSession(element, session.error);
    return;
  }
  const opened = openWindow(
    ({ onEnded, onBad }) =>
      createSocketWindowLink({
        open: () => new WebSocket(new URL(LINK_PATH, location.href.replace(/^http/, 'ws'))),
        handshake: {
          session: session.value,
          host: location.host,
          hashes: createWebHashes(crypto),
          nonce: () => newNonce(crypto),
        },
        clock,
        random: Math.random,
        onRefused: onEnded,
        onBad,
      }),
    clock,
    createBrowserNotifications(clock),
  );
  mountApp(element, opened);
}

followTheme(document.documentElement);
const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no element with the id root.');
void start(root);
