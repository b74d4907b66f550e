// End to end: two windows of a browser in the background notify by the browser, where the desktop cannot.
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { DEFAULT_GROUPING } from '../../shared/settings/alert-rules.ts';
import { barograph } from '../harness/app.ts';
import { inspectThemes, picture } from './inspection.ts';
import { openApp } from './open-app.ts';
import { test } from './test-host.ts';

declare global {
  interface Window {
    /** The notifications that this page has made, oldest first. */
    made: { readonly notification: Notification; readonly tag: string; readonly title: string; isClosed: boolean }[];
  }
}

/** Records the browser's own notifications, which stay as they are. */
function observe(): void {
  window.made = [];
  window.Notification = class extends Notification {
    constructor(title: string, options: NotificationOptions = {}) {
      super(title, options);
      window.made.push({ notification: this, tag: options.tag ?? '', title, isClosed: false });
    }
    /** By the page: the browser closes one by itself after a while. */
    override close(): void {
      for (const made of window.made) if (made.notification === this) made.isClosed = true;
      super.close();
    }
  };
}
/** Playwright gives every page the focus, so that none would be in the background. */
const focus = (page: Page, isInFront: boolean) =>
  page.evaluate((has) => {
    document.hasFocus = () => has;
  }, isInFront);

test('windows in the background tell their user once, by the browser', { tag: '@long' }, async ({
  host,
  context,
  page,
}) => {
  await context.addInitScript(observe);
  // This market has no alert of its own in the first twenty minutes.
  const grouping = { ...DEFAULT_GROUPING, by: 'symbol' } as const;
  const { service } = await openApp(host, { clock: '2026-03-04T15:00:00Z,x1' }, { grouping });
  const banner = page.getByRole('region', { name: /^Desktop notifications are unavailable/ });

  await test.step('a button asks for the permission; then the line says what happens', async () => {
    await expect(banner.getByRole('button', { name: 'Allow notifications in this browser' })).toBeVisible();
    // The page's own code comes after the banner.
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await inspectThemes(page, 'notifications-allow', ['dark']);
    await context.grantPermissions(['notifications'], { origin: new URL(page.url()).origin });
    await expect(banner).toContainText('While this window is in the background, its browser notifies you.');
    await expect(banner.getByRole('button')).toHaveCount(0);
    await picture(page, 'notifications-allowed');
  });

  const second = await context.newPage();
  const opened = await barograph('open', '--no-open', '--data-dir', join(host.folder, 'app'));
  await second.goto(opened.replace(/^ready /, '').trim());
  await expect(second.getByRole('region', { name: /^Desktop notifications/ })).toBeVisible();
  const windows = [page, second];
  const made = async () =>
    (
      await Promise.all(
        windows.map((one) =>
          one.evaluate(() =>
            window.made.map(({ tag, title, isClosed }) => `${tag} ${title}${isClosed ? ', closed' : ''}`),
          ),
        ),
      )
    )
      .flat()
      .sort();
  const about = (symbol: string, end = '') =>
    expect.stringMatching(new RegExp(`^desk/barograph:evt_\\w+ \\[SANDBOX\\] ${symbol} is High Risk${end}$`));

  await test.step('in the background one of them shows it, under the tag of its permanent id', async () => {
    for (const one of windows) await focus(one, false);
    await service.trigger('signal.high_risk', 'SPY');
    await expect.poll(made).toEqual([about('SPY')]);
    // This one comes after a second one of SPY would have come.
    await service.trigger('signal.high_risk', 'QQQ');
    await expect.poll(made).toEqual([about('SPY'), about('QQQ')]);
  });

  await test.step('a click opens the alert, whose outcome says who showed it', async () => {
    for (const one of windows)
      await one.evaluate(() => {
        for (const { title, notification } of window.made)
          if (title.includes('SPY')) notification.dispatchEvent(new Event('click'));
      });
    await expect.poll(made).toEqual([about('SPY', ', closed'), about('QQQ')]);
    const told = async () =>
      (
        await Promise.all(windows.map((one) => one.getByRole('complementary', { name: 'Why' }).allTextContents()))
      ).flat();
    await expect
      .poll(told)
      .toEqual([expect.stringContaining('The browser showed it, because the window was in the background.')]);
  });

  await test.step('an acknowledgement closes its notification', async () => {
    await barograph('acknowledge', 'QQQ', '--data-dir', join(host.folder, 'app'));
    await expect.poll(made).toEqual([about('SPY', ', closed'), about('QQQ', ', closed')]);
  });

  await test.step('a window in front shows an alert itself', async () => {
    // A window in the background would show it by the browser where the one in front is busy for longer than its
    // head start.
    for (const one of windows) await focus(one, true);
    await second.bringToFront();
    await second.keyboard.press('1');
    await service.trigger('signal.high_risk', 'IWM');
    await expect(second.getByRole('region', { name: 'IWM is High Risk' })).toBeVisible();
    expect(await made()).toHaveLength(2);
  });
});
