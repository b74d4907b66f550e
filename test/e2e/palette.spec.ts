// End to end: one search over symbols, pages, actions and the archive, by the keyboard alone.
import { expect } from '@playwright/test';
import { picture, violations } from './inspection.ts';
import { openApp } from './open-app.ts';
import { test } from './test-host.ts';

test('find a symbol, do something with it, go to a page, change the theme, find a briefing', { tag: '@long' }, async ({
  host,
}) => {
  const { page, window } = await openApp(host);
  await expect(window.row('SPY')).toBeVisible();
  const dialog = page.getByRole('dialog', { name: /^Find anything/ });
  const field = dialog.getByRole('combobox');
  const option = (name: RegExp) => dialog.getByRole('option', { name });
  const find = async (text: string): Promise<void> => {
    await page.keyboard.press('Control+k');
    await expect(field).toBeFocused();
    await field.fill(text);
  };

  await test.step('a symbol by its first letters, typed at once: none of them is a command of the page', async () => {
    await page.keyboard.press('Control+k');
    await page.keyboard.type('qq');
    await expect(field).toHaveValue('qq');
    const symbols = dialog.getByRole('group', { name: 'Symbols' });
    await expect(symbols.getByRole('option', { name: /^QQQ / })).toHaveAttribute('aria-selected', 'true');
    await picture(page, 'palette-dark-1440x900');
    await page.keyboard.press('Enter');
    await expect(dialog).toBeHidden();
    await expect(page.getByRole('heading', { name: 'QQQ', level: 1 })).toBeVisible();
  });

  await test.step('Tab moves to the actions; a symbol in no watchlist is added', async () => {
    await find('zzz');
    await page.keyboard.press('Tab');
    await expect(option(/^Watch ZZZ/)).toHaveAttribute('aria-selected', 'true');
    await page.keyboard.press('Enter');
    await expect(window.row('ZZZ')).toBeVisible();
  });

  await test.step('commands only, behind >', async () => {
    await find('> light');
    await expect(dialog.getByRole('option')).toHaveCount(1);
    await page.keyboard.press('Enter');
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
  });

  await test.step('a search in the text of briefings', async () => {
    await find('week');
    await expect(dialog.getByRole('group', { name: 'Briefings' }).getByRole('option').first()).toBeVisible();
    await expect(dialog.getByRole('option').first()).toHaveAttribute('aria-selected', 'true');
    await picture(page, 'palette-light-1440x900');
    await page.keyboard.press('Enter');
    await expect(
      page.getByRole('button', { name: /^Briefings/ }).and(page.locator('[aria-current=page]')),
    ).toBeVisible();
  });

  await test.step('an empty result says so, and Esc returns the focus', async () => {
    await page.keyboard.press('1');
    await window.row('SPY').focus();
    await find('qqqzzz xyzzy');
    await expect(dialog.getByText(/^No results for/)).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await expect(window.row('SPY')).toBeFocused();
  });

  await test.step('axe finds nothing in it', async () => {
    for (const theme of ['light', 'dark'] as const) {
      await find(`> ${theme}`);
      await page.keyboard.press('Enter');
      await find('s');
      expect(await violations(page)).toEqual([]);
      await page.keyboard.press('Escape');
    }
    await page.setViewportSize({ width: 900, height: 600 });
    await find('s');
    await picture(page, 'palette-dark-900x600');
    expect(await violations(page)).toEqual([]);
  });
});
