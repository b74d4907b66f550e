// Bench: a change of state until its notification is at a receiver, through service and app, against Alertmanager.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DEFAULT_GROUPING, DEFAULT_RULE } from '../../../shared/settings/alert-rules.ts';
import { writeProfile } from '../../harness/app.ts';
import { startService } from '../../harness/service.ts';
import { compare, interleave, median } from '../measure.ts';
import type { Context, Row } from '../row.ts';
import { openAlertmanager, whyNoAlertmanager } from '../support/alertmanager.ts';
import { runApp } from '../support/running-app.ts';

/** Alerts of a round. */
const ALERTS = 16;
const ROUNDS = 5;
const LATE_MS = 10_000;
/** One for every alert, with those of the warm-up: a symbol that changes often shares one notification. */
const SYMBOLS = (ROUNDS + 1) * ALERTS;

interface Receiver {
  readonly address: string;
  /** Resolves with the next request. */
  next(): Promise<void>;
}

async function openReceiver({ defer }: Context): Promise<Receiver> {
  let received: () => void = () => undefined;
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.end('{}');
      // A picture follows its text as a file, by PUT.
      if (request.method === 'POST') received();
    });
  });
  defer(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/bench`,
    next: () =>
      new Promise((resolve, reject) => {
        const late = setTimeout(() => reject(new Error(`no notification within ${LATE_MS / 1000} s`)), LATE_MS);
        received = () => {
          clearTimeout(late);
          resolve();
        };
      }),
  };
}

/** Service and app, each a process, with a rule that sends every change of state. @returns causes the next one */
async function openProduct(context: Context, url: string): Promise<() => Promise<void>> {
  const dataDir = join(context.folder, 'app');
  const service = await startService({ environment: 'sandbox', symbols: SYMBOLS });
  context.defer(() => service.process.kill());
  writeProfile(dataDir, 'bench', service.url, 'sandbox', {
    rules: [
      {
        ...DEFAULT_RULE,
        events: ['signal.elevated', 'signal.high_risk', 'signal.normal'],
        min_state: 0,
        scope: { kind: 'all' },
        channels: ['bench'],
      },
    ],
    channels: [{ id: 'bench', name: 'Bench', destination: { kind: 'ntfy', url } }],
    grouping: { ...DEFAULT_GROUPING, by: 'none' },
  });
  const app = await runApp(context, { dataDir, profile: 'bench', key: service.key });
  await app.settled();
  const headers = { 'content-type': 'application/json', 'x-api-key': service.key };
  const listed = await fetch(new URL('/snapshot?limit=100', service.url), { headers });
  const { data } = (await listed.json()) as { data: { readonly symbol: string; readonly state: number }[] };
  return async () => {
    const { symbol, state } = data.pop() ?? { symbol: '', state: 0 };
    const answer = await fetch(new URL('/sandbox/trigger', service.url), {
      method: 'POST',
      headers,
      body: JSON.stringify({ event: state === 2 ? 'signal.normal' : 'signal.high_risk', symbol }),
    });
    await answer.body?.cancel();
    if (!answer.ok) throw new Error(`the service forced no change of state: ${answer.status}`);
  };
}

export const peerNotify: Row = {
  name: 'peer-notify',
  what: `a change of state, from the request that causes it until its notification is at a receiver (ntfy): service, stream, ledger, rule; median of ${ALERTS}; ms`,
  floor: 'a POST to Alertmanager with group_wait 0 s until its webhook: one process, nothing on disk before it sends',
  goal: { atMost: 15 },
  async run(context) {
    const missing = whyNoAlertmanager();
    if (missing !== null) return { ratio: null, spread: null, sides: [], notes: [`not measured: ${missing}`] };
    const receiver = await openReceiver(context);
    const peer = await openAlertmanager(context, receiver.address);
    const change = await openProduct(context, receiver.address);
    let alerts = 0;
    const alert = (): Promise<void> => {
      alerts += 1;
      return peer.alert(`S${alerts}`);
    };
    const volley = async (cause: () => Promise<void>): Promise<number> => {
      const times: number[] = [];
      for (let sent = 0; sent < ALERTS; sent += 1) {
        const arrived = receiver.next();
        const begun = performance.now();
        await Promise.all([cause(), arrived]);
        times.push(performance.now() - begun);
      }
      return median(times);
    };
    const pair = await interleave({
      product: () => volley(change),
      floor: () => volley(alert),
      rounds: ROUNDS,
      budget: 25_000,
    });
    return compare(pair, { product: 'service and monitor', floor: 'Alertmanager', unit: 'ms' });
  },
};
