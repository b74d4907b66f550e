// End to end: hostile pages in a real browser attack every port of app and service.
// They are of another site, port or name.
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type Browser, chromium, expect, type Page } from '@playwright/test';
import { findBrowser } from '../harness/browser.ts';
import { nodeScript, start } from '../harness/processes.ts';
import { test } from './test-host.ts';

/** A foreign name that resolves to this computer, as after DNS rebinding. */
const REBOUND = 'attacker.example';

let browser: Browser;
let theirs: Server;
let evil: number;
test.beforeAll(async () => {
  const { launchOptions } = await findBrowser();
  browser = await chromium.launch({
    ...launchOptions,
    args: [...launchOptions.args, `--host-resolver-rules=MAP ${REBOUND} 127.0.0.1`],
  });
  theirs = createServer((_request, response) =>
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>theirs</title>'),
  );
  await new Promise<void>((resolve) => theirs.listen(0, '127.0.0.1', resolve));
  evil = (theirs.address() as AddressInfo).port;
});
test.afterAll(async () => {
  await browser.close();
  theirs.close();
});

interface Loot {
  /** What the page could read, by attempt. */
  readonly read: Record<string, string>;
  /** Attempts that the browser sent without showing the answer. */
  readonly opaque: string[];
}

/** Runs in the page: everything that a page of another origin can try against an address. */
async function raid({ target, token }: { target: string; token: string }): Promise<Loot> {
  const read: Record<string, string> = {};
  const opaque: string[] = [];
  const attempt = async (name: string, path: string, init: RequestInit): Promise<void> => {
    try {
      const answer = await fetch(target + path, { ...init, signal: AbortSignal.timeout(5_000) });
      if (answer.type === 'opaque') opaque.push(name);
      else read[name] = `${answer.status} ${(await answer.text()).slice(0, 200)}`;
    } catch {
      // Refused, and the page does not learn why.
    }
  };
  const trade = JSON.stringify({ token });
  const json = { 'content-type': 'application/json' };
  for (const path of [
    '/',
    '/session',
    '/run.json',
    '/settings.json',
    '/snapshot',
    '/stream',
    '/api/proxy/snapshot',
    '/openapi.json',
  ]) {
    await attempt(`get ${path}`, path, {});
    await attempt(`get ${path} with cookies`, path, { credentials: 'include' });
    await attempt(`no-cors get ${path}`, path, { mode: 'no-cors' });
  }
  for (const [path, body] of [
    ['/session', trade],
    ['/sandbox/trigger', '{"event":"signal.high_risk","symbol":"SPY"}'],
    ['/api/proxy/sandbox/trigger', '{"event":"signal.high_risk","symbol":"SPY"}'],
  ] as const) {
    await attempt(`json ${path}`, path, { method: 'POST', headers: json, body });
    await attempt(`plain ${path}`, path, { method: 'POST', mode: 'no-cors', body });
    await attempt(`form ${path}`, path, { method: 'POST', mode: 'no-cors', body: new URLSearchParams({ token }) });
    await attempt(`delete ${path}`, path, { method: 'DELETE' });
  }
  const outcomeOf = (element: HTMLElement & { src: string }, url: string): Promise<string> =>
    new Promise((resolve) => {
      element.onload = () => resolve('load');
      element.onerror = () => resolve('error');
      element.src = url;
      document.body.append(element);
    });
  for (const path of ['/', '/link', '/assets/'])
    if ((await outcomeOf(document.createElement('script'), target + path)) === 'load')
      read[`script ${path}`] = 'loaded';
  await new Promise<void>((resolve) => {
    const socket = new WebSocket(`${target.replace('http', 'ws')}/link`);
    socket.onopen = () => {
      read.socket = 'open';
      resolve();
    };
    socket.onerror = () => resolve();
  });
  await new Promise<void>((resolve) => {
    const source = new EventSource(`${target}/stream`, { withCredentials: true });
    source.onopen = () => {
      read.stream = 'open';
      resolve();
    };
    source.onerror = () => {
      source.close();
      resolve();
    };
  });
  return { read, opaque };
}

/** What a frame of the target inside a hostile page shows. */
async function framed(page: Page, target: string): Promise<string> {
  await page.evaluate(
    (src) =>
      new Promise<void>((resolve) => {
        const frame = document.createElement('iframe');
        frame.onload = () => resolve();
        frame.src = src;
        document.body.append(frame);
      }),
    `${target}/`,
  );
  const frame = page.frames().find((one) => one !== page.mainFrame());
  return (await frame?.content()) ?? '';
}

/** Whether a hostile page controls the window that it opened. */
async function holdsWhatItOpens(url: string): Promise<boolean> {
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${evil}`);
  const popup = page.waitForEvent('popup');
  await page.evaluate((address) => {
    Object.assign(globalThis, { opened: window.open(`${address}/`) });
  }, url);
  await (await popup).waitForLoadState();
  const holds = await page.evaluate(() => {
    const { opened } = globalThis as unknown as { opened: WindowProxy | null };
    return opened !== null && !opened.closed;
  });
  await page.close();
  return holds;
}

test('no page of another origin reads or changes anything, opens the link or controls the window', {
  tag: '@long',
}, async ({ host }) => {
  test.slow();
  const dataDir = join(host.folder, 'data');
  const app = await host.app({ dataDir });
  const { origin: ours, hash } = new URL(app.url);
  const token = hash.slice('#t='.length);
  const run = JSON.parse(readFileSync(join(dataDir, 'run.json'), 'utf8'));
  const key = 'svc_test_attackattackattack0001';
  const service = start(process.execPath, [
    ...nodeScript('service'),
    '--port',
    '0',
    '--dashboard-port',
    '0',
    '--symbols',
    '2',
    '--key',
    key,
  ]);
  try {
    const [, alone = ''] = await service.line(/^ready (\S+)$/, 90_000);
    const [, dashboard = ''] = await service.line(/^dashboard (\S+)$/);
    const events = async (url: string, ownKey: string): Promise<number> => {
      let count = Number.NaN;
      // A service on a busy machine may ask to retry later.
      await expect(async () => {
        const answer = await fetch(`${url}/events?limit=100`, { headers: { 'x-api-key': ownKey } });
        expect(answer.status).toBe(200);
        count = (await answer.json()).data.filter(
          ({ event }: { event: string }) => event === 'signal.high_risk',
        ).length;
      }).toPass({ timeout: 60_000 });
      return count;
    };
    const before = [await events(alone, key), await events(run.sandbox.url, run.sandbox.key)];

    // The user has the dashboard open in the same browser, so its cookie could be misused.
    const context = await browser.newContext();
    const own = await context.newPage();
    const [, link = ''] = await service.line(/^dashboard-link (\S+)$/);
    await own.goto(link);
    await expect(own.locator('#session')).toContainText('You are signed in');
    expect((await context.cookies()).length).toBeGreaterThan(0);
    const page = await context.newPage();

    for (const site of [`http://127.0.0.1:${evil}`, `http://localhost:${evil}`, `http://${REBOUND}:${evil}`])
      for (const target of [ours, run.sandbox.url, alone, dashboard]) {
        await page.goto(site);
        const { read } = await page.evaluate(raid, { target, token });
        expect(read, `${site} against ${target}`).toEqual({});
        if (target === ours) expect(await framed(page, target)).not.toMatch(/Barograph|root/);
      }

    // After rebinding, page and target have the same origin: only the name differs.
    for (const target of [ours, run.sandbox.url, alone, dashboard]) {
      const rebound = target.replace('127.0.0.1', REBOUND);
      const answer = await page.goto(`${rebound}/`);
      expect(answer?.status(), rebound).toBeGreaterThanOrEqual(400);
      const { read } = await page.evaluate(raid, { target: rebound, token });
      expect(
        Object.entries(read).filter(([, what]) => !/^4\d\d /.test(what)),
        rebound,
      ).toEqual([]);
      expect(Object.values(read).join()).not.toMatch(/symbol|"session"|svc_/);
    }

    expect([await events(alone, key), await events(run.sandbox.url, run.sandbox.key)]).toEqual(before);
    // No attempt used up the token: its owner can still open a window.
    const window = await context.newPage();
    await window.goto(app.url);
    await expect(window.getByRole('grid').first()).toBeVisible();
    expect(await holdsWhatItOpens(ours)).toBe(false);
  } finally {
    await service.kill();
  }
});
