// End to end: axe finds nothing on the Watch page, its views, menus and dialogs, in both themes, large, small and offline.
import { expect } from '@playwright/test';
import { picture, violations } from './inspection.ts';
import { openApp } from './open-app.ts';
import { test } from './test-host.ts';

/** An open one. */
const DIALOG = 'dialog[open]';

test('axe finds nothing on the Watch page, in its menus and dialogs, and while it is offline', {
  tag: '@long',
}, async ({ host }) => {
  const { page, service, window } = await openApp(host);
  await expect(window.chart('SPY')).toContainText('SPY from ');
  await service.trigger('signal.elevated', 'QQQ');
  await service.trigger('signal.high_risk', 'SPY');
  await expect(window.row('SPY')).toHaveAccessibleName(/^SPY, High Risk, /);
  await expect(window.inboxItem('SPY', 'High Risk').first()).toBeVisible();
  const button = (name: string) => page.getByRole('button', { name });
  const view = (name: string) => page.getByRole('group', { name: 'Record' }).getByRole('button', { name });
  let only: 'all' | 'contrast' = 'all';
  const inspect = async (name: string, within: string | null = null): Promise<void> => {
    expect(await violations(page, only, within)).toEqual([]);
    await picture(page, name);
  };

  await test.step('dark: what the window sees, menu, dialog and the sheet of keys', async () => {
    const sees = page.getByRole('button', { name: /^Connection: / });
    await sees.press('Enter');
    await expect(page.getByRole('dialog', { name: 'Connection' })).toContainText(/\d events, no gap/);
    await inspect('indicators-dark', '.status');
    await page.keyboard.press('Escape');
    await expect(sees).toBeFocused();
    await button('Watchlist: Desk list').click();
    await expect(page.getByRole('menuitem', { name: 'New list' })).toBeVisible();
    await inspect('watchlist-menu-dark', '[role="menu"]');
    await page.getByRole('menuitem', { name: 'Rename list' }).click();
    await expect(page.getByRole('dialog', { name: 'Rename list' })).toBeVisible();
    expect(await violations(page, only, DIALOG)).toEqual([]);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await page.keyboard.press('?');
    await expect(page.getByRole('dialog', { name: 'Shortcuts and legend' })).toBeVisible();
    await inspect('keys-dark', DIALOG);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  });
  for (const theme of ['dark', 'light'] as const) {
    only = theme === 'dark' ? 'all' : 'contrast';
    await test.step(`${theme}: page and views`, async () => {
      if (theme === 'light') await button('Light theme').click();
      await expect(button(theme === 'light' ? 'Dark theme' : 'Light theme')).toBeVisible();
      for (const name of ['What moved', 'History', 'Transitions']) {
        await view(name).click();
        await expect(view(name)).toHaveAttribute('aria-pressed', 'true');
        const within = name === 'What moved' ? null : '.symbol > .detail';
        await inspect(`watch-${name.replace(' ', '-').toLowerCase()}-${theme}`, within);
      }
    });
    await test.step(`${theme}: my book, a note and the search`, async () => {
      await button('Watchlist: Desk list').click();
      await page.getByRole('menuitem', { name: 'My book…' }).click();
      await expect(page.getByRole('dialog', { name: 'My book: Desk list' })).toBeVisible();
      await inspect(`holdings-${theme}`, DIALOG);
      const file = { name: 'book.csv', mimeType: 'text/csv', buffer: Buffer.from('Symbol,Quantity\nSPY,2\nGME,-2\n') };
      await page.locator('input[aria-label="Import CSV"]').setInputFiles(file);
      await expect(page.getByRole('button', { name: 'Use 1 position' })).toBeFocused();
      await inspect(`import-${theme}`, DIALOG);
      for (const _ of ['import', 'dialog']) await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toHaveCount(0);
      await page.getByRole('slider', { name: 'SPY, day by day' }).focus();
      await page.keyboard.press('n');
      await expect(page.getByRole('textbox', { name: 'Note', exact: true })).toBeFocused();
      await inspect(`note-${theme}`, DIALOG);
      await page.keyboard.press('Escape');
      await page.keyboard.press('Control+k');
      await page.keyboard.type('s');
      await expect(
        page
          .getByRole('dialog', { name: /^Find anything/ })
          .getByRole('option')
          .first(),
      ).toBeVisible();
      await inspect(`palette-${theme}`, DIALOG);
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toHaveCount(0);
    });
    await test.step(`${theme}: the list over 30 days`, async () => {
      await page.keyboard.press('2');
      await button('30 days').click();
      await expect(page.getByRole('complementary', { name: 'The chosen day' })).toContainText('to High Risk');
      await inspect(`days-${theme}`, '.alerts-page');
      await page.keyboard.press('1');
    });
    await test.step(`${theme}: small`, async () => {
      await page.setViewportSize({ width: 900, height: 600 });
      await view('What moved').click();
      await page.getByRole('button', { name: 'All twelve' }).scrollIntoViewIfNeeded();
      await inspect(`factors-radar-${theme}-900x600`);
      await page.setViewportSize({ width: 1440, height: 900 });
    });
  }
  only = 'all';
  await test.step('offline', async () => {
    await service.process.stop();
    await expect(window.outage).toBeVisible();
    await inspect('watch-offline-light');
  });
});
