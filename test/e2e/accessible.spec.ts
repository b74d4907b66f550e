// End to end: axe finds nothing on the Watch page, in either theme, and while Barograph is offline.
import { expect } from '@playwright/test';
import { picture, violations } from './inspection.ts';
import { openApp } from './open-app.ts';
import { test } from './test-host.ts';

test('axe finds nothing on the Watch page', { tag: '@long' }, async ({ host }) => {
  const { page, service, window } = await openApp(host);
  await expect(window.chart('SPY')).toContainText('SPY from ');
  await service.trigger('signal.elevated', 'QQQ');
  await service.trigger('signal.high_risk', 'SPY');
  await expect(window.row('SPY')).toHaveAccessibleName(/^SPY, High Risk, /);
  await expect(window.inboxItem('SPY', 'High Risk').first()).toBeVisible();

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
  await test.step('offline', async () => {
    await service.process.stop();
    await expect(window.outage).toBeVisible();
    expect(await violations(page)).toEqual([]);
    await picture(page, 'watch-offline-light');
  });
});
