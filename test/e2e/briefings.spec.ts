// End to end: a trader finds, reads, flags and exports briefings and news.
// Hostile texts stay harmless.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { picture, violations } from './inspection.ts';
import { openApp, savedBy } from './open-app.ts';
import { test } from './test-host.ts';

/** A hostile text. */
const HOSTILE = `---
title: A friendly note
author: Nobody
date: 2026-03-04T14:59:00Z
summary: It means well.
symbols: [SPY]
---
Hello <script>globalThis.owned = 1</script><img src="https://evil.example/a.png" onerror="globalThis.owned = 2">

<iframe src="https://evil.example/frame"></iframe><link rel="stylesheet" href="https://evil.example/a.css">

![A chart](https://evil.example/chart.png) and ![inline](data:image/svg+xml;base64,PHN2Zy8+)

[script](javascript:globalThis.owned=3) [data](data:text/html,x) [plain](http://evil.example/plain) [leads out](https://evil.example/out)

SPY is named here, and \`SPY\` is code.
`;
/** A text whose layout would take minutes. */
const ENDLESS = `---
title: A text without end
author: Nobody
date: 2026-03-04T14:58:00Z
---
${'**a'.repeat(60_000)}
`;

const option = (page: Page, name: RegExp | string) => page.getByRole('option', { name });
const text = (page: Page) => page.getByRole('article');
const tab = (page: Page) => page.getByRole('navigation', { name: 'Pages' }).getByRole('button', { name: /^Briefings/ });
const choice = (page: Page, name: string) =>
  page.getByRole('region', { name: 'Folders and filters' }).getByRole('button', { name });
const title = (page: Page) => page.getByRole('heading', { level: 1 });

test('briefings and news are found, read, flagged and exported; hostile content stays text', {
  tag: '@long',
}, async ({ host }) => {
  const editorial = join(host.folder, 'editorial');
  mkdirSync(editorial);
  writeFileSync(join(editorial, 'hostile.md'), HOSTILE);
  writeFileSync(join(editorial, 'endless.md'), ENDLESS);
  const { page, service, window } = await openApp(host, { editorial });
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  const context = page.context();
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await expect(window.row('SPY')).toBeVisible();

  // The newest text is opened with the page, whose renderer of texts does not load yet.
  let arrive = (): void => undefined;
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  await page.route(/\/worker-[^/]+\.js$/, async (route) => {
    await arrived;
    await route.continue();
  });

  await test.step('the tab shows the number of unread ones; the newest come first', async () => {
    await expect(tab(page)).toHaveAccessibleName(/^Briefings\b.*\b\d+ unread$/);
    await tab(page).click();
    await expect(option(page, /./).first()).toContainText('QQQ in profile');
  });

  await test.step('Space never skips a text that was not shown', async () => {
    await page.keyboard.press('n');
    await expect(title(page)).toContainText('QQQ in profile');
    await page.keyboard.press('Space');
    await expect(page.getByRole('status').filter({ hasText: 'The text is still loading' })).toBeAttached();
    await expect(title(page)).toContainText('QQQ in profile');
    arrive();
    await expect(text(page).getByRole('table').first()).toBeVisible();
    await expect(page.getByText(/\d+ are stored here/)).toBeVisible();
  });

  await test.step('a text open for four seconds counts as read, and keeps its position', async () => {
    const unread = async () => Number((await choice(page, 'Unread').textContent())?.replace('Unread', ''));
    const before = await unread();
    await option(page, /^Deep.*QQQ in profile/).click();
    await expect(title(page)).toContainText('QQQ in profile');
    await expect(text(page).getByRole('table').first()).toBeVisible();
    await expect.poll(unread).toBe(before - 1);
    await expect(option(page, /QQQ in profile/)).toHaveAttribute('aria-selected', 'true');
    await expect(option(page, /QQQ in profile.*unread/)).toHaveCount(0);
    const toggle = (name: RegExp) => expect(page.getByRole('button', { name })).toBeVisible();
    await toggle(/^Mark unread/);
    await page.keyboard.press('m');
    await expect.poll(unread).toBe(before);
    await toggle(/^Mark read/);
    await page.keyboard.press('m');
    await expect.poll(unread).toBe(before - 1);
  });

  await test.step('keys: next, previous, star, read later', async () => {
    const first = await title(page).textContent();
    await page.keyboard.press('j');
    await expect(title(page)).not.toHaveText(first ?? '');
    await page.keyboard.press('k');
    await expect(title(page)).toHaveText(first ?? '');
    await page.keyboard.press('f');
    await page.keyboard.press('l');
    await expect(choice(page, 'Starred')).toHaveText('Starred1');
    await expect(choice(page, 'Read later')).toHaveText('Read later1');
  });

  await test.step('Space turns the page, and at its end opens the next unread', async () => {
    const first = await title(page).textContent();
    const scrolled = () =>
      page.getByRole('document', { name: /QQQ in profile/ }).evaluate((element) => element.scrollTop);
    // A text that is not rendered yet counts as read to its end.
    await expect(text(page).getByRole('table').first()).toBeVisible();
    await page.keyboard.press('Space');
    await expect.poll(scrolled).toBeGreaterThan(100);
    await page.keyboard.press('Shift+Space');
    await expect.poll(scrolled).toBe(0);
    await page.keyboard.press('n');
    await expect(title(page)).not.toHaveText(first ?? '');
    await page.keyboard.press('k');
    await expect(title(page)).toHaveText(first ?? '');
  });

  await test.step('a symbol in the text shows its state then and now, and links to it', async () => {
    const symbol = text(page)
      .getByRole('button', { name: /^SPY\s*, then Normal, now / })
      .first();
    await symbol.focus();
    await expect(text(page).locator('.then-now-card')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(text(page).locator('.then-now-card')).toHaveCount(0);
    await page
      .getByRole('complementary')
      .getByRole('button', { name: /^SPY\s*, then Normal, now / })
      .click();
    await expect(page.getByRole('heading', { level: 1, name: 'SPY' })).toBeVisible();
    await tab(page).click();
    await expect(title(page)).toContainText('QQQ in profile');
  });

  await test.step('the search highlights its hits in the list and in the text', async () => {
    await page.keyboard.press('/');
    await page.keyboard.type('velocity chao');
    await expect(page.getByText(/^\d+ hits?, [\d,]+ ms$/)).toBeVisible();
    await expect(option(page, /./).first().locator('mark').first()).toHaveText(/^(Velocity|Chaos)$/i);
    await page.keyboard.press('Enter');
    await expect(text(page).locator('mark').first()).toBeVisible();
    await picture(page, 'briefings-dark');
    expect(await violations(page)).toEqual([]);
    await page.setViewportSize({ width: 900, height: 600 });
    await picture(page, 'briefings-dark-900x600');
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  await test.step('find counts the hits and wraps around', async () => {
    await page.getByLabel('Search briefings').fill('');
    await choice(page, 'All').click();
    await option(page, /QQQ in profile/).click();
    const find = page.getByRole('search', { name: 'Find in this briefing' });
    await page.keyboard.press('Control+f');
    await page.keyboard.type('volatility');
    await expect(find.getByText(/^1 of \d+$/)).toBeVisible();
    await page.keyboard.press('Shift+Enter');
    await expect(find.getByText(/^(\d+) of \1$/)).toBeVisible();
    expect(await page.evaluate(() => [...CSS.highlights.keys()].sort())).toEqual(['find', 'find-here']);
    await page.keyboard.press('Escape');
  });

  await test.step('font, width and paper are kept for the next day', async () => {
    await page.getByRole('button', { name: 'Hyperlegible' }).click();
    await page.getByRole('button', { name: 'Larger text' }).click();
    await page.getByRole('button', { name: 'Sepia' }).click();
    await expect(text(page)).toHaveCSS('font-family', /Atkinson/);
    await picture(page, 'briefings-sepia');
    await page.reload();
    await tab(page).click();
    await choice(page, 'All').click();
    await option(page, /QQQ in profile/).click();
    await expect(text(page)).toHaveCSS('font-size', '18px');
    await page.getByRole('button', { name: 'Serif' }).click();
    await page.getByRole('button', { name: 'Smaller text' }).click();
  });

  await test.step('a briefing is exported as Markdown, web page and quotation, each with its source', async () => {
    const out = (item: string) =>
      savedBy(page, async () => {
        await page.getByRole('button', { name: 'Export and print' }).click();
        await page.getByRole('menuitem', { name: item }).click();
      });
    const markdown = await out('Markdown');
    expect(markdown.name).toMatch(/^2026-03-04-qqq-in-profile.*\.md$/);
    expect(markdown.bytes.toString()).toMatch(
      /^# QQQ in profile.*\n\nResearch desk, .*10:00 New York \(UTC−5\)\. SANDBOX/,
    );
    const html = await out('Web page (HTML)');
    expect(html.bytes.toString()).toContain('<h2>The twelve dimensions of QQQ</h2>');
    await page.getByRole('button', { name: 'Quote' }).click();
    await expect(page.getByText('Copied with source and date.')).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(
      /^“.*”\n— Research desk, “QQQ in profile/,
    );
    await page.emulateMedia({ media: 'print' });
    await expect(page.getByRole('navigation', { name: 'Pages' })).toBeHidden();
    await expect(page.getByText(/^Research desk, .*From Barograph\.$/)).toBeVisible();
    // Printed in ink whatever the theme: pale text of the dark theme would be pale on paper.
    expect(await text(page).evaluate(inks)).toEqual(['rgb(0, 0, 0)']);
    await page.emulateMedia({ media: 'screen' });
  });

  await test.step('a hostile text runs nothing, loads nothing, and a link asks before it opens', async () => {
    requests.length = 0;
    await option(page, /A friendly note/).click();
    await expect(text(page)).toContainText('SPY is named here');
    await expect(text(page)).toContainText('Picture, not loaded: A chart (https://evil.example/chart.png)');
    expect(await text(page).locator('img, iframe, script, link, object, form').count()).toBe(0);
    expect(
      await text(page)
        .getByRole('link')
        .evaluateAll((links) => links.map((link) => link.getAttribute('href'))),
    ).toEqual(['https://evil.example/out']);
    expect(await page.evaluate(() => 'owned' in globalThis)).toBe(false);
    await text(page)
      .getByRole('link', { name: /leads out/ })
      .click();
    await expect(page.getByRole('dialog', { name: 'Open in your browser?' })).toContainText('https://evil.example/out');
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect(context.pages()).toHaveLength(1);
    expect(requests.filter((url) => new URL(url).origin !== new URL(page.url()).origin)).toEqual([]);
  });

  await test.step('an endless text blocks nothing', async () => {
    await option(page, /A text without end/).click();
    await expect(page.getByText('Formatting the text')).toBeVisible();
    await option(page, /QQQ in profile/).click();
    await expect(text(page).getByRole('table').first()).toBeVisible();
  });

  await test.step('light, and small', async () => {
    await page.getByRole('button', { name: 'Light theme' }).click();
    await page.getByRole('button', { name: 'Light', exact: true }).click();
    await picture(page, 'briefings-light');
    await page.setViewportSize({ width: 900, height: 600 });
    expect(await violations(page)).toEqual([]);
    await picture(page, 'briefings-light-900x600');
    await page.getByRole('button', { name: /^All \d+$/ }).click();
    await expect(choice(page, 'Starred')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(choice(page, 'Starred')).toBeHidden();
    await page.setViewportSize({ width: 700, height: 600 });
    await expect(page.getByRole('listbox')).toBeHidden();
    await page.getByRole('button', { name: 'List', exact: true }).click();
    await expect(page.getByRole('listbox')).toBeVisible();
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  await test.step('news is filtered and read, and asks before it opens the source', async () => {
    await page.getByRole('button', { name: 'News', exact: true }).click();
    const rows = page.getByRole('grid', { name: 'News items' }).locator('tr[data-row]');
    await expect(rows.first()).toBeVisible();
    await page.keyboard.press('j');
    await expect(page.getByRole('region', { name: 'News item' }).getByRole('heading', { level: 2 })).toBeVisible();
    await page.getByRole('button', { name: 'Negative' }).click();
    await expect(rows.first()).toContainText('Negative');
    await expect(page.getByRole('row', { name: /Positive|Neutral/ })).toHaveCount(0);
    await rows.nth(1).click();
    await page.getByRole('link', { name: /^Read it at Sandbox Wire/ }).click();
    await expect(page.getByRole('dialog', { name: 'Open in your browser?' })).toContainText('wire.sandbox.example');
    await page.keyboard.press('Escape');
    await picture(page, 'news-light');
    await page.setViewportSize({ width: 900, height: 600 });
    expect(await violations(page)).toEqual([]);
    await picture(page, 'news-light-900x600');
    await page.getByRole('button', { name: 'Dark theme' }).click();
    await picture(page, 'news-dark-900x600');
    await page.setViewportSize({ width: 1440, height: 900 });
    expect(await violations(page)).toEqual([]);
    await picture(page, 'news-dark');
  });

  await test.step('without the service the window shows texts from the disk and says so', async () => {
    await service.process.stop();
    await expect(
      page.getByText('Not connected to the service. Only what is stored on this computer is shown.'),
    ).toBeVisible();
    await tab(page).click();
    await expect(
      page.getByText('Not connected to the service. Only what is stored on this computer is shown.'),
    ).toBeVisible();
    await option(page, /./).nth(6).click();
    await expect(text(page).getByRole('heading', { level: 2 }).first()).toBeVisible();
    await page.setViewportSize({ width: 900, height: 600 });
    await picture(page, 'briefings-offline-900x600');
  });
});

/** Runs in the page: the colours of its text. */
function inks(read: Element): string[] {
  return [
    ...new Set(
      [...read.querySelectorAll('.article :is(p, h1, h2, th, td, a, time)')].map(
        (part) => getComputedStyle(part).color,
      ),
    ),
  ];
}
