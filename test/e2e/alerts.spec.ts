// End to end: a trader acknowledges, snoozes and silences alerts; adds, tests and deletes rules.
// The trader also asks for the reasons of an alert.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, type Page } from '@playwright/test';
import { inspectThemes, picture, violations } from './inspection.ts';
import { FIXED_WORLD, openApp, savedBy } from './open-app.ts';
import { test } from './test-host.ts';
import { turnTo } from './window.ts';

const line = (page: Page, name: RegExp) =>
  page.getByRole('grid', { name: 'Alerts' }).getByRole('row', { name }).first();
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
/** The page's tab, with the number of alerts that need attention. */
const tab = (page: Page, count: number) =>
  page.getByRole('button', { name: count === 0 ? /^Alerts$/ : new RegExp(`^Alerts ${count} needs? attention$`) });

test('an alert is shown, acknowledged, snoozed, explained, filtered and exported', { tag: '@long' }, async ({
  host,
}) => {
  const { page, window, service } = await openApp(host);
  const inbox = window.inbox;
  await expect(window.chart('SPY')).toContainText('SPY from ');
  await service.trigger('signal.elevated', 'QQQ');
  await service.trigger('signal.high_risk', 'SPY');

  await test.step('beside the chart: a key acknowledges, and undo takes it back', async () => {
    await expect(
      inbox.getByRole('region', { name: 'Needs attention' }).getByRole('button', { name: /^SPY High Risk/ }),
    ).toBeVisible();
    await expect(tab(page, 1)).toBeVisible();
    await page.keyboard.press('a');
    await expect(inbox.getByRole('button', { name: '1 acknowledged: SPY' })).toBeVisible();
    await expect(tab(page, 0)).toBeVisible();
    await button(page, 'Undo').click();
    await expect(tab(page, 1)).toBeVisible();
  });

  await test.step('beside the chart: a key opens the snooze menu of the item, which returns the focus', async () => {
    await inbox
      .getByRole('button', { name: /^SPY High Risk/ })
      .first()
      .focus();
    await page.keyboard.press('s');
    await expect(page.getByRole('menuitem', { name: /^15 minutes/ })).toBeFocused();
    await page.keyboard.press('Escape');
    const snooze = inbox.getByRole('button', { name: /^Snooze SPY/ });
    await expect(snooze).toBeFocused();
    await page.setViewportSize({ width: 900, height: 600 });
    await expect(inbox).toBeHidden();
    await page.keyboard.press('s');
    await expect(page.getByRole('menuitem', { name: /^15 minutes/ })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(snooze).toBeFocused();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await expect(inbox).toBeHidden();
    await page.setViewportSize({ width: 1440, height: 900 });
    await expect(
      inbox.getByRole('region', { name: 'Needs attention' }).getByRole('button', { name: /^SPY High Risk/ }),
    ).toBeInViewport();
  });

  await test.step('in a low window the toast leaves the states below the chart in view', async () => {
    await page.setViewportSize({ width: 900, height: 600 });
    await expect(page.getByRole('region', { name: 'SPY is High Risk' })).toBeVisible();
    const chart = await window.chart('SPY').boundingBox();
    const below = await page.getByRole('region', { name: 'Alert inbox, collapsed' }).boundingBox();
    expect(below?.y ?? 0).toBeGreaterThanOrEqual(Math.round((chart?.y ?? 0) + (chart?.height ?? 0)));
    await picture(page, 'watch-toast-900x600');
    // Below the plot, each under the other: the slider of days, the tabs and what they show.
    const parts = page.locator('.symbol').locator('> .time, > .record-head, > .detail');
    const boxes = await Promise.all((await parts.all()).map((part) => part.boundingBox()));
    const edges = boxes.map((box) => [box?.y ?? 0, (box?.y ?? 0) + (box?.height ?? 0)]);
    expect(edges.flat()).toEqual(edges.flat().toSorted((a, b) => a - b));
    await parts.last().scrollIntoViewIfNeeded();
    await expect(parts.last()).toBeInViewport();
    await picture(page, 'watch-toast-scrolled-900x600');
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  await test.step('a click on the toast opens its trace', async () => {
    await page.getByRole('region', { name: 'SPY is High Risk' }).getByRole('button', { name: 'Show SPY' }).click();
    const why = page.getByRole('complementary', { name: 'Why' });
    await expect(why).toContainText(/You were notified .* after it arrived\./);
    for (const label of ['Received', 'Evaluated by your rules', 'Sent', 'Response', 'Opened'])
      await expect(why).toContainText(label);
    await expect(why).toContainText(/\d+ of \d+ High Risk calls right/);
    await expect(why).toContainText(/× usual; such a fall follows .* of all sessions/);
    await expect(line(page, /^SPY, High Risk, .*, Open, Needs attention/)).toContainText(/\d+ of \d+/);
  });

  await test.step('a note is kept and listed', async () => {
    await page.getByRole('textbox', { name: 'Your note' }).fill('=1+1 look again at the close');
    await button(page, 'Save note').click();
    await expect(line(page, /^SPY, High Risk/)).toContainText('look again at the close');
    await inspectThemes(page, 'alerts-why', ['light', 'dark']);
    await page.getByRole('complementary', { name: 'Why' }).getByRole('button', { name: 'Close' }).click();
  });

  await test.step('snoozed with two keys, and undone without another notification', async () => {
    await line(page, /^SPY, High Risk/).focus();
    await page.keyboard.press('s');
    await expect(page.getByRole('menuitem', { name: /^Next open/ })).toBeVisible();
    await picture(page, 'alerts-snooze');
    await page.keyboard.press('c');
    await expect(line(page, /^SPY, High Risk, .*Snoozed, until its next change/)).toBeVisible();
    await expect(tab(page, 0)).toBeVisible();
    await expect(button(page, 'Muted now 1')).toBeVisible();
    await button(page, 'Undo').click();
    await expect(line(page, /^SPY, High Risk, .*Needs attention/)).toBeVisible();
    await expect(button(page, 'Muted now')).toBeVisible();
  });

  await test.step('selected alerts are exported; a note that looks like a formula stays text', async () => {
    await line(page, /^SPY, High Risk/).focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('j');
    await page.keyboard.press('Space');
    await expect(page.getByText('2 selected')).toBeVisible();
    const save = async (menu: string, item: string) => {
      await button(page, menu).click();
      return savedBy(page, () => page.getByRole('menuitem', { name: item }).click());
    };
    const chosen = JSON.parse((await save('Export selected', 'JSON')).bytes.toString('utf8'));
    expect(chosen).toMatchObject({ environment: 'sandbox', lines: [{ symbol: 'SPY', peak: 'high_risk' }, {}] });
    expect(chosen.lines).toHaveLength(2);
    const csv = await save('Export alerts', 'CSV');
    expect(csv.name).toBe('alerts-episodes.csv');
    expect(csv.bytes.toString('utf8')).toContain("'=1+1 look again");
    await button(page, 'Clear selection').click();
  });

  await test.step('transitions are grouped by outcome; all that need attention are acknowledged at once', async () => {
    await button(page, 'Transitions').click();
    await expect(page.getByRole('rowheader', { name: /^Needs attention 1$/ })).toBeVisible();
    await page.keyboard.press('Shift+A');
    await expect(line(page, /^SPY, High Risk, .*Acknowledged/)).toBeVisible();
    await expect(page.getByRole('rowheader', { name: /^Handled/ })).toBeVisible();
    await button(page, 'Episodes').click();
    await inspectThemes(page, 'alerts-inbox', []);
  });
});

test('rules and silences are added, tested and ended', {
  tag: '@long',
}, async ({ host }) => {
  // Between two bursts, and between two later ones.
  const world = { scenario: 'burst', clock: '2026-03-04T14:50:00Z' };
  const { page, window, service: first } = await openApp(host, world);
  await expect(window.chart('SPY')).toContainText('SPY from ');
  // Downtime begins only after the first complete read.
  await turnTo(page, 'Settings', 'Connection');
  await expect(page.getByText(/^contiguous up to /)).toBeVisible();
  await page.keyboard.press('2');

  const service =
    await test.step('the downtime summary is listed symbol by symbol until the user has seen it', async () => {
      await expect(line(page, /^(SPY|QQQ|IWM|DIA), /)).toBeVisible();
      await first.process.stop();
      await expect(window.outage).toBeVisible();
      // The same market, two hours later.
      const later = await host.service({
        ...FIXED_WORLD,
        ...world,
        clock: '2026-03-04T17:00:00Z',
        port: first.port,
      });
      const downtime = page.getByRole('region', { name: /^While no data was received, / });
      await expect(downtime).toContainText(/\d+ changes? of \d+ symbols?\./);
      await picture(page, 'alerts-downtime');
      await downtime
        .getByRole('button', { name: /^[A-Z]+ .* changes?$/ })
        .first()
        .click();
      await expect(page.getByRole('complementary', { name: 'Why' })).toContainText('Event history');
      await downtime.getByRole('button', { name: 'Seen' }).click();
      await expect(downtime).toBeHidden();
      await expect(window.outage).toBeHidden();
      return later;
    });

  await test.step('a silence holds alerts back', async () => {
    await button(page, 'Muted now').click();
    const form = page.getByRole('form', { name: 'Add a silence' });
    await form.getByLabel('Symbols').fill('qqq');
    await form.getByLabel('Until').fill('2026-03-04T18:00');
    await form.getByLabel('Comment').fill('earnings');
    await form.getByRole('button', { name: 'Silence' }).click();
    await expect(page.getByRole('row', { name: /Silence QQQ/ })).toContainText('18:00, in');
    await service.trigger('signal.high_risk', 'QQQ');
    await expect(page.getByRole('row', { name: /Silence QQQ/ })).toContainText('1: QQQ');
    await inspectThemes(page, 'alerts-muted', ['dark']);
    await button(page, /^Inbox/).click();
    await expect(line(page, /^QQQ, High Risk, .*Suppressed: silenced: earnings/)).toBeVisible();
  });

  await test.step('a silence ended by hand notifies what is still active', async () => {
    await button(page, 'Muted now 1').click();
    await button(page, 'End now: Silence, QQQ').click();
    await expect(page.getByText('Nothing is muted.')).toBeVisible();
    await button(page, /^\d+ needs? attention$/).click();
    await expect(line(page, /^QQQ, High Risk, .*Needs attention/)).toBeVisible();
  });

  const channelServer = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"id":"1"}');
  });
  await new Promise<void>((resolve) => channelServer.listen(0, '127.0.0.1', resolve));
  const editor = page.getByRole('complementary', { name: /^(New rule|Rule )/ });

  await test.step('a channel is set up, and tested', async () => {
    await turnTo(page, 'Settings', 'Channels');
    await button(page, 'Add a channel').click();
    await page.getByLabel('Kind').selectOption('ntfy');
    await page.getByRole('textbox', { name: 'Name' }).fill('Night phone');
    await page
      .getByLabel('Address of the topic')
      .fill(`http://127.0.0.1:${(channelServer.address() as AddressInfo).port}/topic`);
    await button(page, 'Save channel').click();
    await expect(page.getByText(/^Saved\. Send a test/)).toBeVisible();
    await button(page, 'Send a test to Night phone').first().click();
    await expect(page.getByText(/^Accepted: /)).toBeVisible();
    await inspectThemes(page, 'settings-channels', ['light', 'dark']);
    await turnTo(page, 'Alerts');
  });

  await test.step('a new rule is filled in', async () => {
    await button(page, /^Rules/).click();
    await button(page, 'Add rule').click();
    await editor.getByRole('textbox', { name: 'Name' }).fill('Night watch');
    await editor.getByRole('checkbox', { name: 'Elevated' }).check();
    await editor.getByRole('group', { name: 'At least' }).getByRole('button', { name: 'Elevated' }).click();
    await editor
      .getByRole('group', { name: 'Besides the desktop' })
      .getByRole('checkbox', { name: 'Night phone' })
      .check();
  });

  await test.step('a rule is backtested over 30 days before it is saved', async () => {
    await editor.getByRole('button', { name: 'Test on the last 30 days' }).click();
    await expect(editor).toContainText(
      /Over the (last 30 days|\d+ days? known here) it would have notified you [\d,]+ times, [\d,]+ at night, [\d,]+ were brief\./,
    );
    await inspectThemes(page, 'alerts-rules', ['light', 'dark']);
  });

  await test.step('a rule is saved, disabled, deleted by name', async () => {
    await editor.getByRole('button', { name: 'Save rule' }).click();
    await expect(editor).toContainText('Saved.');
    await page.keyboard.press('Escape');
    await expect(editor).toBeHidden();
    const row = page.getByRole('row', { name: /Night watch/ });
    await expect(row).toContainText('Desktop, Night phone');
    await page.getByRole('switch', { name: 'Enable Night watch' }).click();
    await expect(row).toContainText('Disabled');
    await button(page, 'More for Night watch').click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page
      .getByRole('dialog', { name: 'Delete the rule Night watch?' })
      .getByRole('button', { name: 'Delete rule' })
      .click();
    await expect(row).toBeHidden();
  });

  await test.step('without a rule that can notify, every page says so', async () => {
    await page.getByRole('switch', { name: 'Enable High Risk of a watched symbol' }).click();
    await page.keyboard.press('1');
    const banner = page.getByRole('region', { name: 'No rule can notify you' });
    await expect(window.list).toBeVisible();
    await expect(banner).toBeVisible();
    await picture(page, 'alerts-silent');
    await banner.getByRole('button', { name: 'Open rules' }).click();
    await page.getByRole('switch', { name: 'Enable High Risk of a watched symbol' }).click();
    await expect(banner).toBeHidden();
  });
  channelServer.close();
});
