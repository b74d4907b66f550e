// End to end: a self-hosted service replays real prices, and the window says REPLAY while it shows them turning.
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { writePriceFolder } from '../fixtures/price-folder.ts';
import { barograph } from '../harness/app.ts';
import { picture, test } from './test-host.ts';
import { windowOf } from './window.ts';

test('the crash of 2020 is seen again day by day, marked REPLAY', async ({ host, page }) => {
  const service = await host.service({
    environment: 'production',
    prices: writePriceFolder(join(host.folder, 'prices')),
    // A day in twelve seconds, from the middle of the fall: whenever the window comes, the index is High Risk, and its next day is not far.
    clock: '2020-02-27T12:00:00Z,x7200',
    dataDir: join(host.folder, 'service'),
  });
  const dataDir = join(host.folder, 'app');
  await barograph('profiles', 'add', 'history', '--env', 'production', '--url', service.url, '--data-dir', dataDir);
  await barograph('profiles', 'remove', 'sandbox', '--data-dir', dataDir);
  const app = await host.app({ dataDir, profile: 'history', key: service.key });
  const window = windowOf(page);
  await page.goto(app.url);

  await expect(window.environment).toContainText('PRODUCTION');
  await expect(window.environment).toContainText('REPLAY');
  await expect(page).toHaveTitle(/^(?!\[SANDBOX\]).*Barograph/);
  await window.row('SPX').click();
  await expect(window.chart('SPX')).toContainText('SPX from ');
  await expect(window.row('SPX')).toHaveAccessibleName(/^SPX, High Risk, /);
  await page.getByRole('button', { name: 'Transitions', exact: true }).click();
  await expect(page.getByRole('row', { name: /^(Mon|24 Feb) .*16:00 High Risk Normal/ })).toBeVisible();
  await picture(page, 'replay-2020');
  // The next session's close moves it on.
  const change = /change \S+ %$/.exec((await window.row('SPX').getAttribute('aria-label')) ?? '')?.[0];
  await expect(window.row('SPX')).not.toHaveAccessibleName(new RegExp(`${change}`), { timeout: 90_000 });
  // The key of production stands in no file of the app and in nothing that it printed.
  expect(app.process.printed()).not.toContain(service.key);
});
