// Service, proxy: the script of the account page, as text.
// It writes text nodes only, and keeps no secret.

export const ACCOUNT_SCRIPT = `
'use strict';
const $ = (id) => document.getElementById(id);
const { scopes: given, key: ownKey } = document.querySelector('header').dataset;
const scopes = given.split(' ').filter(Boolean);
const may = (scope) => scopes.includes(scope);

/** An element with properties and children; text is text, never HTML. */
const element = (tag, properties, ...children) => {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
};
const time = (text) => text === null ? 'never' : element('time', { dateTime: text, textContent: text.slice(0, 16).replace('T', ' ') });
const number = (count) => count.toLocaleString('en');
const say = (text) => { $('status').textContent = text; };
const complain = (text) => { $('problem').textContent = text; };

/** Ends what the page shows: nothing of an account stays visible without a session. */
const over = (text) => {
  forget();
  for (const section of document.querySelectorAll('section')) section.hidden = true;
  for (const id of ['figures', 'account', 'key-rows', 'subscription-rows', 'name', 'confirm-title', 'confirm-note']) $(id).replaceChildren();
  say('');
  complain(text);
};

const call = async (method, path, body, headers) => {
  let answer;
  try {
    answer = await fetch('api/proxy' + path, {
      method,
      cache: 'no-store',
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  } catch {
    throw new Error('The dashboard does not answer. Load this page again to see what was done.');
  }
  const read = await answer.json().catch(() => ({}));
  if (answer.status === 401) {
    over('Your session is over. Open a new one-time link of the dashboard.');
    throw new Error('');
  }
  if (!answer.ok) throw new Error(read.message ?? 'The dashboard answered ' + answer.status + '.');
  return read;
};
const get = (path) => call('GET', path);
/** Every row of a list, page by page. */
const rowsOf = async (path) => {
  const rows = [];
  for (let after = null, page = 0; page < 20; page += 1) {
    const { data, next_cursor } = await get(path + '?limit=100' + (after === null ? '' : '&after=' + encodeURIComponent(after)));
    rows.push(...data);
    if (next_cursor === null) break;
    after = next_cursor;
  }
  return rows;
};
/** One request is one key, also when a proxy between repeats it. */
const once = () => ({ 'idempotency-key': [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('') });

const attempt = async (work) => {
  complain('');
  say('');
  try {
    await work();
  } catch ({ message }) {
    if (message !== '') complain(message);
  }
};
/** Controls at work. They are not disabled, because that would take the focus from them. */
const busy = new WeakSet();
const act = async (control, work) => {
  if (busy.has(control)) return;
  busy.add(control);
  control.ariaBusy = 'true';
  await attempt(work);
  control.ariaBusy = null;
  busy.delete(control);
};

// A secret is in one field of one dialog, and gone when that closes or the page is left. It is shown before
// anything else is requested: a list that cannot be read must not cost it.
const forget = () => { $('secret-text').value = ''; $('copied').textContent = ''; $('secret').close(); };
let returnTo = null;
const showOnce = (title, secret, heading) => {
  $('secret-title').textContent = title;
  $('secret-text').value = secret;
  returnTo = heading;
  $('secret').showModal();
  $('secret-text').select();
};
$('kept').onclick = forget;
$('secret').oncancel = (event) => event.preventDefault();
$('secret').onclose = () => { $('secret-text').value = ''; returnTo?.focus(); };
addEventListener('pagehide', forget);
$('copy').onclick = async () => {
  $('secret-text').select();
  const copied = await navigator.clipboard?.writeText($('secret-text').value).then(() => true, () => false);
  $('copied').textContent = copied ? 'Copied.' : 'This browser does not let the page copy: copy the selected text yourself.';
};

const confirmed = (title, note, yes) => new Promise((resolve) => {
  const dialog = $('confirm');
  $('confirm-title').textContent = title;
  $('confirm-note').textContent = note;
  $('confirm-yes').textContent = yes;
  dialog.returnValue = '';
  dialog.onclose = () => resolve(dialog.returnValue === 'yes');
  dialog.showModal();
});

const pairs = (list, rows) => list.replaceChildren(...rows.flatMap(([name, value]) => [element('dt', { textContent: name }), element('dd', {}, value)]));

const showUse = async () => {
  const month = $('month').value;
  const use = await get('/account/usage?month=' + month);
  if ($('month').value !== month) return;
  $('name').textContent = use.account;
  pairs($('figures'), [
    ['Calls', number(use.calls)],
    ['Quota', use.quota === null ? 'none' : number(use.quota)],
    ['Overage', number(use.overage)],
  ]);
  $('use-note').textContent = use.counted
    ? use.hard_cap ? 'At the quota calls are refused.' : 'Calls beyond the quota are overage.'
    : 'Calls are free here and not counted.';
  for (const format of ['csv', 'json']) {
    $(format).href = 'api/proxy/account/usage?format=' + format + '&month=' + month;
    $(format).download = 'usage-' + use.account + '-' + month + '.' + format;
  }
};

const showAccount = (account) => {
  $('name').textContent = account.id;
  pairs($('account'), [
    ['Plan', account.plan + ': ' + number(account.burst) + ' calls at once, ' + number(account.sustained) + ' a minute'],
    ['Owner', account.owner_email ?? 'none: notices go to the operator of the service'],
  ]);
  $('cap').checked = account.hard_cap;
};

const nameOf = ({ prefix, ending }) => prefix + '\\u2026' + ending;
let keys = [];
const showKeys = () => {
  const shown = keys.filter(({ status }) => status === 'live' || $('ended').checked);
  $('no-keys').hidden = shown.length > 0;
  $('key-rows').replaceChildren(...shown.map((key) => element('tr', {},
    element('td', {}, element('code', { textContent: nameOf(key), title: key.id }), key.id === ownKey ? ' (this session)' : ''),
    element('td', { textContent: key.scope }),
    element('td', {}, time(key.created_at)),
    element('td', {}, time(key.last_used_at)),
    element('td', {}, key.status, ...(key.status === 'live' && key.expires_at !== null ? [' until ', time(key.expires_at)] : [])),
    element('td', {}, ...(key.status === 'live' ? [element('div', { className: 'row' },
      action('Rotate', nameOf(key), () => rotate(key)), action('Revoke', nameOf(key), () => revoke(key)))] : [])),
  )));
};
const readKeys = async () => { keys = await rowsOf('/account/keys'); showKeys(); };
const action = (label, of, work) => {
  const button = element('button', { type: 'button', textContent: label, ariaLabel: label + ' ' + of });
  button.onclick = () => act(button, work);
  return button;
};
const rotate = async (key) => {
  const note = 'You get a new key of the scope ' + key.scope + '. The old one keeps working for a day.';
  if (!await confirmed('Rotate ' + nameOf(key) + '?', note, 'Rotate')) return;
  const made = await call('POST', '/account/keys/' + key.id + '/rotate', {}, once());
  showOnce('The new key', made.key, $('keys-title'));
  await readKeys();
};
const revoke = async (key) => {
  const note = 'It ends at once, with its streams and its sessions.' + (key.id === ownKey ? ' This session began with it, and ends too.' : '');
  if (!await confirmed('Revoke ' + nameOf(key) + '?', note, 'Revoke')) return;
  await call('DELETE', '/account/keys/' + key.id);
  await readKeys();
  say(nameOf(key) + ' is revoked.');
  $('keys-title').focus();
};

const showSubscriptions = async () => {
  const rows = await rowsOf('/signals/subscriptions');
  $('no-subscriptions').hidden = rows.length > 0;
  $('subscription-rows').replaceChildren(...rows.map((one) => element('tr', {},
    element('td', { className: 'wide' }, element('code', { textContent: one.url })),
    element('td', { className: 'wide', textContent: one.events.join(', ') }),
    element('td', { className: one.paused_reason === null ? '' : 'wide' }, one.status, one.paused_reason === null ? '' : '. ' + one.paused_reason),
    element('td', {}, element('div', { className: 'row' },
      ...(one.status === 'paused' ? [action('Resume', one.url, () => resume(one))] : []),
      action('Delete', one.url, () => remove(one)))),
  )));
};
const resume = async ({ id, url }) => {
  await call('POST', '/signals/subscriptions/' + id + '/resume', {});
  await showSubscriptions();
  say(url + ' is active. What it missed is sent now.');
  $('subscriptions-title').focus();
};
const remove = async ({ id, url }) => {
  if (!await confirmed('Delete this subscription?', url + ' gets no more events, and its deliveries are forgotten.', 'Delete')) return;
  await call('DELETE', '/signals/subscriptions/' + id);
  await showSubscriptions();
  say(url + ' is deleted.');
  $('subscriptions-title').focus();
};

$('month').onchange = () => attempt(showUse);
$('ended').onchange = showKeys;
$('cap').onclick = (event) => { if (busy.has($('cap'))) event.preventDefault(); };
$('cap').onchange = () => act($('cap'), async () => {
  const wanted = $('cap').checked;
  const account = await call('POST', '/account/hard-cap', { hard_cap: wanted }).catch((error) => {
    $('cap').checked = !wanted;
    throw error;
  });
  showAccount(account);
  if (may('read')) await showUse();
  say(wanted ? 'Calls beyond the quota are refused.' : 'Calls beyond the quota are counted as overage.');
});
$('issue').onsubmit = (event) => {
  event.preventDefault();
  act(event.submitter ?? $('scope'), async () => {
    const made = await call('POST', '/account/keys', { scope: $('scope').value }, once());
    showOnce('The new key', made.key, $('keys-title'));
    await readKeys();
  });
};
$('subscribe').onsubmit = (event) => {
  event.preventDefault();
  act(event.submitter ?? $('url'), async () => {
    const made = await call('POST', '/signals/subscribe', { url: $('url').value }, once());
    $('url').value = '';
    if (made.signing_secret === undefined) say('This address is registered already.');
    else showOnce('The signing secret', made.signing_secret, $('subscriptions-title'));
    await showSubscriptions();
  });
};
if ($('sign-out') !== null) $('sign-out').onclick = () => act($('sign-out'), async () => {
  const answer = await fetch('session', { method: 'DELETE' });
  if (answer.ok) over('You are signed out.');
  else complain('The session could not be ended. Try again.');
});

/** The present month and the eleven before. */
const months = () => {
  const now = new Date();
  return Array.from({ length: 12 }, (_, back) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1)).toISOString().slice(0, 7));
};
const begin = async () => {
  $('month').append(...months().map((name) => element('option', { value: name, textContent: name })));
  const parts = [
    [may('read'), 'use', showUse],
    [may('account'), 'terms', async () => showAccount(await get('/account'))],
    [may('account'), 'keys', readKeys],
    [may('subscriptions'), 'subscriptions', showSubscriptions],
  ];
  for (const [allowed, id, show] of parts) {
    if (!allowed) continue;
    await show();
    $(id).hidden = false;
  }
  if (!may('account')) complain('This session has not the scope account: keys and terms need a link made with a key of that scope.');
};
if (scopes.length > 0) begin().catch(({ message }) => { if (message !== '') complain(message); });
`;
