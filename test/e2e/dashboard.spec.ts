// End to end: the one-time link signs a browser in, and its own EventSource reads without a key.
import { expect } from '@playwright/test';
import { nodeScript, start } from '../harness/processes.ts';
import { test } from './test-host.ts';

const KEY = 'svc_test_dashboardeventsource1';

test('an EventSource receives events', async ({ page }) => {
  const flags = [
    '--port',
    '0',
    '--dashboard-port',
    '0',
    '--symbols',
    '2',
    '--key',
    KEY,
    '--clock',
    '2026-03-02T14:30:00Z',
  ];
  const service = start(process.execPath, [...nodeScript('service'), ...flags]);
  try {
    const [, url = ''] = await service.line(/^ready (\S+)$/, 90_000);
    const [, dashboard = ''] = await service.line(/^dashboard (\S+)$/);
    const [, link = ''] = await service.line(/^dashboard-link (\S+)$/);
    await page.goto(dashboard);
    await expect(page.locator('#session')).toContainText('You are not signed in');
    await page.goto(link);
    await page.reload();
    await expect(page.locator('#session')).toContainText('You are signed in for: read, trigger, subscriptions');
    expect(page.url()).not.toContain('t=');
    const opened = await page.evaluate(
      () =>
        new Promise<boolean>((resolve) => {
          const source = new EventSource('/api/proxy/stream');
          source.addEventListener('signal.high_risk', ({ data }) => {
            document.title = JSON.parse(data).data.symbol;
          });
          source.onopen = () => resolve(true);
          source.onerror = () => resolve(false);
        }),
    );
    expect(opened).toBe(true);
    await fetch(`${url}/sandbox/trigger`, {
      method: 'POST',
      headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
      body: JSON.stringify({ event: 'signal.high_risk', symbol: 'SPY' }),
    });
    await expect(page).toHaveTitle('SPY');
  } finally {
    await service.kill();
  }
});
