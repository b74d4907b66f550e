// End to end: what only Electron itself can show: its sandbox, its links, its navigation.
// Skipped with a reason where it is missing or cannot open a window.
import { type ElectronApplication, expect, type Page, test } from '@playwright/test';
import { findElectron, whyNoElectron } from '../../main/electron-binary.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { TOP } from '../harness/processes.ts';
import { launchElectron } from './electron-app.ts';
import { windowOf } from './window.ts';

const missing = findElectron(TOP) === null ? 'its binary is missing: npm start fetches it' : whyNoElectron(process.env);
test.skip(missing !== null, missing ?? '');
test.describe.configure({ mode: 'serial' });

const folder = temporaryFolder();
let electron: ElectronApplication;
let page: Page;
test.beforeAll(async () => {
  if (missing === null) ({ electron, page } = await launchElectron({ dataDir: folder.path }));
});
test.afterAll(async () => {
  if (missing === null) await electron.close();
  folder.remove();
});
test('Electron opens a window on a living sandbox', async () => {
  const window = windowOf(page);
  await expect(page).toHaveTitle(/^(\(\d+\) )?\[SANDBOX\] .*Barograph/);
  await expect(window.row('SPY')).toHaveAttribute('aria-selected', 'true');
  await expect(window.list.getByRole('row', { name: /, (Normal|Elevated|High Risk), for / })).toHaveCount(26);
  await expect(window.chart('SPY')).toContainText('SPY from ');
  expect(await page.evaluate(() => typeof Reflect.get(globalThis, 'require'))).toBe('undefined');
});

test('the window is sandboxed and isolated as Electron sees it', async () => {
  const preferences = await electron.evaluate(({ BrowserWindow }) => {
    const [window] = BrowserWindow.getAllWindows();
    return Reflect.get(window?.webContents ?? {}, 'getLastWebPreferences')?.call(window?.webContents);
  });
  expect(preferences).toMatchObject({
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    webSecurity: true,
  });
});

test('a link that arrives while it runs leads the window to the symbol', async () => {
  await electron.evaluate(({ app }) =>
    app.emit('open-url', { preventDefault: () => undefined }, 'barograph://symbol/QQQ'),
  );
  await expect(windowOf(page).row('QQQ')).toHaveAttribute('aria-selected', 'true');
});

test('a page of the app navigates to no other address', async () => {
  const before = page.url();
  await page.evaluate(() => {
    location.href = 'https://attacker.example/';
  });
  await expect.poll(() => page.url()).toBe(before);
  expect(await page.evaluate(() => window.open('https://attacker.example/') === null)).toBe(true);
});
