// Renderer: the entry. Picks the link by passing objects: the preload's bridge in Electron, else a socket to the Node shell. It is small: the core is
// asked while the components, the larger part of the page, are still on their way (index.html asks for both at once).
import './zod-config.ts';

import './theme/tokens.css';
import './theme/fonts.css';
import './theme/base.css';
import './theme/forms.css';
import './theme/table.css';

import { BRIDGE_NAME, type Bridge } from '../shared/channels/bridge.ts';
import { createBridgeLink } from '../shared/channels/bridge-link.ts';
import { LINK_PATH } from '../shared/channels/socket-frames.ts';
import { createSocketWindowLink } from '../shared/channels/socket-link.ts';
import { createClock } from '../shared/lib/clock.ts';
import { followTheme } from './follow-theme.ts';
import { takeSession } from './link/session.ts';
import { openWindow } from './open-window.ts';

declare global {
  interface Window {
    /** There only in Electron; see preload/. */
    readonly [BRIDGE_NAME]?: Bridge;
  }
}

const clock = createClock({
  now: () => Date.now(),
  setTimeout: (job, ms) => window.setTimeout(job, ms),
  clearTimeout: (handle) => window.clearTimeout(handle),
});

async function start(element: HTMLElement): Promise<void> {
  const components = import('./mount.tsx');
  const bridge = window[BRIDGE_NAME];
  if (bridge !== undefined) {
    const opened = openWindow(() => createBridgeLink(bridge), clock);
    return (await components).mountApp(element, opened);
  }
  // A new address that is opened in this very tab differs in its hash alone, for which no browser loads the page again.
  window.addEventListener('hashchange', () => {
    if (location.hash.startsWith('#t=')) location.reload();
  });
  const address = new URL(LINK_PATH, location.href.replace(/^http/, 'ws'));
  // Opened while the token is traded; it says nothing before it has a session.
  let early: WebSocket | null = new WebSocket(address);
  const session = await takeSession({
    hash: location.hash,
    clearHash: () => history.replaceState(null, '', location.pathname + location.search),
    storage: sessionStorage,
    fetch: (path, init) => fetch(path, init),
  });
  if (!session.ok) {
    early.close();
    return (await components).mountNoSession(element, session.error);
  }
  const openSocket = (): WebSocket => {
    const first = early;
    early = null;
    return first !== null && first.readyState <= WebSocket.OPEN ? first : new WebSocket(address);
  };
  const opened = openWindow(
    ({ onEnded, onBad }) =>
      createSocketWindowLink({ open: openSocket, session: () => session.value, clock, random: Math.random, onRefused: onEnded, onBad }),
    clock,
  );
  (await components).mountApp(element, opened);
}

followTheme(document.documentElement);
const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no element with the id root.');
void start(root);
