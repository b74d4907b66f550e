// End to end: from the first run to a production key, own prices, validation and settings.
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, type Locator, type Page } from '@playwright/test';
import { writePriceFolder } from '../fixtures/price-folder.ts';
import { filesHolding, holds } from '../harness/search.ts';
import { picture, violations } from './inspection.ts';
import { test } from './test-host.ts';
import { turnTo, windowOf } from './window.ts';

const WRONG = 'svc_test_plantedplantedplanted0041';
const PASSPHRASE = 'correct horse battery';

/** Chooses an item of the menu behind the environment in the title bar. */
async function choose(page: Page, item: RegExp | string): Promise<void> {
  await windowOf(page).environment.getByRole('button').click();
  await page.getByRole('menuitem', { name: item }).click();
}
async function theme(page: Page, name: 'Light' | 'Dark'): Promise<void> {
  await page.getByRole('button', { name: `${name} theme` }).click();
  await expect(page.getByRole('button', { name: `${name === 'Light' ? 'Dark' : 'Light'} theme` })).toBeVisible();
}
const field = (inside: Locator, name: string) => inside.getByRole('textbox', { name, exact: true });
/** Passwords have no role. */
const keyField = (inside: Locator) => inside.getByLabel('Key', { exact: true });

/** Makes the simulated market of the app move. */
async function trigger(dataDir: string, event: string, symbol: string): Promise<void> {
  const { sandbox } = JSON.parse(readFileSync(join(dataDir, 'run.json'), 'utf8'));
  const answer = await fetch(`${sandbox.url}/sandbox/trigger`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': sandbox.key },
    body: JSON.stringify({ event, symbol }),
  });
  expect(answer.status).toBe(200);
}

test('a production key, own prices, validation and settings', { tag: '@long' }, async ({ host }) => {
  const dataDir = join(host.folder, 'app');
  const prices = writePriceFolder(join(host.folder, 'prices'));
  const [service, app] = await Promise.all([
    host.service({
      environment: 'production',
      prices,
      clock: '2009-06-01T12:00:00Z',
      dataDir: join(host.folder, 'service'),
    }),
    host.open({ dataDir }),
  ]);
  const { page } = app;
  const context = page.context();
  const sandbox = windowOf(page);
  const dialog = page.getByRole('dialog');
  // Without transitions, axe sees the final colours.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await expect(sandbox.row('SPY')).toHaveAttribute('aria-selected', 'true');

  await test.step('a key of the other environment is refused at its field, and nothing is sent', async () => {
    let requestCount = 0;
    const stranger = createServer((_, response) => {
      requestCount += 1;
      response.end('{}');
    });
    await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
    await choose(page, 'Add a production key');
    await field(dialog, 'Address of the service').fill(`http://127.0.0.1:${(stranger.address() as AddressInfo).port}`);
    await keyField(dialog).fill(WRONG);
    await expect(dialog.getByText('This is a sandbox key. Nothing was sent.')).toBeVisible();
    await dialog.getByRole('button', { name: 'Test it' }).click();
    await field(dialog, 'Address of the service').fill('http://api.example.com');
    await dialog.getByRole('button', { name: 'Test it' }).click();
    await expect(dialog.getByText('Use https://.')).toBeVisible();
    await expect(keyField(dialog)).toHaveValue(WRONG);
    expect(requestCount).toBe(0);
    stranger.close();
    expect(await violations(page)).toEqual([]);
    await picture(page, 'profiles-key-refused-dark');
  });

  const production =
    await test.step('a valid key is tested, kept under a passphrase, and opens its own window', async () => {
      await field(dialog, 'Address of the service').fill(service.url);
      await keyField(dialog).fill(service.key);
      await dialog.getByRole('button', { name: 'Test it' }).click();
      const tried = dialog.getByRole('list', { name: 'Test it' });
      await expect(tried.getByText('answered')).toBeVisible();
      await expect(tried.getByText('Key accepted as X-API-Key')).toBeVisible();
      await expect(tried.getByText('first byte received')).toBeVisible();
      await expect(dialog.getByText(`•••• ${service.key.slice(-4)}`)).toBeVisible();
      expect(holds(await page.content(), service.key)).toBe(false);
      await dialog.getByRole('radio', { name: 'A file protected by a passphrase' }).check();
      await dialog.getByRole('button', { name: 'Save and watch' }).click();
      await expect(dialog.getByText('At least 8 characters.')).toBeVisible();
      await dialog.getByLabel('New passphrase').fill(PASSPHRASE);
      await picture(page, 'profiles-key-tried-dark');
      await dialog.getByRole('button', { name: 'Save and watch' }).click();
      await expect(
        dialog.getByText(`Key …${service.key.slice(-4)} is stored in a file encrypted with a passphrase`),
      ).toBeVisible();
      expect(await violations(page)).toEqual([]);
      const opened = context.waitForEvent('page');
      await dialog.getByRole('button', { name: 'Open production' }).click();
      return await opened;
    });
  const real = windowOf(production);

  await test.step('two environments side by side: frame, title, rows, alerts', async () => {
    await expect(real.environment).toContainText('PRODUCTION');
    await expect(real.environment).toContainText(`key …${service.key.slice(-4)}`);
    await expect(production).toHaveTitle(/^(?!.*\[SANDBOX\]).*Barograph/);
    await expect(production.locator('.env-production')).toBeVisible();
    await expect(page).toHaveTitle(/^(\(\d+\) )?\[SANDBOX\] .*Barograph/);
    await expect(page.locator('.env-sandbox')).toBeVisible();
    await expect(real.row('SPX')).toHaveAccessibleName(/^SPX, (Normal|Elevated|High Risk), /);
    await expect(real.row('SPY')).toHaveAccessibleName(/not covered/i);
    await trigger(dataDir, 'signal.high_risk', 'QQQ');
    await expect(sandbox.inboxItem('QQQ', 'High Risk').first()).toBeVisible();
    await expect(sandbox.row('QQQ')).toHaveAccessibleName(/^QQQ, High Risk, /);
    await expect(real.inboxItem('QQQ', 'High Risk')).toHaveCount(0);
    await expect(real.row('QQQ')).toHaveAccessibleName(/not covered/i);
    // The menu shows the state of the other profile and opens it.
    await sandbox.environment.getByRole('button').click();
    await expect(page.getByRole('menuitem', { name: /production PRODUCTION REPLAY Connected/ })).toBeVisible();
    await picture(page, 'profiles-menu-dark');
    await page.keyboard.press('Escape');
    await picture(production, 'profiles-production-dark');
  });

  await test.step('own prices are checked line by line, then watched; the window of a removed profile says so', async () => {
    appendFileSync(join(prices, 'SPX.csv'), 'SPX,2010-02-30,1,1,1,1,1\n');
    await choose(page, 'Add your own prices');
    const due = join(prices, 'calendars');
    mkdirSync(due);
    const days = [7, 8, 9, 10].map((day) => `central_bank,,2008-10-${String(day).padStart(2, '0')},Rate decision`);
    writeFileSync(join(due, 'rates.csv'), ['kind,symbol,date,title', ...days, 'earnings,SPX,soon,'].join('\n'));
    await field(dialog, 'Price folder').fill(prices);
    await field(dialog, 'Folder of what is due (optional)').fill(due);
    await dialog.getByRole('button', { name: 'Check folder' }).click();
    await expect(dialog.getByRole('row', { name: /SPX\.csv, line \d+ "2010-02-30" is no date/ })).toBeVisible();
    await expect(dialog.getByRole('row', { name: /rates\.csv, line 6 "soon" is no date/ })).toBeVisible();
    await dialog.getByRole('checkbox', { name: /Replay past prices/ }).check();
    await field(dialog, 'From').fill('2008-10-06');
    expect(await violations(page)).toEqual([]);
    await picture(page, 'profiles-prices-dark');
    await field(dialog, 'Name of the profile').fill('mine');
    await dialog.getByRole('button', { name: 'Add and watch' }).click();
    const opened = context.waitForEvent('page');
    await dialog.getByRole('button', { name: 'Open production' }).click();
    const own = await opened;
    await expect(windowOf(own).environment).toContainText('REPLAY');
    await expect(windowOf(own).environment).toContainText('Own prices · mine');
    await expect(windowOf(own).row('SPX')).toHaveAccessibleName(/^SPX, High Risk, /);
    await expect(own.getByText(/Rate decision (today|tomorrow)/).first()).toBeVisible();

    await turnTo(page, 'Settings', 'Profiles');
    await page.getByRole('button', { name: 'Remove mine' }).click();
    await dialog.getByRole('checkbox', { name: /Delete its ledger/ }).check();
    await dialog.getByRole('button', { name: 'Remove mine' }).click();
    await expect(page.getByRole('row', { name: /mine/ })).toHaveCount(0);
    await expect(own.getByRole('region', { name: /^Barograph has not responded/ })).toContainText(
      'turned off or removed in another window',
    );
    await own.close();
  });

  await test.step('settings are saved, and a wrong key is not', async () => {
    await expect(
      page.getByRole('row', { name: /production PRODUCTION REPLAY 127\.0\.0\.1:\d+ .*Connected/ }),
    ).toBeVisible();
    expect(await violations(page)).toEqual([]);
    await picture(page, 'settings-profiles-dark');
    await turnTo(page, 'Settings', 'Outages');
    await field(page.locator('main'), 'Notify after, at all other times').fill('45');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('Saved.')).toBeVisible();
    await expect(field(page.locator('main'), 'Notify after, at all other times')).toHaveValue('45');
    await turnTo(page, 'Settings', 'General');
    await page.getByRole('group', { name: 'Times' }).getByRole('button', { name: 'UTC' }).click();
    await expect(page.getByText('All times are in UTC.')).toBeVisible();
    await page.getByRole('group', { name: 'Rows' }).getByRole('button', { name: '30 px' }).click();
    await expect(page.locator('html')).toHaveAttribute('data-density', 'roomy');
    await turnTo(page, 'Settings', 'About');
    await expect(page.getByRole('link', { name: 'www.tradingview.com' })).toBeVisible();
    await theme(page, 'Light');
    expect(await violations(page)).toEqual([]);
    // The key of the other profile is shown and changed in its own window.
    await production.emulateMedia({ reducedMotion: 'reduce' });
    await turnTo(production, 'Settings', 'Keys');
    await expect(production.getByText('The key is kept in a file encrypted with a passphrase.')).toBeVisible();
    await production.getByRole('button', { name: 'Replace the key' }).click();
    await keyField(production.locator('main')).fill(`${service.key.slice(0, -4)}0000`);
    await production.getByRole('button', { name: 'Test and save' }).click();
    await expect(production.getByRole('alert').filter({ hasText: 'does not accept this key' })).toBeVisible();
    await expect(real.environment).toContainText(`key …${service.key.slice(-4)}`);
    expect(await violations(production)).toEqual([]);
    await picture(production, 'settings-keys-dark');
  });

  await test.step('the record: was it worth it, for the list and for a symbol', async () => {
    // Of few symbols: the record of the sandbox takes a minute of a processor.
    await turnTo(production, 'Record');
    await theme(production, 'Light');
    const table = production.getByRole('table', { name: 'What acting on High Risk brought, by symbol' });
    await expect(table.getByRole('row', { name: /^SPX \d+ \d+/ })).toBeVisible();
    await table.getByRole('button', { name: 'SPX' }).click();
    await expect(production.getByRole('figure', { name: /^100,000 in SPX/ })).toContainText(
      /: holding [\d,]+, acting [\d,]+/,
    );
    await expect(production.getByRole('row', { name: /^Leaving at High Risk [\d,]+/ })).toBeVisible();
    expect(await violations(production)).toEqual([]);
    await picture(production, 'worth-light');
    await production.setViewportSize({ width: 900, height: 600 });
    await picture(production, 'worth-light-900x600');
    await production.setViewportSize({ width: 1440, height: 900 });
  });

  await test.step('the calls: counts first, sorted; and the reliability, as a chart', async () => {
    await production.getByRole('button', { name: 'Calls', exact: true }).click();
    const table = production.getByRole('region', { name: 'Record by symbol' });
    await expect(table.getByRole('row', { name: /^SPX \d+ \/ \d+ \d+ \/ \d+ \d+ of \d+/ })).toBeVisible();
    await table.getByRole('button', { name: /^F1/ }).click();
    await expect(table.getByRole('columnheader', { name: /^F1/ })).toHaveAttribute('aria-sort', 'descending');
    await production.getByRole('button', { name: 'Reliability', exact: true }).click();
    await expect(production.getByRole('figure', { name: 'Predicted against observed' })).toContainText(
      /groups of days .* Base rate/,
    );
    await expect(production.getByRole('row', { name: /^This model/ })).toBeVisible();
    expect(await violations(production)).toEqual([]);
    await picture(production, 'validation-light');
    await production.getByRole('button', { name: 'Model', exact: true }).click();
    await expect(production.getByRole('region', { name: 'Limitations' })).toContainText(
      'not as many independent trials',
    );
    await production.setViewportSize({ width: 900, height: 600 });
    await picture(production, 'validation-light-900x600');
    await production.setViewportSize({ width: 1440, height: 900 });
    await theme(production, 'Dark');
    expect(await violations(production, 'contrast')).toEqual([]);
    await picture(production, 'validation-dark');
  });

  await test.step('no file and no page holds a key', async () => {
    const contents = await Promise.all(context.pages().map((each) => each.content()));
    await app.process.stop();
    for (const secret of [service.key, WRONG, PASSPHRASE]) {
      expect(filesHolding(dataDir, secret)).toEqual([]);
      expect(holds(app.process.printed(), secret)).toBe(false);
      for (const content of contents) expect(holds(content, secret)).toBe(false);
    }
  });
});
