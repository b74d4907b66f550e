// Service, proxy: the HTML of the dashboard: the frame of its pages, and the sign-in page.
import { createHash } from 'node:crypto';
import type { DashboardScope } from '../../shared/wire/dashboard.ts';
import type { Environment } from '../../shared/wire/keys.ts';

const STYLE = `
:root { color-scheme: light dark; --page: #fff; --text: #1a1d21; --soft: #565c66; --line: #c8ccd2; --link: #0b57a4; --alert: #a4151f; --button: #eef0f3; }
@media (prefers-color-scheme: dark) {
  :root { --page: #14171b; --text: #e7e9ec; --soft: #a9b0ba; --line: #3b424c; --link: #7db8f2; --alert: #ff9a9a; --button: #252b33; }
}
* { box-sizing: border-box; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 64rem; margin: 0 auto; padding: 1rem 1.25rem 3rem; color: var(--text); background: var(--page); }
h1 { font-size: 1.5rem; margin: 0; } h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; border-bottom: 1px solid var(--line); }
a { color: var(--link); }
header { display: flex; flex-wrap: wrap; gap: .25rem 1rem; align-items: baseline; }
header > :last-child { margin-left: auto; }
code, .code { font: 14px/1.45 ui-monospace, monospace; overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; margin: .5rem 0; }
dt, .soft { color: var(--soft); } dd { margin: 0; font-variant-numeric: tabular-nums; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .35rem .75rem .35rem 0; border-bottom: 1px solid var(--line); }
time, button { white-space: nowrap; } td.wide { overflow-wrap: anywhere; min-width: 12rem; }
button, select, input { font: inherit; color: inherit; background: var(--button); border: 1px solid var(--soft); border-radius: 4px; padding: .15rem .6rem; }
input[type=url], dialog input { width: min(32rem, 100%); background: var(--page); }
[aria-busy=true] { opacity: .6; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
form, .row { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; margin: .75rem 0; }
td .row { margin: 0; flex-wrap: nowrap; }
main > [role=alert], main > [role=status] { position: sticky; top: 0; margin: 0; padding: .5rem 0; background: var(--page); z-index: 1; }
* { scroll-margin-top: 5rem; }
[role=alert] { color: var(--alert); font-weight: 600; } [role=alert]:empty, [role=status]:empty { display: none; }
dialog { color: inherit; background: var(--page); border: 1px solid var(--soft); border-radius: 6px; max-width: min(38rem, 92vw); }
dialog h2 { margin-top: 0; }
dialog::backdrop { background: rgb(0 0 0 / .55); }
[hidden] { display: none !important; }
`;

/** The token leaves the address first, so that it is in no history. */
const SCRIPT = `
const token = new URLSearchParams(location.hash.slice(1)).get('t');
history.replaceState(null, '', location.pathname);
const say = (text) => { document.querySelector('#session').textContent = text; };
if (token !== null)
  fetch('session', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ token }) })
    .then((answer) => answer.ok ? location.reload() : answer.json().then(({ message }) => say(message)))
    .catch(() => say('The dashboard does not answer. Load this page again.'));
`;

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** A page loads nothing, and runs this script alone. */
export const pageHeaders = (script: string) => ({
  'cache-control': 'no-store',
  'content-security-policy': `default-src 'none'; script-src ${hashOf(script)}; style-src ${hashOf(STYLE)}; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
});

/** @param body HTML that holds nothing from outside */
export const htmlOf = (title: string, body: string, script: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><style>${STYLE}</style></head><body>${body}<script>${script}</script></body></html>\n`;

export const PAGE_HEADERS = pageHeaders(SCRIPT);

/** @param scopes of the session; null without one */
export const pageOf = (environment: Environment, scopes: readonly DashboardScope[] | null): string =>
  htmlOf(
    'Dashboard',
    `<main><h1>Dashboard of the Market Risk Signal Service</h1><p>Environment: ${environment}.</p><p id="session">${
      scopes === null
        ? 'You are not signed in. Open the one-time link that the service printed when it started.'
        : `You are signed in for: ${scopes.join(', ')}. The service answers under /api/proxy/, without a key.`
    }</p>${scopes === null ? '' : '<p><a href="account">Account: keys, use, subscriptions</a></p>'}</main>`,
    SCRIPT,
  );
