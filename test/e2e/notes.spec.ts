// End to end: a trader writes a note into the chart, finds it, exports it, changes and removes it.
import { expect } from '@playwright/test';
import { picture, violations } from './inspection.ts';
import { openApp, savedBy } from './open-app.ts';
import { test } from './test-host.ts';

test('a note is written, seen, found, exported, changed and removed', { tag: '@long' }, async ({ host }) => {
  const { page, window } = await openApp(host);
  const chart = window.chart('SPY');
  await expect(chart).toContainText('SPY from ');
  const dialog = page.getByRole('dialog', { name: /ote on SPY$/ });
  const text = dialog.getByRole('textbox', { name: 'Note' });
  const days = page.getByRole('slider', { name: 'SPY, day by day' });
  /** Goes back by the arrows to the day of the note, once the chart has read it. */
  const stepToNote = (note: string) =>
    expect(async () => {
      await days.press('End');
      for (let steps = 0; steps < 5; steps += 1) {
        await days.press('ArrowLeft');
        if ((await days.getAttribute('aria-valuetext'))?.includes(`Note: ${note}`) === true) return;
      }
      throw new Error('no day has the note');
    }).toPass();

  await test.step('written by its key, at an instant', async () => {
    await days.focus();
    await page.keyboard.press('n');
    await expect(text).toBeFocused();
    await dialog.getByRole('textbox', { name: /^At / }).fill('2026-03-02 12:00');
    await dialog.getByRole('button', { name: 'Save note' }).click();
    await expect(dialog.getByRole('alert')).toHaveText('Enter a text.');
    await text.fill('Sold half before the Fed');
    expect(await violations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Save note' }).click();
    await expect(dialog).toBeHidden();
  });

  await test.step('seen at its day, by the arrows of the chart', async () => {
    await stepToNote('Sold half');
    await expect(days).toHaveAttribute('aria-valuetext', /^Mon 2 Mar.*Note: Sold half before the Fed/);
    await expect(chart).toContainText('Note: Sold half before the Fed');
    await picture(page, 'chart-note');
  });

  await test.step('in the file', async () => {
    await page.getByRole('button', { name: 'Export timeline' }).click();
    const file = await savedBy(page, () => page.getByRole('menuitem', { name: /CSV/ }).click());
    expect(file.bytes.toString()).toContain('note,SPY,2026-03-02T17:00:00');
    expect(file.bytes.toString()).toContain('Sold half before the Fed');
  });

  await test.step('found by its words from another symbol, which opens its day', async () => {
    await window.row('QQQ').click();
    await expect(window.chart('QQQ')).toContainText('QQQ from ');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('half fed');
    await page.getByRole('option', { name: /SPY.*Sold half before the Fed/ }).click();
    await expect(chart).toContainText('SPY from ');
    // Days around the note, not the last thirty.
    await expect(page.getByRole('button', { name: 'Custom' })).toHaveAttribute('aria-pressed', 'true');
    await picture(page, 'chart-note-found');
  });

  await test.step('changed and removed, and not found any more', async () => {
    await stepToNote('Sold half');
    await page.keyboard.press('Enter');
    await expect(text).toHaveValue('Sold half before the Fed');
    await text.fill('Sold all');
    await dialog.getByRole('button', { name: 'Save note' }).click();
    await expect(dialog).toBeHidden();
    await stepToNote('Sold all');
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await expect(dialog).toBeHidden();
    await expect(chart).not.toContainText('Note: ');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('sold all');
    await expect(page.getByText('No results for “sold all”')).toBeVisible();
  });
});
