// Test harness: `npm run pictures` takes the README's screenshots from the running app.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { windowOf } from '../e2e/window.ts';
import { barograph, startApp } from './app.ts';
import { findBrowser } from './browser.ts';
import { startBus, startDesktop } from './fake-desktop.ts';
import { temporaryFolder } from './folders.ts';
import { TOP } from './processes.ts';

const pictures = join(TOP, 'docs', 'pictures');
mkdirSync(pictures, { recursive: true });
const folder = temporaryFolder();
// With a desktop the window has no warning.
const bus = await startBus(join(folder.path, 'bus'));
const desktop = await startDesktop(bus.address, ['body-markup', 'actions'], { name: 'desktop' });
const app = await startApp({ dataDir: join(folder.path, 'data'), bus: bus.address });
const browser = await chromium.launch((await findBrowser()).launchOptions);
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(app.url);
  const window = windowOf(page);
  await window.row('SPY').waitFor();
  for (const text of ['Calculating...', 'Loading two years'])
    await page.getByText(text).waitFor({ state: 'detached', timeout: 180_000 });
  for (const symbol of ['QQQ', 'SPY']) {
    await barograph('trigger', 'signal.high_risk', '--symbol', symbol, '--data-dir', join(folder.path, 'data'));
  }
  await window.inboxItem('SPY', 'High Risk').first().waitFor();
  await window.chart('SPY').getByText('SPY from ').waitFor({ state: 'attached' });
  // The level of the breach comes with the next snapshot.
  await page.getByText(/ to its breach$/).waitFor();
  await page.screenshot({ path: join(pictures, 'watch.png') });
  await page
    .getByRole('button', { name: /^Why SPY/ })
    .first()
    .click();
  await page.getByRole('complementary', { name: 'Why' }).getByRole('listitem').first().waitFor();
  await page.screenshot({ path: join(pictures, 'alerts.png') });
} finally {
  await browser.close();
  await app.process.stop();
  await desktop.close();
  await bus.close();
  folder.remove();
}
