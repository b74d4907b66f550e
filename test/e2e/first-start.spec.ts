// End to end: the first start by `npm start`: a painted market, without a key, all by keyboard.
import { expect } from '@playwright/test';
import { picture, violations } from './inspection.ts';
import { test } from './test-host.ts';
import { windowOf } from './window.ts';

test('the first start shows a living sandbox, and the keyboard moves in it', async ({ host }) => {
  const { page, address } = await host.open({ dataDir: host.folder, early: true });
  const window = windowOf(page);
  // The window is there before the service is ready, and comes alive without a reload.
  const loadedAt = await page.evaluate(() => performance.timeOrigin);

  await test.step('every symbol has a state, or a regime where that is all there is', async () => {
    await expect(page).toHaveTitle(/^(\(\d+\) )?\[SANDBOX\] .*Barograph/);
    await expect(window.environment).toContainText('SANDBOX');
    await expect(window.environment).toContainText('Simulated market');
    await expect(window.list.getByRole('row', { name: /, (Normal|Elevated|High Risk), for / })).toHaveCount(26);
    await expect(window.list.getByRole('row', { name: /, no signal, regime / })).toHaveCount(4);
    await expect(window.row('SPY')).toHaveAttribute('aria-selected', 'true');
    await expect(window.chart('SPY')).toContainText('SPY from ');
    await expect(page.getByRole('button', { name: 'Connection: works. Seeing everything' })).toBeVisible();
    expect(await page.evaluate(() => performance.timeOrigin)).toBe(loadedAt);
    await picture(page, 'first-start-dark');
  });

  await test.step('the address of the start opens one page only', async () => {
    if (address === null) return;
    const second = await page.context().newPage();
    await second.goto(address);
    await expect(second.getByRole('heading', { name: 'This window has no session' })).toBeVisible();
    await second.close();
  });

  await test.step('arrows and J choose the next symbol, everywhere', async () => {
    await window.row('SPY').focus();
    await page.keyboard.press('ArrowDown');
    await expect(window.row('QQQ')).toHaveAttribute('aria-selected', 'true');
    await expect(window.chart('QQQ')).toContainText('QQQ from ');
    await page.keyboard.press('j');
    await expect(window.row('IWM')).toHaveAttribute('aria-selected', 'true');
    await page.keyboard.press('k');
    await page.keyboard.press('k');
    await expect(window.row('SPY')).toHaveAttribute('aria-selected', 'true');
    await expect(window.row('SPY')).toBeFocused();
  });

  await test.step('a chart is drawn on its background, not over what was drawn before', async () => {
    await expect.poll(() => window.chart('SPY').evaluate(transparentPixels)).toBe(0);
  });

  await test.step('the choice survives a reload', async () => {
    await window.row('GLD').click();
    await expect(window.chart('GLD')).toContainText('GLD from ');
    await page.reload();
    await expect(window.row('GLD')).toHaveAttribute('aria-selected', 'true');
  });

  await test.step('the first steps make an alert happen, and can be left', async () => {
    const steps = page.getByRole('region', { name: 'First steps' });
    await expect(steps).toContainText('Step 1 of 3');
    await steps.getByRole('button', { name: 'Next' }).click();
    await steps.getByRole('button', { name: 'Make GLD High Risk' }).click();
    await expect(steps.getByRole('status')).toHaveText('GLD is High Risk.');
    await expect(window.inboxItem('GLD', 'High Risk').first()).toBeVisible();
    expect(await violations(page, 'all', '.banner.intro')).toEqual([]);
    await picture(page, 'first-steps');
    await steps.getByRole('button', { name: 'Leave the first steps' }).click();
    await expect(steps).toHaveCount(0);
  });

  await test.step('a small window still shows list, chart and inbox, and scrolls nowhere sideways', async () => {
    await page.setViewportSize({ width: 900, height: 600 });
    await expect(window.row('GLD')).toBeVisible();
    await expect(window.chart('GLD')).toBeVisible();
    await expect.poll(() => page.evaluate(overflow)).toEqual({ right: 0, below: 0 });
    await picture(page, 'first-start-900x600');
  });

  expect(await page.pageErrors()).toEqual([]);
});

/** Runs in the page: how far it can be scrolled, pixels. */
const overflow = () => {
  const { scrollWidth, scrollHeight } = document.documentElement;
  return { right: scrollWidth - innerWidth, below: scrollHeight - innerHeight };
};

/** Runs in the page: how many pixels of prices have no background. */
const transparentPixels = (figure: Element) => {
  const canvas = figure.querySelector('canvas');
  const context = canvas?.getContext('2d');
  if (!canvas || !context || canvas.width === 0) return null;
  return context.getImageData(0, 0, canvas.width, canvas.height).data.filter((value, at) => at % 4 === 3 && value < 255)
    .length;
};
