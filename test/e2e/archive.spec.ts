// End to end: offline after a restart, the app has the briefings and the last values of panels.
// The panels mark these values as the last ones.
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { writeProfile } from '../harness/app.ts';
import { TEST_KEY } from '../harness/service.ts';
import { picture } from './inspection.ts';
import { test } from './test-host.ts';
import { turnTo, windowOf } from './window.ts';

test('without the service, after a restart, everything received before is there', { tag: '@long' }, async ({
  host,
}) => {
  const service = await host.service({
    environment: 'sandbox',
    key: TEST_KEY,
    symbols: 6,
    clock: '2026-03-04T15:00:00Z',
  });
  const dataDir = join(host.folder, 'app');
  writeProfile(dataDir, 'desk', service.url);
  const first = await host.open({ dataDir, profile: 'desk', key: TEST_KEY });
  let { page } = first;
  let window = windowOf(page);
  await expect(window.chart('SPY')).toContainText('SPY from ');
  await expect(page.getByRole('heading', { name: /^Moved most/ })).toBeVisible();
  await expect(page.getByText(/^As read /)).toHaveCount(0);
  await turnTo(page, 'Briefings');
  await page.getByRole('option').first().click();
  const title = await page.getByRole('article').getByRole('heading').first().textContent();
  // Every text is on the disk.
  await expect.poll(() => texts(join(dataDir, 'profiles', 'desk'))).toBe(0);
  await first.process.stop();
  await service.process.stop();

  ({ page } = await host.open({ dataDir, profile: 'desk', key: TEST_KEY }));
  window = windowOf(page);
  await expect(window.outage).toBeVisible();
  await expect(window.chart('SPY')).toContainText('SPY from ');
  await expect(page.getByText(/^As read /)).toHaveCount(2);
  await expect(window.row('SPY')).toHaveAccessibleName(/was (Normal|Elevated|High Risk)/);
  await picture(page, 'archive-offline');
  await turnTo(page, 'Briefings');
  await page.getByRole('button', { name: /^All / }).click();
  await page
    .getByRole('option', { name: title ?? '' })
    .first()
    .click();
  await expect(page.getByRole('article').getByRole('heading').first()).toHaveText(title ?? '');
  await picture(page, 'archive-offline-briefing');
});

/** The number of texts still to be fetched. */
async function texts(folder: string): Promise<number> {
  const { default: Database } = await import('better-sqlite3');
  const db = new Database(join(folder, 'archive.sqlite'), { readonly: true });
  try {
    const row = db
      .prepare<[], { all: number; pending: number }>(
        'SELECT count(*) AS "all", sum(text_pending) AS pending FROM briefings',
      )
      .get();
    return row === undefined || row.all === 0 ? -1 : row.pending;
  } finally {
    db.close();
  }
}
