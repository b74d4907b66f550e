// Service, proxy: the page of the account: use, hard cap, keys, webhook subscriptions.
// Its script asks the proxy as any client does, so that the page can do no more than its session.
import type { Environment } from '../../shared/wire/keys.ts';
import type { DashboardClient } from './access.ts';
import { ACCOUNT_SCRIPT } from './account-script.ts';
import { htmlOf, pageHeaders } from './page.ts';

export const ACCOUNT_HEADERS = pageHeaders(ACCOUNT_SCRIPT);

const USE = `
<section id="use" aria-labelledby="use-title" hidden>
  <h2 id="use-title" tabindex="-1">Use</h2>
  <div class="row"><label for="month">Month (UTC)</label><select id="month"></select>
    <a id="csv" download>Download CSV</a> <a id="json" download>Download JSON</a></div>
  <dl id="figures"></dl>
  <p class="soft" id="use-note"></p>
</section>`;

const CAP = `
<section id="terms" aria-labelledby="terms-title" hidden>
  <h2 id="terms-title">Terms</h2>
  <dl id="account"></dl>
  <div class="row"><input type="checkbox" id="cap"><label for="cap">Hard cap: refuse calls beyond the quota (429) instead of counting overage</label></div>
</section>`;

const KEYS = `
<section id="keys" aria-labelledby="keys-title" hidden>
  <h2 id="keys-title" tabindex="-1">Keys</h2>
  <form id="issue"><label for="scope">Scope</label>
    <select id="scope"><option value="read">read</option><option value="webhooks" selected>webhooks: also subscriptions</option><option value="account">account: also keys and hard cap</option></select>
    <button>Issue a key</button></form>
  <div class="row"><input type="checkbox" id="ended"><label for="ended">Show keys that have ended</label></div>
  <div class="scroll" role="group" aria-label="Table of keys" tabindex="0"><table><thead><tr>
    <th scope="col">Key</th><th scope="col">Scope</th><th scope="col">Issued (UTC)</th><th scope="col">Last used (UTC)</th><th scope="col">Status</th><th scope="col">Actions</th>
  </tr></thead><tbody id="key-rows"></tbody></table></div>
  <p class="soft" id="no-keys" hidden>No key is live.</p>
</section>`;

const SUBSCRIPTIONS = `
<section id="subscriptions" aria-labelledby="subscriptions-title" hidden>
  <h2 id="subscriptions-title" tabindex="-1">Webhook subscriptions</h2>
  <form id="subscribe"><label for="url">Address</label><input type="url" id="url" required placeholder="https://example.com/hooks/risk">
    <button>Register for all events</button></form>
  <div class="scroll" role="group" aria-label="Table of subscriptions" tabindex="0"><table><thead><tr>
    <th scope="col">Address</th><th scope="col">Events</th><th scope="col">Status</th><th scope="col">Actions</th>
  </tr></thead><tbody id="subscription-rows"></tbody></table></div>
  <p class="soft" id="no-subscriptions" hidden>There are none.</p>
</section>`;

const DIALOGS = `
<dialog id="secret" aria-labelledby="secret-title" aria-describedby="secret-note">
  <h2 id="secret-title"></h2>
  <p id="secret-note">This is the only time it is shown. Keep it now; this page forgets it when you close this.</p>
  <div class="row"><input id="secret-text" class="code" aria-labelledby="secret-title" readonly autocomplete="off" spellcheck="false">
    <button type="button" id="copy">Copy</button> <button type="button" id="kept">I have kept it</button></div>
  <p role="status" id="copied"></p>
</dialog>
<dialog id="confirm" aria-labelledby="confirm-title" aria-describedby="confirm-note">
  <h2 id="confirm-title"></h2><p id="confirm-note"></p>
  <form method="dialog"><button value="" autofocus>Cancel</button> <button value="yes" id="confirm-yes"></button></form>
</dialog>`;

/** @param client the session of the request; null without one */
export function accountPageOf(environment: Environment, client: DashboardClient | null): string {
  const scopes = client?.scopes ?? [];
  const body = `<header data-scopes="${scopes.join(' ')}" data-key="${client?.key ?? ''}">
  <h1>Account <span id="name"></span></h1><span class="soft">${environment}</span>
  <span><a href="./">Dashboard</a>${client === null ? '' : ' <button type="button" id="sign-out">Sign out</button>'}</span></header>
<main>
<p role="alert" id="problem">${
    client === null ? 'You are not signed in. Open a one-time link of the dashboard first.' : ''
  }</p>
<p role="status" id="status"></p>${USE}${CAP}${KEYS}${SUBSCRIPTIONS}</main>${DIALOGS}`;
  return htmlOf('Account', body, ACCOUNT_SCRIPT);
}
