// End to end: a trader uses the settings' sections Connection and Webhooks, with a service and without.
// A target gets signed events; one is sent again, one refused; indicators, gap and lists show an outage.
import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { writeProfile } from '../harness/app.ts';
import { TEST_KEY } from '../harness/service.ts';
import { inspectThemes, picture, violations } from './inspection.ts';
import { savedBy } from './open-app.ts';
import { test } from './test-host.ts';
import { turnTo } from './window.ts';

test('the settings show, test and change the connection and the webhooks', { tag: '@long' }, async ({ host }) => {
  const dataDir = join(host.folder, 'app');
  const world = {
    environment: 'sandbox',
    key: TEST_KEY,
    symbols: 6,
    clock: '2026-03-04T15:00:00Z,x1',
    db: join(host.folder, 'service.sqlite'),
  } as const;
  const service = await host.service(world);
  writeProfile(dataDir, 'desk', service.url);
  const { page } = await host.open({ dataDir, profile: 'desk', key: TEST_KEY });
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  // Without transitions, axe sees the final colours.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const go = (section: string) => turnTo(page, 'Settings', section);
  const expectIndicator = (name: string, state: string) =>
    expect(
      page
        .getByRole('list', { name: 'Connection health' })
        .getByRole('listitem')
        .filter({ hasText: `${name}: ${state}` }),
    ).toBeVisible();

  // From now on events also arrive by webhook.
  await go('Webhooks');
  await expect(page.getByText('The service delivers here.')).toBeVisible();
  await go('Connection');
  await test.step('the indicators are on, and the page describes the connection', async () => {
    for (const name of ['Open', 'Bytes', 'Fresh', 'Verified']) await expectIndicator(name, 'works');
    await expect(page.getByText(`${service.url}/stream`)).toBeVisible();
    await expect(page.getByText('data, next_cursor')).toBeVisible();
    await expect(page.getByRole('table', { name: /^Usage, calls / }).getByRole('row')).not.toHaveCount(0);
  });

  await test.step('a self-test reaches the user', async () => {
    const selfTest = page.getByRole('region', { name: 'Self-test' });
    // The focus stays while the self-test runs and after it is acknowledged.
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

  await test.step('the page can be copied as text', async () => {
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
  await inspectThemes(page, 'connection');

  await go('Webhooks');
  const own = page.getByRole('table', { name: 'Subscriptions' }).getByRole('row', { name: /^This computer/ });
  await expect(own).toContainText('Active');

  const target = await listen();
  await test.step('a target receives events, signed with its own secret', async () => {
    await page.getByRole('button', { name: 'Add target' }).click();
    const dialog = page.getByRole('dialog');
    const address = dialog.getByRole('textbox', { name: 'Address of the program' });
    await address.fill('http://203.0.113.9/hook');
    await dialog.getByRole('textbox', { name: 'Symbols' }).fill('SPY');
    await dialog.getByRole('button', { name: 'Add target' }).click();
    await expect(dialog.getByRole('alert')).toContainText('neither this computer nor in its own network');
    await address.fill(target.url);
    await dialog.getByRole('button', { name: 'Add target' }).click();
    const secret = await page.getByRole('dialog').getByRole('textbox', { name: 'Secret', exact: true }).inputValue();
    await page.getByRole('button', { name: 'I have saved it' }).click();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await service.trigger('signal.high_risk', 'QQQ');
    const [id = ''] = (await service.trigger('signal.high_risk', 'SPY')).slice(-1);
    await expect.poll(() => target.got.some(({ body }) => body.includes(id))).toBe(true);
    const signed = (body: string): string => createHmac('sha256', keyOf(secret)).update(body).digest('hex');
    expect(target.got).toEqual(target.got.map(({ body, path }) => ({ body, path, signature: signed(body) })));
    expect(target.got.filter(({ body }) => body.includes('"symbol":"QQQ"'))).toEqual([]);
    await expect(
      page.getByRole('table', { name: 'Forwarded by this computer' }).getByRole('row', { name: /hook/ }),
    ).toContainText('Delivering');
  });

  await test.step('the log of deliveries, from which one is sent again', async () => {
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
    await page.getByRole('button', { name: 'Resend' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Send again' }).click();
    await expect(page.getByRole('dialog').getByText(/^\d+ queued\.$/)).toBeVisible();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Failed' }).click();
    await page.getByRole('button', { name: 'Show all' }).click();
  });
  await inspectThemes(page, 'webhooks');

  await test.step('a delivery without the secret is refused, and the signature diagnostics say why', async () => {
    await own.getByRole('button').click();
    await page.getByRole('button', { name: 'Show the full address' }).click();
    const address = await page.getByRole('textbox', { name: 'Address', exact: true }).inputValue();
    await page.getByRole('button', { name: 'Done' }).click();
    const headers = { 'content-type': 'application/json', 'x-service-signature': `sha256=${'0'.repeat(64)}` };
    expect((await fetch(address, { method: 'POST', headers, body: '{}' })).status).toBe(401);
    await page.getByRole('button', { name: 'Refused here' }).click();
    await page
      .getByRole('table', { name: 'Refused here' })
      .getByRole('row', { name: /wrong signature/ })
      .getByRole('button')
      .click();
    await expect(page.getByRole('list', { name: 'Signature check' }).getByRole('listitem')).not.toHaveCount(0);
    await picture(page, 'webhooks-refused');
  });

  await test.step('the service stops: both pages show what is missing', async () => {
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

  await test.step('removing a target asks once and names it', async () => {
    await go('Webhooks');
    await page
      .getByRole('table', { name: 'Forwarded by this computer' })
      .getByRole('button', { name: target.url })
      .click();
    await page.getByRole('button', { name: 'Remove' }).click();
    const dialog = page.getByRole('dialog', { name: 'Remove this target?' });
    await expect(dialog).toContainText(target.url);
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await expect(page.getByText('Nothing is forwarded.')).toBeVisible();
  });
  target.close();
});

/** Standard Webhooks: after whsec_ come the bytes of the key in base64. */
const keyOf = (secret: string): string | Buffer =>
  secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : secret;

/** A program of the trader that receives webhooks. */
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
