// Bench: opens pages in the browser of the end-to-end tests, and times their painting.
import { type Browser, chromium, type Page } from '@playwright/test';
import { findBrowser } from '../../harness/browser.ts';
import type { Context } from '../row.ts';

export interface Pages {
  /** A page of its own: no cache, no storage of others. Scripts of other origins may be reached, so that a floor can run beside the product. */
  open(): Promise<Page>;
}

export async function openBrowser(context: Context): Promise<Pages> {
  const browser: Browser = await chromium.launch((await findBrowser()).launchOptions);
  context.defer(() => browser.close());
  return {
    async open() {
      const window = await browser.newContext({ viewport: { width: 1440, height: 900 }, bypassCSP: true });
      const page = await window.newPage();
      page.on('close', () => void window.close().catch(() => undefined));
      return page;
    },
  };
}

/** Milliseconds from the start of the navigation until a frame with this element was painted. */
export async function paintedAfter(pages: Pages, address: string, selector: string): Promise<number> {
  const page = await pages.open();
  try {
    await page.addInitScript((selector) => {
      // A message sent during a frame arrives after it.
      const { port1, port2 } = new MessageChannel();
      let isMakingFrame = false;
      let isThere = false;
      const check = (): void => {
        isThere ||= document.querySelector(selector) !== null;
      };
      // Finds what tasks before the frame changed; what the frame itself changes after that is observed.
      const begin = (): void => {
        isMakingFrame = true;
        check();
        port2.postMessage(0);
      };
      port1.onmessage = () => {
        isMakingFrame = false;
        if (isThere) Object.assign(window, { paintedAt: performance.now() });
        else requestAnimationFrame(begin);
      };
      new MutationObserver(() => {
        if (isMakingFrame) check();
      }).observe(document, { subtree: true, childList: true, attributes: true });
      requestAnimationFrame(begin);
    }, selector);
    await page.goto(address, { waitUntil: 'commit' });
    const handle = await page.waitForFunction(() => (window as { paintedAt?: number }).paintedAt, undefined, {
      timeout: 30_000,
    });
    return Number(await handle.jsonValue());
  } finally {
    await page.close();
  }
}
