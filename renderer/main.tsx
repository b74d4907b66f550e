// Renderer: the entry. Picks the link by passing objects: the preload's bridge in Electron, else a socket to the Node shell.
import './zod-config.ts';

import './theme/tokens.css';
import './theme/fonts.css';
import './theme/base.css';
import './theme/table.css';

import { createRoot } from 'react-dom/client';
import { BRIDGE_NAME, type Bridge } from '../shared/channels/bridge.ts';
import { createBridgeLink } from '../shared/channels/bridge-link.ts';
import { LINK_PATH } from '../shared/channels/socket-frames.ts';
import { createSocketWindowLink } from '../shared/channels/socket-link.ts';
import { createClock } from '../shared/lib/clock.ts';
import { NoSessionNotice } from './features/shell/index.ts';
import { takeSession } from './link/session.ts';
import { followTheme, mountApp } from './mount.tsx';

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
  const bridge = window[BRIDGE_NAME];
  if (bridge !== undefined) return mountApp(element, () => createBridgeLink(bridge), clock);
  const session = await takeSession({
    hash: location.hash,
    clearHash: () => history.replaceState(null, '', location.pathname + location.search),
    storage: sessionStorage,
    fetch: (path, init) => fetch(path, init),
  });
  if (!session.ok) return createRoot(element).render(<NoSessionNotice reason={session.error} />);
  const address = new URL(LINK_PATH, location.href.replace(/^http/, 'ws'));
  mountApp(
    element,
    ({ onEnded, onBad }) =>
      createSocketWindowLink({
        open: () => new WebSocket(address),
        session: () => session.value,
        clock,
        random: Math.random,
        onRefused: onEnded,
        onBad,
      }),
    clock,
  );
}

followTheme(document.documentElement);
const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no element with the id root.');
void start(root);
