// End to end: the window in Electron itself.
// Skipped with a reason where the binary of Electron is missing.
import { _electron, type ElectronApplication, expect, test } from '@playwright/test';
import { ensureBuilt } from '../../main/build.ts';
import { electronBinary } from '../harness/electron.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { TOP } from '../harness/processes.ts';
import { windowOf } from './window.ts';

const found = electronBinary();
test.skip('missing' in found, 'missing' in found ? found.missing : '');
test.describe.configure({ mode: 'serial' });

const folder = temporaryFolder();
let electron: ElectronApplication;
test.beforeAll(async () => {
  if ('missing' in found) return;
  // Rebuilt only where it is outdated: other tests run beside this one.
  await ensureBuilt(['renderer', 'preload', 'main'], () => undefined);
  electron = await _electron.launch({ executablePath: found.path, args: [TOP, '--data-dir', folder.path], cwd: TOP });
});
test.afterAll(async () => {
  if (!('missing' in found)) await electron.close();
  folder.remove();
});

test('Electron opens a window on a living sandbox', async () => {
  const page = await electron.firstWindow();
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
  const page = await electron.firstWindow();
  await electron.evaluate(({ app }) =>
    app.emit('open-url', { preventDefault: () => undefined }, 'barograph://symbol/QQQ'),
  );
  await expect(windowOf(page).row('QQQ')).toHaveAttribute('aria-selected', 'true');
});

test('the page navigates nowhere else', async () => {
  const page = await electron.firstWindow();
  const before = page.url();
  await page.evaluate(() => {
    location.href = 'https://attacker.example/';
  });
  await expect.poll(() => page.url()).toBe(before);
  expect(await page.evaluate(() => window.open('https://attacker.example/') === null)).toBe(true);
});
