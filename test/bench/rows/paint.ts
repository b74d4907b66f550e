// Bench: from the service's event to the painted row, at a hundred events a second.
// The event goes through service, ledger, core, link and page.

import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { WebSocketServer } from 'ws';
import { writeProfile } from '../../harness/app.ts';
import { startService } from '../../harness/service.ts';
import { compare, median, quantile } from '../measure.ts';
import type { Context, Row } from '../row.ts';
import { openBrowser } from '../support/browser-page.ts';
import { installProbe, type ProbeReport } from '../support/paint-probe.ts';
import { runApp } from '../support/running-app.ts';

const RATE = 100;
/** Symbols of the service, all in the default watchlist; so many that none changes twice within a few frames. */
const SYMBOLS = 20;
const FRAMES_ALLOWED_MS = (3 * 1000) / 60;
const ROUNDS = 6;
const ROUND_MS = 3_000;
const SETTLE_MS = 8_000;

/** A bare server that sends the time, as often as the service sends events. */
function startBare({ defer }: Context): Promise<number> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  const timer = setInterval(() => {
    for (const client of server.clients) client.send(String(Date.now()));
  }, 1000 / RATE);
  defer(() => {
    clearInterval(timer);
    server.close();
  });
  return new Promise((resolve) => server.on('listening', () => resolve((server.address() as AddressInfo).port)));
}

export const paint: Row = {
  name: 'paint',
  what: `an event written by the service -> its row painted in a real browser, p99 at ${RATE} events/s; ms`,
  floor:
    'a bare WebSocket message, requestAnimationFrame and the paint, in the same page at the same time; the ratio is to floor + three frames',
  goal: { atMost: 1 },
  async run(context) {
    const dataDir = join(context.folder, 'app');
    const [service, pages, port] = await Promise.all([
      startService({ environment: 'sandbox', symbols: SYMBOLS, rate: RATE }),
      openBrowser(context),
      startBare(context),
    ]);
    context.defer(() => service.process.kill());
    writeProfile(dataDir, 'bench', service.url);
    const app = await runApp(context, { dataDir, profile: 'bench', key: service.key });
    const page = await pages.open();
    await page.addInitScript(installProbe, port);
    await page.goto(await app.address());
    await page.waitForSelector('tr.wl-row[data-row="SPY"]:not(.off)');
    const report = (): Promise<ProbeReport> =>
      page.evaluate(() => (window as unknown as { probeReport(): ProbeReport }).probeReport());
    // Once, beside its work, the service computes its validation record, and the app fills the archive.
    await fetch(new URL('/api/validation/metrics', service.url), { headers: { 'x-api-key': service.key } });
    await page.waitForTimeout(SETTLE_MS);
    await report();
    const pair: { product: number[]; floor: number[] } = { product: [], floor: [] };
    const middles: number[] = [];
    let seen = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      await page.waitForTimeout(ROUND_MS);
      const { product, floor } = await report();
      seen += product.length;
      middles.push(median(product));
      pair.product.push(quantile(product, 0.99));
      pair.floor.push(quantile(floor, 0.99));
    }
    return compare(pair, {
      product: 'row painted, p99',
      floor: 'bare message painted, p99',
      unit: 'ms',
      allowance: FRAMES_ALLOWED_MS,
      notes: [
        `${Math.round(seen / (ROUNDS * (ROUND_MS / 1000)))} rows painted a second; median ${median(middles).toFixed(0)} ms`,
      ],
    });
  },
};
