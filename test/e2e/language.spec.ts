// End to end: every page in a language of long words: nothing untranslated, no control is cut off.
import { existsSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { FACTOR_DIMENSIONS } from '../../shared/domain/factors.ts';
import { PAGE_IDS } from '../../shared/domain/window-routes.ts';
import { buildPage } from '../language/build-page.ts';
import { texts } from '../language/test-language.ts';
import { picture } from './inspection.ts';
import { openApp } from './open-app.ts';
import { test } from './test-host.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.woff2': 'font/woff2',
  '.svg': 'image/svg+xml',
};

/** Parts that show data of the service or of this computer. */
const DATA =
  'article, code, time, figure, .mono, .br-row, .br-link, .br-choices, .wl-section .ell, .wl-name, .wl-head h2, .news-table, .news-item, .news-source, .instrument, .factors td, .symbol-header h1, .sh-note, .sh-more dd, .alert-note, .al-sentence, .validation-side dd, .worth-detail h2, .al-regime';

/** English that stays: names of the specification. */
const KEPT = /^(Barograph|Normal|Elevated|High Risk|(Calm|Volatile) (Uptrend|Downtrend|Range)|Shift [A-Z])$/;

const FACTOR_NAMES = new Set(FACTOR_DIMENSIONS.map(({ name }) => name));

/** Texts on the page with four letters and more and no accent. Runs in the page. */
function untranslated(selector: string): string[] {
  const found = new Set<string>();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const text = node.nodeValue?.trim() ?? '';
    const parent = node.parentElement;
    if (parent === null || !/[a-z]{4}/.test(text) || /[åéïøüß]/i.test(text) || parent.closest(selector)) continue;
    if (parent.checkVisibility()) found.add(text);
  }
  return [...found];
}

/** Controls that are cut off: by the window, or by a part that does not scroll. Runs in the page. */
const cut = (): string[] =>
  [...document.querySelectorAll('button, a, input, select')]
    .filter((element) => element.checkVisibility())
    .filter((element) => {
      const { left, right, width } = element.getBoundingClientRect();
      if (width === 0) return false;
      for (let part: Element | null = element.parentElement; part !== null; part = part.parentElement) {
        if (/auto|scroll/.test(getComputedStyle(part).overflowX)) return false;
        if (getComputedStyle(part).overflowX === 'visible' && part !== document.body) continue;
        const box = part.getBoundingClientRect();
        if (left < box.left - 1 || right > box.right + 1) return true;
      }
      return false;
    })
    .map((element) => element.textContent ?? '');

async function serveTestLanguage(page: Page, folder: string): Promise<void> {
  // The browser takes a document that a test answers for one from another network than the app's.
  await page.context().grantPermissions(['local-network-access']);
  await page.route(/^http:\/\/127\.0\.0\.1:\d+\/(?:assets\/.*)?(?:#.*)?$/, async (route) => {
    const path = new URL(route.request().url()).pathname;
    const file = join(folder, path === '/' ? 'index.html' : path);
    if (!existsSync(file)) return route.continue();
    const body = readFileSync(file);
    // The document keeps the headers of the app: its policy of contents, its cookie.
    if (path === '/') return route.fulfill({ response: await route.fetch(), body });
    return route.fulfill({ body, contentType: TYPES[extname(file)] ?? 'application/octet-stream' });
  });
}

test('in a language of long words every page is translated, and no control is cut off', { tag: '@long' }, async ({
  host,
  page,
}) => {
  const folder = join(host.folder, 'page');
  await buildPage(folder);
  await serveTestLanguage(page, folder);
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  const { service } = await openApp(host);
  await service.trigger('signal.high_risk', 'SPY');
  await expect(page.getByRole('row', { name: /^SPY, / })).toBeVisible();
  for (const id of [...PAGE_IDS, 'connection', 'webhooks'] as const)
    await test.step(id, async () => {
      await page.setViewportSize({ width: 1440, height: 900 });
      if (id === 'connection' || id === 'webhooks') {
        const { section } = texts.settings;
        await page.getByRole('banner').getByRole('button', { name: texts.common.pages.settings }).click();
        await page.getByRole('main').getByRole('button', { name: section[id], exact: true }).click();
      } else await page.keyboard.press(String(PAGE_IDS.indexOf(id) + 1));
      await expect(page.getByRole('heading', { level: 1 }).first()).toBeAttached();
      let before: string | null = null;
      const isSettled = async (): Promise<boolean> => {
        const last = before;
        before = await page.locator('main').textContent();
        return before === last;
      };
      await expect.poll(isSettled, { intervals: [500] }).toBe(true);
      await picture(page, `language-${id}`);
      const found = (await page.evaluate(untranslated, DATA)).filter(
        (text) => !KEPT.test(text) && !FACTOR_NAMES.has(text),
      );
      expect.soft(found, `English on ${id}`).toEqual([]);
      expect.soft(await page.evaluate(cut), `cut off on ${id}`).toEqual([]);
      await page.setViewportSize({ width: 900, height: 600 });
      await picture(page, `language-${id}-900x600`);
      expect.soft(await page.evaluate(cut), `cut off on small ${id}`).toEqual([]);
      if (id !== 'record') return;
      // The calls have a long line beside the sections.
      await page.locator('.record-page > .head > .seg button').nth(1).click();
      await expect.poll(isSettled, { intervals: [500] }).toBe(true);
      await picture(page, 'language-record-calls-900x600');
      expect.soft(await page.evaluate(cut), 'cut off on small calls').toEqual([]);
    });
  expect(errors).toEqual([]);
});
