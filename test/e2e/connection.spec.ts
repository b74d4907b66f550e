// End to end: can Barograph see, and what comes in and goes out: a self-test, a target that receives a signed event, a delivery sent again, a refused
// one in the signature diagnostics; then the service stops and comes back, and indicators, gap and lists show it.
import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { barograph } from '../harness/app.ts';
import { TEST_KEY } from '../harness/service.ts';
import { violations } from './axe.ts';
import { savedBy } from './open-app.ts';
import { picture, test } from './test-host.ts';

test('connection and webhooks', async ({ host, page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  // Checked after the transition between themes.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const dataDir = join(host.folder, 'app');
  const world = {
    environment: 'sandbox',
    key: TEST_KEY,
    symbols: 6,
    clock: '2026-03-04T15:00:00Z,x1',
    db: join(host.folder, 'service.sqlite'),
  } as const;
  const service = await host.service(world);
  await barograph('profiles', 'add', 'desk', '--env', 'sandbox', '--url', service.url, '--data-dir', dataDir);
  await barograph('profiles', 'remove', 'sandbox', '--data-dir', dataDir);
  const app = await host.app({ dataDir, profile: 'desk', key: TEST_KEY });
  await page.goto(app.url);
  const go = (name: string) =>
    page.getByRole('navigation', { name: 'Pages' }).getByRole('button', { name, exact: true }).click();
  const expectIndicator = (name: string, state: string) =>
    expect(
      page
        .getByRole('list', { name: 'Connection health' })
        .getByRole('listitem')
        .filter({ hasText: `${name}: ${state}` }),
    ).toBeVisible();

  // From then on a webhook comes too.
  await go('Webhooks');
  await expect(page.getByText('The service delivers here.')).toBeVisible();
  await go('Connection');
  await test.step('the indicators are on, and it says how the service is spoken to', async () => {
    for (const name of ['Open', 'Bytes', 'Fresh', 'Verified']) await expectIndicator(name, 'works');
    await expect(page.getByText(`${service.url}/stream`)).toBeVisible();
    await expect(page.getByText('data, next_cursor')).toBeVisible();
    await expect(page.getByRole('table', { name: /^Usage, calls / }).getByRole('row')).not.toHaveCount(0);
  });

  await test.step('a self-test goes all the way to the user', async () => {
    const selfTest = page.getByRole('region', { name: 'Self-test' });
    // The focus stays where it is while the self-test runs, and after it was acknowledged.
    const run = selfTest.getByRole('button', { name: /^Run/ });
    await run.focus();
    await page.keyboard.press('d');
    const answer = selfTest.getByRole('button', { name: 'I saw it' });
    await expect(answer).toBeVisible();
    await expect(run).toBeFocused();
    await answer.click();
    await expect(run).toBeFocused();
    for (const step of [
      'Signed and sent by the service',
      'Received by webhook',
      'Recorded once, duplicate detected',
      'Rule matched',
      'Acknowledged',
    ])
      await expect(selfTest.getByRole('row', { name: new RegExp(`^passed ${step}`) })).toBeVisible();
    await expect(selfTest.getByRole('status')).toContainText('You would');
    await expect(selfTest.getByRole('button', { name: 'Run' })).toBeEnabled();
  });

  await test.step('the page can be taken along as text', async () => {
    await page.getByRole('button', { name: 'Copy report' }).click();
    await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
    const report = await page.evaluate(() => navigator.clipboard.readText());
    expect(report).toContain('Signed and sent by the service: passed');
    expect(report).not.toContain(TEST_KEY);
    await page.getByRole('button', { name: 'Problem report' }).click();
    const dialog = page.getByRole('dialog', { name: 'Problem report' });
    await expect(dialog.getByRole('textbox')).toHaveValue(/# Problem report of Barograph/);
    const { name, bytes } = await savedBy(page, () => dialog.getByRole('button', { name: 'Save' }).click());
    expect([name, bytes.includes(TEST_KEY)]).toEqual(['barograph-report.md', false]);
    await dialog.getByRole('button', { name: 'Close' }).click();
  });
  await seen(page, 'connection');

  await go('Webhooks');
  const own = page.getByRole('table', { name: 'Subscriptions' }).getByRole('row', { name: /^This computer/ });
  await expect(own).toContainText('Active');

  const target = await listen();
  await test.step('a target gets what happens, signed by its own secret', async () => {
    await page.getByRole('button', { name: 'Add target' }).click();
    const dialog = page.getByRole('dialog');
    const address = dialog.getByRole('textbox', { name: 'Address of the program' });
    await address.fill('127.0.0.1:8099');
    await dialog.getByRole('button', { name: 'Add target' }).click();
    await expect(dialog.getByRole('alert')).toContainText('Write the whole address, like http://127.0.0.1');
    await address.fill('http://203.0.113.9/hook');
    await dialog.getByRole('textbox', { name: 'Symbols' }).fill('SPY, §');
    await dialog.getByRole('button', { name: 'Add target' }).click();
    await expect(dialog.getByRole('alert')).toHaveText('No symbol: §.');
    await dialog.getByRole('textbox', { name: 'Symbols' }).fill('SPY');
    await dialog.getByRole('button', { name: 'Add target' }).click();
    await expect(dialog.getByRole('alert')).toContainText('neither this computer nor in its own network');
    await address.fill(target.url);
    await dialog.getByRole('button', { name: 'Add target' }).click();
    const secret = await page.getByRole('dialog').getByRole('textbox', { name: 'Secret', exact: true }).inputValue();
    // It cannot be shown again: only the button hides it.
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog').getByRole('status')).toContainText('Esc does not close this');
    await expect(page.getByRole('dialog').getByRole('textbox', { name: 'Secret', exact: true })).toHaveValue(secret);
    await page.getByRole('button', { name: 'I have saved it' }).click();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await service.trigger('signal.high_risk', 'QQQ');
    const [id = ''] = (await service.trigger('signal.high_risk', 'SPY')).slice(-1);
    await expect.poll(() => target.got.some(({ body }) => body.includes(id))).toBe(true);
    const signed = (body: string): string => createHmac('sha256', keyOf(secret)).update(body).digest('hex');
    expect(target.got).toEqual(target.got.map(({ body, path }) => ({ body, path, signature: signed(body) })));
    expect(target.got.filter(({ body }) => body.includes('"symbol":"QQQ"'))).toEqual([]);
    await expect(
      page.getByRole('table', { name: 'Passed on by this computer' }).getByRole('row', { name: /hook/ }),
    ).toContainText('Delivering');
  });

  await test.step('the log of deliveries, and one of them sent again', async () => {
    await own.getByRole('button').click();
    const deliveries = page.getByRole('table', { name: 'Deliveries' });
    await deliveries
      .getByRole('row', { name: /signal\.high_risk SPY/ })
      .first()
      .getByRole('button')
      .click();
    await expect(page.getByText('Proven here by X-Service-Signature')).toBeVisible();
    await page.keyboard.press('r');
    await expect(page.getByText('It is being sent again.')).toBeVisible();
    await expect(deliveries.getByRole('row', { name: /sent again/ })).toBeVisible();
    await page.getByRole('button', { name: 'Recover since' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Send again' }).click();
    await expect(page.getByRole('dialog').getByText(/^\d+ queued\.$/)).toBeVisible();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Failed' }).click();
    await page.getByRole('button', { name: 'Show all' }).click();
  });
  await seen(page, 'webhooks');

  await test.step('a delivery without the secret is refused, and the signature diagnostics say why', async () => {
    await own.getByRole('button').click();
    await page.getByRole('button', { name: 'Show the whole address' }).click();
    const address = await page.getByRole('textbox', { name: 'Address' }).inputValue();
    await page.getByRole('button', { name: 'Done' }).click();
    const headers = { 'content-type': 'application/json', 'x-service-signature': `sha256=${'0'.repeat(64)}` };
    expect((await fetch(address, { method: 'POST', headers, body: '{}' })).status).toBe(401);
    await page.getByRole('button', { name: 'Refused here' }).click();
    await page
      .getByRole('table', { name: 'Refused here' })
      .getByRole('row', { name: /wrong signature/ })
      .getByRole('button')
      .click();
    await expect(page.getByRole('list', { name: 'Signature doctor' }).getByRole('listitem')).not.toHaveCount(0);
    await picture(page, 'webhooks-refused');
  });

  await test.step('the service goes: both pages say what is not seen', async () => {
    await service.process.stop();
    await go('Connection');
    await expectIndicator('Open', 'down');
    await expect(page.getByRole('region', { name: /^Not receiving data since / })).toBeVisible();
    const gap = page.getByRole('table', { name: 'Gaps' }).getByRole('row').nth(1);
    await expect(gap).toContainText('open, filled after reconnecting');
    expect(await violations(page)).toEqual([]);
    await picture(page, 'connection-offline');
    await go('Webhooks');
    await expect(page.getByText(/does not answer/).first()).toBeVisible();
    await picture(page, 'webhooks-offline');
    await go('Connection');
    await host.service({ ...world, port: service.port });
    await expect(gap).toContainText('filled, ');
    await expectIndicator('Open', 'works');
    await expect(page.getByText(/Back in /)).toBeVisible();
  });

  await test.step('removing a target asks once, naming it', async () => {
    await go('Webhooks');
    await page
      .getByRole('table', { name: 'Passed on by this computer' })
      .getByRole('button', { name: target.url })
      .click();
    await page.getByRole('button', { name: 'Remove' }).click();
    const dialog = page.getByRole('dialog', { name: 'Remove this target?' });
    await expect(dialog).toContainText(target.url);
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await expect(page.getByText('Nothing is passed on.')).toBeVisible();
  });
  target.close();
});

/** axe in both themes, and pictures at both sizes. */
async function seen(page: Page, name: string): Promise<void> {
  await test.step(`${name}: inspected`, async () => {
    for (const [theme, other] of [
      ['dark', 'Light theme'],
      ['light', 'Dark theme'],
    ] as const) {
      expect(await violations(page)).toEqual([]);
      await picture(page, `${name}-${theme}`);
      await page.setViewportSize({ width: 900, height: 600 });
      await picture(page, `${name}-${theme}-900x600`);
      await page.setViewportSize({ width: 1440, height: 900 });
      await page.getByRole('button', { name: other }).click();
    }
  });
}

/** As Standard Webhooks has it: behind whsec_ stand the key's bytes in base64. */
const keyOf = (secret: string): string | Buffer =>
  secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : secret;

/** A program of the trader's that takes webhooks. */
async function listen() {
  const got: { body: string; path: string | undefined; signature: string | undefined }[] = [];
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString('utf8');
    got.push({ body, path: request.url, signature: request.headers['x-service-signature']?.toString() });
    response.writeHead(200).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    got,
    url: `http://127.0.0.1:${port}/hook`,
    close: () => void server.close(() => undefined).closeAllConnections(),
  };
}
