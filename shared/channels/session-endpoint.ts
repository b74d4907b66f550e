// Pure: the session endpoint of the Node shell: where a one-time token is traded for a session, where the socket is, and where both are told and kept. No schema in
// here: the page uses this endpoint before the rest of its code is there.

export const LINK_PATH = '/link';
export const SESSION_PATH = '/session';
/** The address of a window is `http://127.0.0.1:PORT/#t=TOKEN`; a fragment is never sent to a server or written to its log. */
export const TOKEN_FRAGMENT = 't';
/** Where the page keeps its session: in sessionStorage, so that it ends with the tab. */
export const SESSION_KEY = 'barograph.session';
/** What a token and a session look like. */
export const SECRET = /^[A-Za-z0-9_-]{20,128}$/;
