// End to end: a trader fills, orders, sorts, exports and imports watchlists, and undoes changes.
// The order changes by hand and by key.
import { expect, type Page } from '@playwright/test';
import { picture } from './inspection.ts';
import { openApp, savedBy } from './open-app.ts';
import { test } from './test-host.ts';

/** Symbols of the list that is shown, from top to bottom, with headings as "# Name". */
const shown = (page: Page) =>
  page
    .getByRole('grid')
    .locator('tr[data-row], tr[data-section]')
    .evaluateAll((rows) =>
      rows.map((row) =>
        row instanceof HTMLElement && row.dataset.row !== undefined
          ? row.dataset.row
          : `# ${row.querySelector('span')?.textContent ?? ''}`,
      ),
    );
const order = (page: Page) => expect.poll(() => shown(page));
const menu = (page: Page, list: string) => page.getByRole('button', { name: `Watchlist: ${list}` }).click();
const pick = (page: Page, item: string) => page.getByRole('menuitem', { name: item }).click();

test('a list is made, reordered, undone, exported and imported', { tag: '@long' }, async ({ host }) => {
  const { page, window } = await openApp(host);
  await expect(window.row('SPY')).toBeVisible();
  const said = page.getByRole('region', { name: 'Watchlist' }).getByRole('status');
  const row = (symbol: string) => page.getByRole('row', { name: new RegExp(`^${symbol}\\b`) });

  await test.step('symbols are added in upper or lower case, each once', async () => {
    await menu(page, 'Desk list');
    await pick(page, 'New list');
    await page.getByRole('textbox', { name: 'Name of the new list' }).fill('Mine');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByRole('grid', { name: 'Mine' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Watchlist: Mine' })).toBeFocused();
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    const field = page.getByRole('combobox', { name: 'Add symbols to Symbols' });
    await field.fill('qqq, SPY iwm qqq');
    await field.press('Enter');
    await order(page).toEqual(['# Symbols', 'QQQ', 'SPY', 'IWM']);
    await field.press('Escape');
  });

  await test.step('keys reorder the list and announce each move', async () => {
    await row('QQQ').click();
    await expect(row('QQQ')).toHaveAttribute('aria-selected', 'true');
    await row('QQQ').press('Alt+ArrowDown');
    await order(page).toEqual(['# Symbols', 'SPY', 'QQQ', 'IWM']);
    await expect(said).toContainText('QQQ moved: Symbols, 2 of 3.');
    await expect(row('QQQ')).toBeFocused();
  });

  await test.step('by hand', async () => {
    await row('IWM').dragTo(row('SPY'), { targetPosition: { x: 60, y: 3 } });
    await order(page).toEqual(['# Symbols', 'IWM', 'SPY', 'QQQ']);
  });

  await test.step('the menu moves a symbol into a new section', async () => {
    await menu(page, 'Mine');
    await pick(page, 'New section');
    await page.getByRole('textbox', { name: 'Name of the section' }).fill('Later');
    await page.keyboard.press('Enter');
    await order(page).toEqual(['# Symbols', 'IWM', 'SPY', 'QQQ', '# Later']);
    await row('SPY').click();
    await expect(row('SPY')).toHaveAttribute('aria-selected', 'true');
    await menu(page, 'Mine');
    await pick(page, 'Move SPY to');
    await pick(page, 'Later');
    await order(page).toEqual(['# Symbols', 'IWM', 'QQQ', '# Later', 'SPY']);
    await picture(page, 'watchlist-sections');
  });

  await test.step('undo takes the moves back one by one', async () => {
    await row('IWM').focus();
    await row('IWM').press('Delete');
    await order(page).toEqual(['# Symbols', 'QQQ', '# Later', 'SPY']);
    await page.getByRole('button', { name: 'Undo' }).click();
    await order(page).toEqual(['# Symbols', 'IWM', 'QQQ', '# Later', 'SPY']);
    await expect(said).toContainText('Undone: IWM removed.');
    await page.keyboard.press('Control+z');
    await order(page).toEqual(['# Symbols', 'IWM', 'SPY', 'QQQ', '# Later']);
  });

  await test.step('exported and imported', async () => {
    await menu(page, 'Mine');
    const { name, bytes } = await savedBy(page, () => pick(page, 'Export as CSV'));
    expect(name).toBe('mine.csv');
    await page
      .getByLabel('Import CSV or TXT')
      .setInputFiles({ name: 'again.csv', mimeType: 'text/csv', buffer: bytes });
    await expect(page.getByRole('grid', { name: 'again' })).toBeVisible();
    await expect.poll(async () => (await shown(page)).slice(0, 4)).toEqual(['# Symbols', 'IWM', 'SPY', 'QQQ']);
    await menu(page, 'again');
    await page.getByRole('menuitemradio', { name: 'Mine' }).click();
    await expect(page.getByRole('grid', { name: 'Mine' })).toBeVisible();
  });

  await test.step('the list survives a reload', async () => {
    await page.reload();
    await expect(page.getByRole('grid', { name: 'Mine' })).toBeVisible();
    await order(page).toEqual(['# Symbols', 'IWM', 'SPY', 'QQQ', '# Later']);
  });
});

test('columns sort, views filter, five hundred rows scroll, and times follow the chosen zone', {
  tag: '@long',
}, async ({ host }) => {
  const { page, window } = await openApp(host);
  await expect(window.chart('SPY')).toContainText('SPY from ');

  await test.step('one key changes the zone of all times, and the offset is always shown', async () => {
    const clock = page.getByRole('button', { name: /Service clock/ });
    await expect(clock).toContainText('New York UTC−5');
    await expect(clock).toContainText('10:00:00');
    await page.keyboard.press('g');
    await page.keyboard.press('u');
    await expect(clock).toContainText('15:00:00 UTC');
  });

  await test.step('sorted by change, and back to the order of the list', async () => {
    const own = await shown(page);
    const head = page.getByRole('columnheader', { name: 'Change' });
    // Six symbols with signals, and four with regimes alone, whose prices come a little later.
    await expect.poll(async () => (await changes(page)).length).toBe(10);
    await head.getByRole('button').click();
    await expect(head).toHaveAttribute('aria-sort', 'descending');
    const descending = (await changes(page)).toSorted((a, b) => b - a);
    await expect.poll(() => changes(page)).toEqual(descending);
    await expect(page.getByRole('grid').getByRole('rowheader')).toHaveCount(0);
    await head.getByRole('button').click();
    await expect(head).toHaveAttribute('aria-sort', 'ascending');
    await head.getByRole('button').click();
    await expect(head).not.toHaveAttribute('aria-sort');
    await order(page).toEqual(own);
  });

  await test.step('a view has the symbols of a state; all come back', async () => {
    const own = await shown(page);
    await page.getByRole('group', { name: 'View' }).getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitemradio', { name: 'Regime alone 4' }).click();
    await expect.poll(async () => (await changes(page)).length).toBe(4);
    await page.getByRole('button', { name: /^All \d+$/ }).click();
    await order(page).toEqual(own);
  });

  await test.step('the selected symbol drives every panel', async () => {
    await window.row('QQQ').click();
    await expect(page.getByRole('heading', { level: 1, name: 'QQQ' })).toBeVisible();
    await expect(window.chart('QQQ')).toContainText('QQQ from ');
    await expect(page.getByRole('heading', { name: /^Moved most/ })).toBeVisible();
  });

  await test.step('found by its first letters, typed at once: none of them is a command of the page', async () => {
    await page.keyboard.press('Control+k');
    await page.keyboard.type('iw');
    const dialog = page.getByRole('dialog', { name: /^Find anything/ });
    await expect(dialog.getByRole('combobox')).toHaveValue('iw');
    await expect(dialog.getByRole('option', { name: /^IWM / }).first()).toHaveAttribute('aria-selected', 'true');
    await page.keyboard.press('Enter');
    await expect(dialog).toBeHidden();
    await expect(page.getByRole('heading', { name: 'IWM', level: 1 })).toBeVisible();
  });

  await test.step('of five hundred symbols only those in view are drawn, and the keyboard reaches the last', async () => {
    const symbols = Array.from({ length: 500 }, (_, index) => `S${String(index).padStart(3, '0')}`);
    await page
      .getByLabel('Import CSV or TXT')
      .setInputFiles({ name: 'many.txt', mimeType: 'text/plain', buffer: Buffer.from(['SPY', ...symbols].join('\n')) });
    const grid = page.getByRole('grid', { name: 'many' });
    await expect(grid).toHaveAttribute('aria-rowcount', '503');
    await expect.poll(() => grid.locator('tr[data-row]').count()).toBeLessThan(80);
    await page.getByRole('row', { name: /^SPY\b/ }).click();
    await page.getByRole('row', { name: /^SPY\b/ }).press('End');
    await expect(page.getByRole('row', { name: /^S499\b/ })).toBeFocused();
    await expect(page.getByRole('row', { name: /^S499\b/ })).toBeInViewport();
    await page.keyboard.press('Home');
    await expect(page.getByRole('row', { name: /^SPY\b/ })).toBeFocused();
    await expect(page.getByRole('row', { name: /^SPY\b/ })).toHaveAttribute('aria-selected', 'true');
  });
});

/** The changes of the rows that have one, in the order shown. */
async function changes(page: Page): Promise<number[]> {
  const texts = await page.getByRole('grid').locator('td.wl-change').allTextContents();
  return texts.filter((text) => /\d/.test(text)).map((text) => Number.parseFloat(text.replace('−', '-')));
}
