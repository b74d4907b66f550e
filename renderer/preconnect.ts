// Renderer: the first script of the page: asks the Node shell for the snapshot while code still loads.
import { BRIDGE_NAME, type Bridge } from '../shared/channels/bridge.ts';
import { createPreconnectSocket } from '../shared/channels/preconnect-socket.ts';
import { LINK_PATH } from '../shared/channels/session-endpoint.ts';
import { takeSession } from './link/session.ts';

declare global {
  interface Window {
    /** Present only in Electron; see preload/. */
    readonly [BRIDGE_NAME]?: Bridge;
  }
}

export const openSocket = (): WebSocket => new WebSocket(new URL(LINK_PATH, location.href.replace(/^http/, 'ws')));

function preconnect() {
  const socket = createPreconnectSocket(openSocket());
  const session = takeSession({
    hash: location.hash,
    clearHash: () => history.replaceState(null, '', location.pathname + location.search),
    storage: sessionStorage,
    fetch: (path, init) => fetch(path, init),
  });
  void session.then((taken) => (taken.ok ? socket.begin(taken.value) : socket.close()));
  return { socket, session };
}

const bridge = window[BRIDGE_NAME];
/** The link to the core. Electron's bridge exists at once and needs no session. */
export const preconnection = bridge === undefined ? preconnect() : { bridge };
