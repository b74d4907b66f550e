// Bench: how soon a trader sees the watchlist, the server being warm.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { compare, interleave } from '../measure.ts';
import type { Row } from '../row.ts';
import { openBrowser, paintedAfter } from '../support/browser-page.ts';
import { runApp } from '../support/running-app.ts';

/** What may stand between an empty page and the watchlist, ms. */
const ALLOWED = 700;

export const firstPaint: Row = {
  name: 'first-paint',
  what: 'from navigation to the first painted watchlist with a live state in it, server warm, browser cache empty; ms',
  floor: `an empty page of a bare node:http in the same browser; the ratio is to floor + ${ALLOWED} ms`,
  goal: { atMost: 1 },
  async run(context) {
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>empty</title><body></body>');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    context.defer(() => server.close());
    const empty = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const [app, pages] = await Promise.all([runApp(context), openBrowser(context)]);
    const watchlist = async (): Promise<number> =>
      paintedAfter(pages, await app.address(), 'tr.wl-row[data-row="SPY"]:not(.off)');
    const cold = await watchlist();
    const settling = await app.settled();
    const pair = await interleave({
      product: watchlist,
      floor: () => paintedAfter(pages, empty, 'body'),
      rounds: 11,
      budget: 20_000,
    });
    return compare(pair, {
      product: 'watchlist painted',
      floor: 'empty page painted',
      unit: 'ms',
      allowance: ALLOWED,
      notes: [
        `npm start to its "ready": ${app.startSeconds.toFixed(1)} s (the row footprint breaks it down)`,
        `at once after "ready": ${cold.toFixed(0)} ms; the server was warm ${settling.toFixed(0)} s later`,
      ],
    });
  },
};
