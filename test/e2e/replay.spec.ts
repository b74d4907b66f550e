// End to end: a self-hosted service replays real prices, and the window marks them as REPLAY.
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { writePriceFolder } from '../fixtures/price-folder.ts';
import { writeProfile } from '../harness/app.ts';
import { picture } from './inspection.ts';
import { test } from './test-host.ts';
import { windowOf } from './window.ts';

test('a replay of the crash of 2020 shows it day by day, marked REPLAY', { tag: '@long' }, async ({ host }) => {
  const service = await host.service({
    environment: 'production',
    prices: writePriceFolder(join(host.folder, 'prices')),
    // A day in twelve seconds, in the middle of the fall: the index is High Risk whenever the window opens, and the next day comes soon.
    clock: '2020-02-27T12:00:00Z,x7200',
    dataDir: join(host.folder, 'service'),
  });
  const dataDir = join(host.folder, 'app');
  writeProfile(dataDir, 'history', service.url, 'production');
  const { page, process } = await host.open({ dataDir, profile: 'history', key: service.key });
  const window = windowOf(page);

  await expect(window.environment).toContainText('PRODUCTION');
  await expect(window.environment).toContainText('REPLAY');
  await expect(page).toHaveTitle(/^(?!.*\[SANDBOX\]).*Barograph/);
  await window.row('SPX').click();
  await expect(window.chart('SPX')).toContainText('SPX from ');
  await expect(window.row('SPX')).toHaveAccessibleName(/^SPX, High Risk, /);
  await page.getByRole('button', { name: 'Transitions', exact: true }).click();
  await expect(page.getByRole('row', { name: /^(Mon|24 Feb) .*16:00 High Risk Normal/ })).toBeVisible();
  await picture(page, 'replay-2020');
  expect(new Set(await pricesOf(page, 'SPX')).size).toBe(1);
  // The close of the next session changes the state.
  const change = /change \S+ %$/.exec((await window.row('SPX').getAttribute('aria-label')) ?? '')?.[0];
  await expect(window.row('SPX')).not.toHaveAccessibleName(new RegExp(`${change}`), { timeout: 90_000 });
  expect(new Set(await pricesOf(page, 'SPX')).size).toBe(1);
  // No file of the app and none of its output holds the production key.
  expect(process.printed()).not.toContain(service.key);
});

/** The price in row, header and chart, at one instant. */
const pricesOf = (page: Page, symbol: string): Promise<(string | undefined)[]> =>
  page.evaluate(
    (of) => [
      document.querySelector(`[data-row="${of}"] .wl-price`)?.textContent,
      document.querySelector('.symbol-header .quote-price')?.textContent,
      / last ([^;]+);/.exec(document.querySelector('.chart figcaption')?.textContent ?? '')?.[1],
    ],
    symbol,
  );
