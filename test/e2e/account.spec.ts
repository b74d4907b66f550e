// End to end: the pages of the dashboard: its one-time link, and the account by keyboard, in both themes.
import { expect, type Locator, type Page } from '@playwright/test';
import { nodeScript, type RunningProcess, start } from '../harness/processes.ts';
import { isInspected, picture, violations } from './inspection.ts';
import { test } from './test-host.ts';

const KEY = 'svc_test_accountpageaccount001';

interface Rig {
  readonly service: RunningProcess;
  readonly url: string;
  readonly dashboard: string;
  /** Printed at the start: it signs one browser in. */
  readonly link: string;
}

/** Most tests share it, in their order: the last one ends its key. */
let rig: Rig;
test.beforeAll(async () => {
  rig = await started();
});
test.afterAll(() => rig.service.kill());

async function started(): Promise<Rig> {
  const flags = ['--port', '0', '--dashboard-port', '0', '--symbols', '1', '--key', KEY];
  const service = start(process.execPath, [...nodeScript('service'), ...flags, '--clock', '2026-03-02T14:30:00Z']);
  const [, url = ''] = await service.line(/^ready (\S+)$/, 90_000);
  const [, dashboard = ''] = await service.line(/^dashboard (\S+)$/);
  const [, link = ''] = await service.line(/^dashboard-link (\S+)$/);
  return { service, url, dashboard, link };
}

/** Signs the browser in by a link of this key, and opens the page. */
async function open(page: Page, { dashboard }: Rig, key = KEY, scopes?: readonly string[]): Promise<void> {
  const answer = await fetch(`${dashboard}/link`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify(scopes === undefined ? {} : { scopes }),
  });
  await page.goto((await answer.json()).link);
  await expect(page.locator('#session')).toContainText('You are signed in');
  await page.getByRole('link', { name: 'Account: keys, use, subscriptions' }).click();
  await expect(page.getByRole('heading', { name: /^Account ./ })).toBeVisible();
}

const statusWith = async ({ url }: Rig, key: string): Promise<number> =>
  (await fetch(`${url}/snapshot`, { headers: { 'x-api-key': key } })).status;
const rowOf = (page: Page, key: string): Locator => page.getByRole('row').filter({ hasText: key.slice(-4) });
/** The text of the page, its fields, its storage, its address and its cookies: none may hold a key. */
const keptBy = (page: Page): Promise<string> =>
  page.evaluate(() =>
    [
      document.documentElement.outerHTML,
      ...[...document.querySelectorAll('input')].map(({ value }) => value),
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state]),
      location.href,
      document.cookie,
    ].join('\n'),
  );

async function inspected(page: Page, name: string): Promise<void> {
  if (!isInspected) return;
  await page.emulateMedia({ reducedMotion: 'reduce' });
  for (const colorScheme of ['light', 'dark'] as const)
    for (const [width, height] of [
      [1440, 900],
      [900, 600],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height });
      expect(await violations(page)).toEqual([]);
      // No element overflows the window, nor a table its visible part.
      expect(
        await page.evaluate(() =>
          [document.documentElement, ...document.querySelectorAll('.scroll')].map(
            (one) => one.scrollWidth - one.clientWidth,
          ),
        ),
      ).toEqual([0, 0, 0]);
      await picture(page, `${name}-${colorScheme}-${width}x${height}`);
    }
}

test('a one-time link signs a browser in, whose own EventSource then reads without a key', async ({ page }) => {
  await page.goto(rig.dashboard);
  await expect(page.locator('#session')).toContainText('You are not signed in');
  await page.goto(rig.link);
  await page.reload();
  await expect(page.locator('#session')).toContainText('You are signed in for: read, trigger, subscriptions');
  expect(page.url()).not.toContain('t=');
  const opened = await page.evaluate(
    () =>
      new Promise<boolean>((resolve) => {
        const source = new EventSource('/api/proxy/stream');
        source.addEventListener('signal.high_risk', ({ data }) => {
          document.title = JSON.parse(data).data.symbol;
        });
        source.onopen = () => resolve(true);
        source.onerror = () => resolve(false);
      }),
  );
  expect(opened).toBe(true);
  await fetch(`${rig.url}/sandbox/trigger`, {
    method: 'POST',
    headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
    body: JSON.stringify({ event: 'signal.high_risk', symbol: 'SPY' }),
  });
  await expect(page).toHaveTitle('SPY');
});

test('a key is issued by keyboard, shown once, rotated and revoked', async ({ page }) => {
  const errors: string[] = [];
  page.on('pageerror', ({ message }) => void errors.push(message));
  page.on('console', (line) => line.type() === 'error' && void errors.push(line.text()));
  await open(page, rig);
  await expect(rowOf(page, KEY)).toContainText('this session');
  const dialog = page.getByRole('dialog', { name: 'The new key' });
  const shown = dialog.getByRole('textbox');

  await page.getByLabel('Scope').focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(dialog).toBeVisible();
  const first = await shown.inputValue();
  expect(first).toMatch(/^svc_test_\w{38}$/);
  await inspected(page, 'account-new-key');
  // Escape does not close the dialog: the key is shown only once.
  await page.keyboard.press('Escape');
  await expect(shown).toHaveValue(first);
  await dialog.getByRole('button', { name: 'I have kept it' }).press('Enter');
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('heading', { name: 'Keys' })).toBeFocused();
  expect(await keptBy(page)).not.toContain(first.slice(9, 30));
  expect(await statusWith(rig, first)).toBe(200);

  await rowOf(page, first)
    .getByRole('button', { name: /^Rotate svc_test_/ })
    .click();
  await page.getByRole('button', { name: 'Rotate', exact: true }).click();
  await expect(dialog).toBeVisible();
  const second = await shown.inputValue();
  await dialog.getByRole('button', { name: 'I have kept it' }).click();
  await expect(rowOf(page, first)).toContainText('live until');

  const revoke = rowOf(page, second).getByRole('button', { name: /^Revoke svc_test_/ });
  await revoke.click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(revoke).toBeFocused();
  expect(await statusWith(rig, second)).toBe(200);
  await revoke.click();
  await page.getByRole('button', { name: 'Revoke', exact: true }).click();
  await expect(page.getByRole('status').filter({ hasText: 'is revoked' })).toBeVisible();
  expect(await statusWith(rig, second)).toBe(401);
  await expect(rowOf(page, second)).toHaveCount(0);
  await page.getByLabel('Show keys that have ended').check();
  await expect(rowOf(page, second)).toContainText('revoked');
  await inspected(page, 'account');
  // Leaving the page while it shows a key removes the key as well.
  await page.getByRole('button', { name: 'Issue a key' }).click();
  const third = await shown.inputValue();
  await page.goto(rig.dashboard);
  await page.goBack();
  await expect(rowOf(page, third)).toBeVisible();
  expect(await keptBy(page)).not.toContain(third.slice(9, 30));
  expect(errors).toEqual([]);
});

test('a secret is shown also when the list cannot be read after it', { tag: '@long' }, async ({ page }) => {
  const own = await started();
  try {
    await open(page, own);
    await expect(rowOf(page, KEY)).toContainText('this session');
    const refusal = { status: 429, json: { code: 'rate_limited', message: 'Too many requests.' } };
    for (const list of ['account/keys', 'signals/subscriptions'])
      await page.route(`**/api/proxy/${list}?limit=100`, (route) => route.fulfill(refusal));
    const shown = async (name: string): Promise<string> => {
      const dialog = page.getByRole('dialog', { name });
      const secret = await dialog.getByRole('textbox').inputValue();
      await dialog.getByRole('button', { name: 'I have kept it' }).click();
      await expect(page.getByRole('alert')).toContainText('Too many requests.');
      return secret;
    };

    await page.getByRole('button', { name: 'Issue a key' }).click();
    expect(await statusWith(own, await shown('The new key'))).toBe(200);
    await rowOf(page, KEY)
      .getByRole('button', { name: /^Rotate / })
      .click();
    await page.getByRole('button', { name: 'Rotate', exact: true }).click();
    expect(await statusWith(own, await shown('The new key'))).toBe(200);
    await page.getByLabel('Address').fill('http://127.0.0.1:9/hook');
    await page.getByRole('button', { name: 'Register for all events' }).click();
    expect(await shown('The signing secret')).toHaveLength(44);
  } finally {
    await own.service.kill();
  }
});

test('a session that only reads shows the use, and no keys', { tag: '@long' }, async ({ page }) => {
  await open(page, rig, KEY, ['read']);
  await expect(page.getByRole('link', { name: 'Download CSV' })).toBeVisible();
  await expect(page.getByRole('alert')).toContainText('has not the scope account');
  await expect(page.getByRole('table')).toHaveCount(0);
  await expect(page.getByRole('button')).toHaveText(['Sign out']);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByRole('alert')).toContainText('You are signed out.');
  await page.reload();
  await expect(page.getByRole('alert')).toContainText('You are not signed in.');
});

test('use is downloaded, the hard cap is set, a subscription is registered, and the end of the session shows', {
  tag: '@long',
}, async ({ page }) => {
  await open(page, rig);
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download CSV' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^usage-acct_\w+-\d{4}-\d{2}\.csv$/);
  const chunks: Buffer[] = [];
  for await (const chunk of await file.createReadStream()) chunks.push(chunk);
  expect(Buffer.concat(chunks).toString()).toMatch(
    /^account,month,plan,.*\r\nacct_\w+,\d{4}-\d{2},pro,250000,\d+,\d+,/,
  );

  await page.getByLabel(/^Hard cap/).check();
  await expect(page.getByRole('status').filter({ hasText: 'Calls beyond the quota are refused.' })).toBeVisible();
  await page.reload();
  await expect(page.getByLabel(/^Hard cap/)).toBeChecked();

  await page.getByLabel('Address').fill('http://127.0.0.1:9/<b>hook</b>');
  await page.getByRole('button', { name: 'Register for all events' }).click();
  const dialog = page.getByRole('dialog', { name: 'The signing secret' });
  const secret = await dialog.getByRole('textbox').inputValue();
  expect(secret).toHaveLength(44);
  await dialog.getByRole('button', { name: 'I have kept it' }).click();
  expect(await keptBy(page)).not.toContain(secret);
  const row = page.getByRole('row').filter({ hasText: 'http://127.0.0.1:9/' });
  await expect(row).toContainText('<b>hook</b>');
  // The answer to an action far down the page is shown where the user is.
  await page.setViewportSize({ width: 900, height: 600 });
  await page.getByLabel('Address').fill('ftp://127.0.0.1/x');
  await page.getByRole('button', { name: 'Register for all events' }).click();
  await expect(page.getByRole('alert')).toContainText('must be an address that begins with https://');
  await expect(page.getByRole('alert')).toBeInViewport();
  await expect(page.getByLabel('Address')).toBeInViewport();
  await row.getByRole('button', { name: /^Delete / }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(row).toHaveCount(0);

  await rowOf(page, KEY)
    .getByRole('button', { name: /^Revoke / })
    .click();
  await expect(page.getByRole('dialog')).toContainText('This session began with it, and ends too.');
  await page.getByRole('button', { name: 'Revoke', exact: true }).click();
  await expect(page.getByRole('alert')).toContainText('Your session is over.');
  await expect(page.getByRole('table')).toHaveCount(0);
  expect(await keptBy(page)).not.toContain(KEY.slice(-4));
  await page.reload();
  await expect(page.getByRole('alert')).toContainText('You are not signed in.');
  await inspected(page, 'account-signed-out');
});
