// Pure: the session endpoint of the Node shell: trades a one-time token for a session.

export const LINK_PATH = '/link';
export const SESSION_PATH = '/session';
/**
 * The address of a window is `http://127.0.0.1:PORT/#t=TOKEN`; a fragment is never sent to a server or
 * written to its log.
 */
export const TOKEN_FRAGMENT = 't';
/** The page keeps its session in sessionStorage, so that it ends with the tab. */
export const SESSION_KEY = 'barograph.session';
