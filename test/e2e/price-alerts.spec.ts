// End to end: a price alert is set in the header of a symbol and in the palette, notified, explained, acknowledged.
import { expect } from '@playwright/test';
import { inspectThemes, picture } from './inspection.ts';
import { openApp } from './open-app.ts';
import { test } from './test-host.ts';

test('a price alert is made, tested, notified, explained and acknowledged', { tag: '@long' }, async ({ host }) => {
  // A minute of the market a second: SPY falls and rises every six; the level lies between.
  const { page, window, ask } = await openApp(host, { scenario: 'flap', clock: '2026-03-04T15:00:00Z,x60' });
  await expect(window.chart('SPY')).toContainText('SPY from ');
  const editor = page.getByRole('complementary', { name: /^(New rule|Rule )/ });

  await test.step('from the header of the symbol; a level that cannot be is refused', async () => {
    await page.getByRole('button', { name: 'Price alert for SPY' }).click();
    await expect(editor.getByRole('textbox', { name: 'Name' })).toHaveValue('SPY price');
    await editor.getByRole('textbox', { name: 'Price' }).fill('cheap');
    await editor.getByRole('button', { name: 'Save rule' }).click();
    await expect(editor).toContainText('A price above 0, like 180 or 1.0845.');
  });

  await test.step('a level that was passed already is said before it is saved', async () => {
    await editor.getByRole('button', { name: 'Is at or above' }).click();
    await editor.getByRole('textbox', { name: 'Price' }).fill('1');
    await expect(editor).toContainText('SPY meets it already: notified once it was back at 0.9950 and meets it again.');
  });

  await test.step('tested from close to close, saved, and a line in the chart', async () => {
    const signal = (await ask('/signal?symbol=SPY')) as { readonly breach_level: number };
    await editor.getByRole('button', { name: 'Crosses' }).click();
    await editor.getByRole('textbox', { name: 'Price' }).fill((1.03 * signal.breach_level).toFixed(2));
    await editor.getByRole('button', { name: 'Test on the last 30 days' }).click();
    await expect(editor).toContainText(
      /From close to close it would (?:not have notified you|have notified you \d+ times?): \d+ closes of 1 symbol/,
    );
    await inspectThemes(page, 'price-rule');
    await editor.getByRole('button', { name: 'Save rule' }).click();
    await expect(editor).toContainText('Saved.');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('row', { name: /SPY price/ })).toContainText('Price crosses');
  });

  await test.step('the price crosses it: inbox, tab and list have it', async () => {
    await page.getByRole('button', { name: 'Watch', exact: true }).click();
    const section = window.inbox.getByRole('region', { name: 'Price alerts' });
    await expect(section).toContainText(/SPY (rose|fell) through/);
    await expect(page.getByRole('button', { name: /^Alerts \d+ needs? attention$/ })).toBeVisible();
    await inspectThemes(page, 'price-alert-inbox', ['dark']);
    await section
      .getByRole('button', { name: /Why SPY/ })
      .first()
      .click();
    const why = page.getByRole('complementary', { name: 'Why' });
    await expect(why).toContainText('Evaluated by your rules');
    await expect(why).toContainText('Matches "SPY price".');
    await inspectThemes(page, 'price-alerts');
  });

  await test.step('acknowledged, it no longer counts', async () => {
    const list = page.getByRole('region', { name: 'Price alerts' });
    await list.getByRole('button', { name: 'Acknowledge the alert of SPY' }).first().click();
    await expect(list.getByRole('row', { name: /SPY/ }).filter({ hasText: 'Acknowledged' }).first()).toBeVisible();
  });

  await test.step('by the palette, with its level', async () => {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('alert qqq below 12.5');
    await page.getByRole('option', { name: /Alert me when QQQ falls to 12.50/ }).click();
    await expect(editor.getByRole('textbox', { name: 'Price' })).toHaveValue('12.5');
    await expect(editor.getByRole('textbox', { name: 'Symbols, with spaces between' })).toHaveValue('QQQ');
    await picture(page, 'price-palette');
  });
});
