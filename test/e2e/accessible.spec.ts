// End to end: the Watch page can be used by everybody: axe finds nothing, in either theme, and while Barograph is blind.
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import { barograph } from '../harness/app.ts';
import { TEST_KEY } from '../harness/service.ts';
import { picture, test } from './house.ts';
import { windowOf } from './window.ts';

/** What axe finds against WCAG 2.2 A and AA and its own best practices, one line each. */
async function violations(page: Page): Promise<string[]> {
  const { violations: found } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .analyze();
  return found.flatMap(({ id, help, nodes }) =>
    nodes.map((node) => `${id}: ${help}: ${node.target.join(' ')}: ${node.failureSummary ?? ''}`),
  );
}

test('axe finds nothing on the Watch page', async ({ house, page }) => {
  const service = await house.service({ environment: 'sandbox', key: TEST_KEY, symbols: 6, clock: '2026-03-04T15:00:00Z' });
  const dataDir = join(house.folder, 'app');
  await barograph('profiles', 'add', 'desk', '--env', 'sandbox', '--url', service.url, '--data-dir', dataDir);
  await barograph('profiles', 'remove', 'sandbox', '--data-dir', dataDir);
  const app = await house.app({ dataDir, profile: 'desk', key: TEST_KEY });
  const window = windowOf(page);
  await page.goto(app.url);
  await expect(window.chart('SPY')).toContainText('SPY from ');
  await service.trigger('signal.elevated', 'QQQ');
  await service.trigger('signal.high_risk', 'SPY');
  await expect(window.row('SPY')).toHaveAccessibleName(/^SPY, High Risk, /);
  await expect(window.told('SPY', 'High Risk').first()).toBeVisible();

  await test.step('dark', async () => {
    expect(await violations(page)).toEqual([]);
    await picture(page, 'watch-dark');
  });
  await test.step('light', async () => {
    await page.getByRole('button', { name: 'Light theme' }).click();
    await expect(page.getByRole('button', { name: 'Dark theme' })).toBeVisible();
    expect(await violations(page)).toEqual([]);
    await picture(page, 'watch-light');
  });
  await test.step('small', async () => {
    await page.setViewportSize({ width: 900, height: 600 });
    expect(await violations(page)).toEqual([]);
    await picture(page, 'watch-light-900x600');
    await page.setViewportSize({ width: 1440, height: 900 });
  });
  await test.step('blind', async () => {
    await service.process.stop();
    await expect(window.blind).toBeVisible();
    expect(await violations(page)).toEqual([]);
    await picture(page, 'watch-blind-light');
  });
});
