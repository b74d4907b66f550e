// Bench: the relay verifies, stores and answers webhooks, against a receiver with the least code.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createSessionVault } from '../../../main/core/keys/session-vault.ts';
import { RELAY_ACCOUNT } from '../../../main/core/relay/secrets.ts';
import type { RelayServer } from '../../../main/core/relay/server.ts';
import { openRelayServer } from '../../../main/host/relay-server.ts';
import { systemClock } from '../../../main/host/system-clock.ts';
import type { EventEnvelope } from '../../../shared/wire/events.ts';
import { compare, interleave } from '../measure.ts';
import type { Context, Row } from '../row.ts';
import { type BareStore, openBareStore } from '../support/bare-store.ts';
import { startChild } from '../support/children.ts';
import { eventAt } from '../support/events.ts';
import { BENCH_PROFILE, startMonitor, until } from '../support/monitor.ts';
import type { Volley, VolleyDone } from '../support/webhook-client.ts';

const COUNT = 4_000;
/** The relay accepts 64. */
const CONNECTIONS = 60;
const SECRET = 'bench-secret-bench-secret-bench-secret';
const PATH = 'benchbenchbenchbenchbenchbenchbe';

/** Requests of one turn of the event loop share a transaction, as in the product. */
function bareReceiver(store: BareStore) {
  let waiting: { readonly event: EventEnvelope; readonly text: string; readonly answer: () => void }[] = [];
  const write = (): void => {
    const batch = waiting;
    waiting = [];
    store.insert(
      batch.map(({ event }) => event),
      batch.map(({ text }) => text),
    );
    for (const { answer } of batch) answer();
  };
  return createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (part) => chunks.push(part));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      const given = Buffer.from(String(request.headers['x-service-signature']), 'hex');
      const right = createHmac('sha256', SECRET).update(body).digest();
      if (given.length !== right.length || !timingSafeEqual(given, right)) return response.writeHead(401).end();
      const text = body.toString('utf8');
      const event: EventEnvelope = JSON.parse(text);
      if (waiting.length === 0) setImmediate(write);
      waiting.push({
        event,
        text,
        answer: () => {
          const answer = JSON.stringify({ status: 'stored', event_id: event.event_id });
          response.writeHead(200, { 'content-type': 'application/json', 'content-length': answer.length }).end(answer);
        },
      });
    });
  });
}

/** The log of the service, with all delivered events and those on their way: the core would take a log without them for another one. */
function createLog() {
  const events: EventEnvelope[] = [];
  const positions = new Map<string, number>();
  let arrived = 0;
  return {
    write(event: EventEnvelope): void {
      events.push(event);
      positions.set(event.event_id, events.length);
    },
    after: (eventId: string): EventEnvelope[] => events.slice(positions.get(eventId) ?? 0, arrived + CONNECTIONS),
    /** The relay server, with every delivery counted. */
    counting: (server: RelayServer): RelayServer => ({
      ...server,
      listen: (options) =>
        server.listen({
          ...options,
          receive(...delivery) {
            arrived += 1;
            return options.receive(...delivery);
          },
        }),
    }),
  };
}

async function productPort({ folder, defer }: Context, log: ReturnType<typeof createLog>): Promise<number> {
  const vault = createSessionVault();
  const profile = { ...BENCH_PROFILE, relay: { on: true, port: 0, publicUrl: null } };
  const secrets = { path: PATH, current: SECRET, previous: null, changedOver: null, form: null };
  await vault.setPassword(profile.name, RELAY_ACCOUNT, JSON.stringify(secrets));
  const { core } = await startMonitor(
    folder,
    { vault, host: { relay: log.counting(openRelayServer(systemClock)) } },
    profile,
    log.after,
  );
  defer(() => core.stop());
  await until(() => core.relay.view().listening !== null);
  return Number(new URL(core.relay.view().listening?.address ?? '').port);
}

async function barePort({ folder, defer }: Context): Promise<number> {
  const store = openBareStore(folder);
  const server = bareReceiver(store);
  defer(() => {
    server.closeAllConnections();
    server.close();
    store.close();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

export const relay: Row = {
  name: 'relay',
  what: `webhook relay: signature proven, event read, stored durably, answered; ${CONNECTIONS} connections; requests/s`,
  floor:
    'node:http + HMAC over the body + JSON.parse + the same INSERT, one transaction for what comes within a turn, as the product does it',
  goal: { atLeast: 0.3 },
  async run(context) {
    const log = createLog();
    const ports = { product: await productPort(context, log), floor: await barePort(context) };
    const client = startChild('webhook-client.ts');
    context.defer(client.kill);
    await client.next('ready');
    // The relay quarantines older events.
    const firstAt = Date.now() - 20 * 3_600_000;
    // The first event was written before the volleys.
    const reached = { product: 1, floor: 1 };
    const volley = async (side: 'product' | 'floor'): Promise<number> => {
      const after = reached[side];
      reached[side] += COUNT;
      if (side === 'product')
        for (let seq = after + 1; seq <= after + COUNT; seq += 1) log.write(eventAt(seq, firstAt));
      const order: Volley = {
        port: ports[side],
        path: `/in/${PATH}`,
        secret: SECRET,
        after,
        count: COUNT,
        firstAt,
        connections: CONNECTIONS,
      };
      client.send(order);
      const { ms, refused } = await client.next<VolleyDone>('done');
      if (refused !== null) throw new Error(`a delivery to the ${side} was refused: ${refused}`);
      return (COUNT / ms) * 1000;
    };
    const pair = await interleave({ product: () => volley('product'), floor: () => volley('floor') });
    return compare(pair, { product: 'relay', floor: 'node:http', unit: 'requests/s' });
  },
};
