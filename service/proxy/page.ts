// Service, proxy: the page of the dashboard, which begins and ends a session.
import { createHash } from 'node:crypto';
import type { DashboardScope } from '../../shared/wire/dashboard.ts';
import type { Environment } from '../../shared/wire/keys.ts';

const STYLE = `
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 64rem; margin: 0 auto; padding: 1rem 1.25rem; }
button { font: inherit; }
`;

/** The token leaves the address first, so that it is in no history. */
const SCRIPT = `
const token = new URLSearchParams(location.hash.slice(1)).get('t');
history.replaceState(null, '', location.pathname);
const say = (text) => { document.querySelector('#session').textContent = text; };
const send = (method, body) => fetch('session', { method, headers: { 'content-type': 'application/json' }, body })
  .then((answer) => answer.ok ? location.reload() : answer.json().then(({ message }) => say(message)))
  .catch(() => say('The dashboard does not answer. Load this page again.'));
if (token !== null) send('POST', JSON.stringify({ token }));
document.querySelector('button')?.addEventListener('click', () => send('DELETE', '{}'));
`;

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** The page loads nothing, and runs this script alone. */
export const PAGE_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': `default-src 'none'; script-src ${hashOf(SCRIPT)}; style-src ${hashOf(STYLE)}; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** @param scopes of the session; null without one */
export function pageOf(environment: Environment, scopes: readonly DashboardScope[] | null): string {
  const session =
    scopes === null
      ? '<p id="session" role="status">You are not signed in. Open the one-time link that the service printed when it started.</p>'
      : `<p id="session" role="status">You are signed in for: ${scopes.join(', ')}. The service answers under /api/proxy/, without a key.</p><p><button>Sign out</button></p>`;
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Dashboard</title><style>${STYLE}</style></head><body><main><h1>Dashboard of the Market Risk Signal Service</h1><p>Environment: ${environment}.</p>${session}</main><script>${SCRIPT}</script></body></html>\n`;
}
