// End to end over the desktop shell itself, where its binary is: the same window, over the same core. Skipped, saying why, where it is not.
import { _electron, expect, test } from '@playwright/test';
import { electronBinary } from '../harness/electron.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { runScript, TOP } from '../harness/processes.ts';
import { windowOf } from './window.ts';

test('Electron opens a window on a living sandbox', async () => {
  const found = electronBinary();
  test.skip('missing' in found, 'missing' in found ? found.missing : '');
  if ('missing' in found) return;
  await runScript('build');
  const folder = temporaryFolder();
  // Root has no sandbox of Chromium's; everybody else does.
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const electron = await _electron.launch({ executablePath: found.path, args: [...asRoot, TOP, '--data-dir', folder.path], cwd: TOP });
  try {
    const page = await electron.firstWindow();
    const window = windowOf(page);
    await expect(page).toHaveTitle(/^\[SANDBOX\] .*Barograph/);
    await expect(window.row('SPY')).toHaveAttribute('aria-selected', 'true');
    await expect(window.list.getByRole('row', { name: /, (Normal|Elevated|High Risk), for / })).toHaveCount(26);
    await expect(window.chart('SPY')).toContainText('SPY from ');
    expect(await page.evaluate(() => typeof Reflect.get(globalThis, 'require'))).toBe('undefined');
  } finally {
    await electron.close();
    folder.remove();
  }
});
