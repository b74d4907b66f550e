// End to end: a page whose script or style does not arrive whole says so, and loads again by itself.
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { expect, test } from '@playwright/test';
import { ensureBuilt } from '../../main/build.ts';
import { pageHeaders } from '../../main/host/page-headers.ts';
import { MINUTE_MS } from '../../shared/lib/time.ts';
import { texts } from '../../shared/text/texts.ts';
import { TOP } from '../harness/processes.ts';

const BUILT = join(TOP, 'dist', 'renderer');
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.woff2': 'font/woff2',
  '.svg': 'image/svg+xml',
};
/** How the server spoils a file. */
const FAULTS: Readonly<Record<string, (response: ServerResponse, file: Buffer) => void>> = {
  'is cut, which its length shows': (response, file) => {
    response.writeHead(200, { 'content-length': file.length });
    response.write(file.subarray(0, file.length / 2), () => response.destroy());
  },
  'is cut, and nothing shows it': (response, file) => response.end(file.subarray(0, file.length / 2)),
  'is answered with an error': (response) => response.writeHead(500).end(),
};

let server: Server;
let address = '';
/** Spoils the first requests for a file. */
let spoil: (name: string) => ((response: ServerResponse, file: Buffer) => void) | null = () => null;

test.beforeAll(async () => {
  await ensureBuilt(['renderer'], () => undefined);
  server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', address);
    const name = pathname === '/' ? '/index.html' : pathname;
    for (const [header, value] of Object.entries(pageHeaders([]))) response.setHeader(header, value);
    response.setHeader('cache-control', 'no-store');
    response.setHeader('content-type', TYPES[extname(name)] ?? 'text/plain');
    // The beginning of a page may name the beginning of a file.
    if (!existsSync(join(BUILT, name))) return response.writeHead(404).end();
    const file = readFileSync(join(BUILT, name));
    const fault = spoil(name);
    if (fault === null) response.end(file);
    else fault(response, file);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
test.afterAll(() => server.close());

for (const [kind, ending] of [
  ['script', '.js'],
  ['style', '.css'],
] as const)
  for (const [what, fault] of Object.entries(FAULTS)) {
    // A style that ends early is a style; what is answered with an error is tried as a style.
    if ((what === 'is answered with an error') !== (kind === 'style')) continue;
    const tag = kind === 'script' && what.includes('length') ? [] : ['@long'];
    test(`the page whose ${kind} ${what} is plain, and loads again`, { tag }, async ({ page }) => {
      let spoiled = 0;
      spoil = (name) => (name.startsWith('/assets/index-') && name.endsWith(ending) && ++spoiled <= 2 ? fault : null);
      await page.goto(address);
      const alert = page.getByRole('alert');
      await expect(alert).toContainText(texts.common.notLoaded.heading);
      await expect(alert).toContainText(/assets\/index-/);
      // Twice spoiled, then whole.
      await expect(page.getByRole('heading', { name: texts.common.waiting.noSession })).toBeVisible();
      await expect(alert).toHaveCount(0);
      expect(spoiled).toBeGreaterThan(2);
    });
  }

test('a page that is cut itself is plain, and loads again', { tag: '@long' }, async ({ page }) => {
  let spoiled = 0;
  spoil = (name) =>
    name === '/index.html' && ++spoiled === 1 ? (FAULTS['is cut, and nothing shows it'] ?? null) : null;
  await page.goto(address);
  await expect(page.getByRole('alert')).toContainText(texts.common.notLoaded.heading);
  await expect(page.getByRole('heading', { name: texts.common.waiting.noSession })).toBeVisible();
});

test('the button loads it at once, and a server that is gone is waited for', async ({ page }) => {
  // Nothing but the button loads it: its own next attempt would take the button away.
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + MINUTE_MS);
  spoil = (name) => (name.endsWith('.js') && name.startsWith('/assets/') ? (response) => response.destroy() : null);
  await page.goto(address);
  const again = page.getByRole('button', { name: texts.common.notLoaded.now });
  await expect(again).toBeVisible();
  spoil = () => (response) => response.destroy();
  await again.click();
  await expect(again).toBeVisible();
  spoil = () => null;
  await again.click();
  await expect(page.getByRole('heading', { name: texts.common.waiting.noSession })).toBeVisible();
});
