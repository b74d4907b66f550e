// End to end: the browser from npm starts with its own libraries and paints.
// It does so also where the system has another one.
import { chromium, expect, test } from '@playwright/test';
import { findBrowser } from '../harness/browser.ts';
import { hasTool } from '../harness/tools.ts';

test('the browser from npm opens a page', { tag: '@long' }, async () => {
  test.skip(
    process.platform !== 'linux' || process.arch !== 'x64',
    'the browser from npm is built for Linux on x64 only',
  );
  test.skip(!hasTool('@sparticuz/chromium'), 'npm ci --prefix tools --ignore-scripts installs it');
  const browser = await chromium.launch((await findBrowser('npm')).launchOptions);
  try {
    const page = await browser.newPage();
    await page.setContent('<button>Open</button>');
    await expect(page.getByRole('button', { name: 'Open' })).toBeVisible();
  } finally {
    await browser.close();
  }
});
