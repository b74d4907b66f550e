// Bench: resident memory of the service and of the app, beside nginx with nchan and Alertmanager.
// Reported, without a goal: the peers keep neither prices nor a log.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { startService } from '../../harness/service.ts';
import type { Context, Row, Side } from '../row.ts';
import { openAlertmanager, whyNoAlertmanager } from '../support/alertmanager.ts';
import { readersOf } from '../support/fan-out.ts';
import { openNchan, whyNoNchan } from '../support/nchan.ts';
import { residentMegabytes, runApp } from '../support/running-app.ts';

/** Five streams a key are the most that a key may have. */
const STREAMS = 5;
const SYMBOLS = 40;
const ALERTS = 200;
const SETTLE_MS = 10_000;

async function memoryOf(label: string, pid: number): Promise<Side> {
  await pause(SETTLE_MS);
  return { label, unit: 'MB', values: [residentMegabytes(pid)] };
}

async function nchanMemory(context: Context): Promise<Side> {
  const nchan = await openNchan(context);
  await readersOf(context, nchan.port, STREAMS, ['none']);
  return memoryOf(`nginx with nchan, ${STREAMS} streams`, nchan.pid);
}

async function alertmanagerMemory(context: Context): Promise<Side> {
  const server = createServer((request, response) => request.resume().on('end', () => response.end()));
  context.defer(() => server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const peer = await openAlertmanager(context, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  for (let alert = 0; alert < ALERTS; alert += 1) await peer.alert(`S${alert}`);
  return memoryOf(`Alertmanager, ${ALERTS} alerts`, peer.pid);
}

export const peerMemory: Row = {
  name: 'peer-memory',
  what: `resident memory of the service with ${SYMBOLS} symbols and ${STREAMS} streams, and of the app with its sandbox`,
  floor: 'nginx with nchan, and Alertmanager: these numbers are reported',
  goal: null,
  async run(context) {
    const service = await startService({ environment: 'sandbox', symbols: SYMBOLS });
    context.defer(() => service.process.kill());
    await readersOf(context, Number(new URL(service.url).port), STREAMS, [service.key]);
    const sides = [await memoryOf(`service, ${STREAMS} streams`, service.process.pid)];
    await service.process.kill();
    const app = await runApp(context);
    await app.settled();
    sides.push(await memoryOf('app with its sandbox', app.pid));
    await app.stop();
    const notes: string[] = [];
    for (const { missing, measure } of [
      { missing: whyNoNchan(), measure: nchanMemory },
      { missing: whyNoAlertmanager(), measure: alertmanagerMemory },
    ]) {
      if (missing === null) sides.push(await measure(context));
      else notes.push(`not measured: ${missing}`);
    }
    return { ratio: null, spread: null, sides, notes };
  },
};
