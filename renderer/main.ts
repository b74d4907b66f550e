// Renderer: the entry: picks the link, the preload's bridge in Electron, else the Node shell's socket.
// It is small, so that the core answers while the components, the larger part of the page, still load
// (index.html requests all at once).
import './zod-config.ts';

import './theme/tokens.css';
import './theme/fonts.css';
import './theme/base.css';
import './theme/forms.css';
import './theme/table.css';

import { createBridgeLink } from '../shared/channels/bridge-link.ts';
import { OPEN, type SocketLike } from '../shared/channels/socket-like.ts';
import { createSocketWindowLink } from '../shared/channels/socket-link.ts';
import { createClock } from '../shared/lib/clock.ts';
import { followTheme } from './follow-theme.ts';
import { openWindow } from './open-window.ts';
import { openSocket, preconnection } from './preconnect.ts';

const clock = createClock({
  now: () => Date.now(),
  setTimeout: (job, ms) => window.setTimeout(job, ms),
  clearTimeout: (handle) => window.clearTimeout(handle),
});

async function start(element: HTMLElement): Promise<void> {
  const components = import('./mount.tsx');
  if ('bridge' in preconnection) {
    const { bridge } = preconnection;
    const opened = openWindow(() => createBridgeLink(bridge), clock);
    return (await components).mountApp(element, opened);
  }
  // A new address opened in this tab differs in its hash alone, for which no browser reloads the page.
  window.addEventListener('hashchange', () => {
    if (location.hash.startsWith('#t=')) location.reload();
  });
  let preconnectedSocket: SocketLike | undefined = preconnection.socket;
  const session = await preconnection.session;
  if (!session.ok) return (await components).mountNoSession(element, session.error);
  const open = (): SocketLike => {
    const first = preconnectedSocket;
    preconnectedSocket = undefined;
    return first !== undefined && first.readyState <= OPEN ? first : openSocket();
  };
  const opened = openWindow(
    ({ onEnded, onBad }) =>
      createSocketWindowLink({
        open,
        session: () => session.value,
        clock,
        random: Math.random,
        onRefused: onEnded,
        onBad,
      }),
    clock,
  );
  (await components).mountApp(element, opened);
}

followTheme(document.documentElement);
const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no element with the id root.');
void start(root);
