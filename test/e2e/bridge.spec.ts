// End to end: the real window over the real bridge, in an isolated world of a real Chromium.
// The page and the preload are built, the IPC link is real, and the core pushes the values of the test.
// electron.spec.ts tests Electron itself, where its binary is.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { DIST, ensureBuilt } from '../../main/build.ts';
import { servePage } from '../../main/electron/app-protocol.ts';
import { createIpcLink } from '../../main/electron/ipc-link.ts';
import { failedCall } from '../../shared/channels/channel.ts';
import type { Row } from '../../shared/channels/state.ts';
import { plainMessage } from '../../shared/text/message.ts';
import { row, snapshot } from '../fixtures/window-fixtures.ts';
import { isolatePreload } from '../harness/isolated-preload.ts';
import { windowOf } from './window.ts';

/** Replaces app://barograph, which only Electron's Chromium knows. */
const ORIGIN = 'http://barograph.test';

test('the window works over the bridge, and only the bridge reaches it', { tag: '@long' }, async ({ page }) => {
  await ensureBuilt(['renderer', 'preload'], () => undefined);
  const served = servePage(join(DIST, 'renderer'));
  await page.route(`${ORIGIN}/**`, async (route) => {
    const answer = await served({ url: route.request().url().replace(ORIGIN, 'app://barograph'), method: 'GET' });
    await route.fulfill({
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
      body: Buffer.from(await answer.arrayBuffer()),
    });
  });
  const { ipcMain, contents } = await isolatePreload(
    page,
    readFileSync(join(DIST, 'preload/preload.cjs'), 'utf8'),
    'app://barograph/',
  );
  const calls: string[] = [];
  let push: (name: string, payload: unknown) => void = () => undefined;
  const link = createIpcLink(ipcMain, () => undefined);
  link.attach(
    contents,
    {
      async dispatch(name) {
        calls.push(name);
        if (name === 'state.snapshot') return { ok: true, value: snapshot() };
        return failedCall('refused', plainMessage('This core only shows its list.'));
      },
      attach(core) {
        push = (name, payload) => core.push(name, payload);
        return () => undefined;
      },
    },
    () => undefined,
  );

  await page.goto(`${ORIGIN}/`);
  const window = windowOf(page);
  await expect(page).toHaveTitle(/^(\(\d+\) )?\[SANDBOX\] .*Barograph/);
  await expect(window.row('SPY')).toHaveAttribute('aria-selected', 'true');
  await expect(window.row('QQQ')).toHaveAccessibleName(/Elevated/);

  const rows: Row[] = [row('QQQ', 2)];
  push('state.changed', { number: 2, changes: [{ part: 'rows', rows }] });
  await expect(window.row('QQQ')).toHaveAccessibleName(/High Risk/);
  push('route.requested', { page: 'settings', item: null });
  await expect(page.getByRole('button', { name: 'Settings', exact: true })).toHaveAttribute('aria-current', 'page');

  // What a script in the page can reach.
  expect(await page.evaluate(() => Object.keys(Reflect.get(globalThis, 'barograph')).sort())).toEqual([
    'call',
    'subscribe',
  ]);
  expect(
    await page.evaluate(() =>
      ['require', 'process', 'ipcRenderer', 'electron', 'toMain', 'fromMain'].filter((name) => name in globalThis),
    ),
  ).toEqual([]);
  const before = calls.length;
  expect(
    await page.evaluate(() =>
      Reflect.get(globalThis, 'barograph')
        .call('no.such', {})
        .then(
          () => 'answered',
          (error: Error) => error.message,
        ),
    ),
  ).toBe('There is no call named "no.such".');
  expect(calls.slice(before)).toEqual([]);
  link.close();
});
