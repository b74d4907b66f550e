// End to end: one High Risk from the service over stream and ledger to desktop and window.
// Then the service stops and starts again: a High Risk of the time between arrives exactly once.
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { writeProfile } from '../harness/app.ts';
import { TEST_KEY } from '../harness/service.ts';
import { picture } from './inspection.ts';
import { type OpenApp, test } from './test-host.ts';
import { windowOf } from './window.ts';

const PROFILE = 'desk';

test('a High Risk reaches row, chart, inbox and desktop, also one that happened while offline', async ({ host }) => {
  const dataDir = join(host.folder, 'app');
  // A world of its own time, so that the same market is seen whenever the test runs.
  const world = {
    environment: 'sandbox',
    key: TEST_KEY,
    symbols: 6,
    clock: '2026-03-04T15:00:00Z,x1',
    db: join(host.folder, 'service.sqlite'),
  } as const;
  const first = await host.service(world);
  writeProfile(dataDir, PROFILE, first.url);
  const app = await host.open({ dataDir, profile: PROFILE, key: TEST_KEY });
  const { page } = app;
  const window = windowOf(page);
  await expect(window.row('SPY')).toHaveAttribute('aria-selected', 'true');
  await expect(window.chart('SPY')).toContainText('SPY from ');
  const ink = await window.highRiskInk('SPY');

  await test.step('a triggered High Risk is shown', async () => {
    await triggered(first.trigger('signal.high_risk', 'SPY'));
    await expect(window.row('SPY')).toHaveAccessibleName(/^SPY, High Risk, /);
    await expect(window.chart('SPY')).toContainText('High Risk now.');
    await expect.poll(() => window.highRiskInk('SPY')).toBeGreaterThan(ink);
    await expect(window.inboxItem('SPY', 'High Risk').first()).toHaveAttribute('aria-expanded', 'true');
    await expect(window.inbox).toContainText('Shown ');
    await expect
      .poll(() => app.notifications())
      .toContainEqual(expect.objectContaining({ title: expect.stringContaining('SPY is High Risk') }));
    await picture(page, 'transition-high-risk');
  });

  await test.step('the service stops, and the window shows that it is offline', async () => {
    await first.process.stop();
    await expect(window.outage).toBeVisible();
    await expect(window.row('SPY')).toHaveAccessibleName(/was High Risk/);
    await picture(page, 'transition-offline');
  });

  await test.step('SPY changes while offline, and its event arrives once', async () => {
    const before = notified(app).length;
    // On another port the app does not receive it.
    const unheard = await host.service(world);
    await triggered(unheard.trigger('signal.high_risk', 'SPY'));
    await unheard.process.stop();
    const back = await host.service({ ...world, port: first.port });
    await expect(window.outage).toBeHidden();
    await expect(window.row('SPY')).toHaveAccessibleName(/^SPY, High Risk, /);
    await expect.poll(() => notified(app)).toHaveLength(before + 1);

    // Notifications are sent in order: once QQQ is notified, SPY has been as often as it will be.
    await triggered(back.trigger('signal.high_risk', 'QQQ'));
    await expect(window.row('QQQ')).toHaveAccessibleName(/^QQQ, High Risk, /);
    await expect.poll(() => notified(app)).toHaveLength(before + 2);
    // None under two ids.
    expect(new Set(notified(app)).size).toBe(before + 2);
    const needsYou = window.inbox.getByRole('region', { name: 'Needs attention' });
    const turned = await needsYou
      .getByRole('button', { name: /^SPY High Risk / })
      .locator('time')
      .getAttribute('datetime');
    // A second copy would be first in the list.
    const ofThen = page.locator(`time[datetime="${turned}"]`);
    await expect(window.inboxItem('SPY', 'High Risk').filter({ has: ofThen })).toHaveCount(1);
    await picture(page, 'transition-back');
  });

  await test.step('a restart notifies nothing again', async () => {
    // There is no desktop here: a notification is open until the window has said that it showed it.
    await window.inboxItem('QQQ', 'High Risk').first().click();
    await expect(window.inbox).toContainText('Shown ');
    const before = app.notifications().length;
    expect(await app.process.stop(), app.process.printed()).toEqual({ code: 0, signal: null });
    const again = await host.open({ dataDir, profile: PROFILE, key: TEST_KEY });
    await expect(windowOf(again.page).row('QQQ')).toHaveAccessibleName(/^QQQ, High Risk, /);
    expect(again.notifications()).toHaveLength(before);
  });
});

/** The alerts that were notified, alone or by name with others: once for each id under which they were. */
const notified = (app: OpenApp): unknown[] => {
  const named = app.notifications().flatMap(({ id, names = [id] }) => (names as unknown[]).map((name) => [id, name]));
  return [...new Map(named.map((pair) => [pair.join(' '), pair[1]])).values()];
};

async function triggered(ids: Promise<string[]>): Promise<string[]> {
  const written = await ids;
  expect(written.length).toBeGreaterThan(0);
  return written;
}
