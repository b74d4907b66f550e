// Bench: sends one event to many readers, by the service's stream or by bare socket writes.
// Both send the same bytes. The readers are another process.
import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { systemClock } from '../../../main/host/system-clock.ts';
import { assemble } from '../../../service/assemble.ts';
import { formKey, KEY_ENTROPY_BYTES } from '../../../shared/wire/keys.ts';
import type { Context } from '../row.ts';
import { type Child, startChild, wallNow } from './children.ts';
import { type LocalNode, openNode } from './cluster.ts';
import { createTransitions } from './forced-transition.ts';
import type { NchanServer } from './nchan.ts';
import type { DeliveryReport } from './stream-clients.ts';

/** A service that also makes its event by an HTTP request, as a user does. */
export interface ServiceFan extends FanOut {
  request(): Promise<{ readonly ms: number; readonly text: string }>;
}

export interface FanOut {
  /** Sends one event. @returns ms until the last reader had its last byte, and its bytes */
  once(): Promise<{ readonly ms: number; readonly text: string }>;
  close(): Promise<void>;
}

const READERS_PER_KEY = 5;
const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** @param send returns the id of what it sent */
export async function timeDelivery(
  readers: Child,
  send: () => string | Promise<string>,
): Promise<{ ms: number; text: string }> {
  const begun = wallNow();
  const sent = await send();
  for (;;) {
    const { id, at, text } = await readers.next<DeliveryReport>('received');
    if (id === sent) return { ms: at - begun, text };
  }
}

export async function readersOf(
  context: Context,
  port: number,
  count: number,
  keys: readonly string[],
): Promise<Child> {
  const readers = startChild('stream-clients.ts', [
    String(port),
    String(count),
    ...(keys.length === 0 ? [] : [keys.join(',')]),
  ]);
  context.defer(readers.kill);
  await readers.next('open');
  return readers;
}

/** The service itself, whole, with a small world; an event is a forced transition through the ordinary path. */
export async function openServiceFan(context: Context, count: number): Promise<ServiceFan> {
  const service = assemble(
    { world: { kind: 'sandbox', seed: 7, symbols: 3 }, time: { start: null, speed: 1 }, file: ':memory:' },
    { clock: systemClock, logger: quiet, randomBytes, publicUrl: () => 'http://127.0.0.1' },
  );
  context.defer(() => service.close());
  await service.app.listen({ host: '127.0.0.1', port: 0, backlog: 4096 });
  await service.start();
  const port = (service.app.server.address() as AddressInfo).port;
  return fanOf(context, { service, port, close: () => service.close() }, count);
}

/** One node of a cluster with the same world. */
export async function openNodeFan(context: Context, cluster: string, count: number): Promise<ServiceFan> {
  return fanOf(context, await openNode(context, cluster, 3), count);
}

async function fanOf(context: Context, { service, port, close }: LocalNode, count: number): Promise<ServiceFan> {
  const keys = Array.from({ length: Math.ceil(count / READERS_PER_KEY) }, () =>
    formKey('sandbox', randomBytes(KEY_ENTROPY_BYTES)),
  );
  for (const key of keys) service.admitKey(key);
  const readers = await readersOf(context, port, count, keys);
  const force = createTransitions(service);
  const [key = ''] = keys;
  const [{ symbol } = { symbol: '' }] = service.signals.all();
  let isUp = false;
  const request = async (): Promise<string> => {
    isUp = !isUp;
    const answer = await fetch(`http://127.0.0.1:${port}/sandbox/trigger`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': key },
      body: JSON.stringify({ event: isUp ? 'signal.elevated' : 'signal.normal', symbol }),
    });
    const { data } = (await answer.json()) as { data: readonly { event_id: string }[] };
    const last = data.at(-1);
    if (last === undefined) throw new Error('a forced transition has no event');
    return last.event_id;
  };
  return {
    once: () => timeDelivery(readers, force),
    request: () => timeDelivery(readers, request),
    async close() {
      readers.kill();
      await close();
    },
  };
}

/** @param data of an event, published to every stream of nchan */
export async function openNchanFan(context: Context, nchan: NchanServer, count: number, data: string): Promise<FanOut> {
  // A stream of nchan needs no key; with one, the readers send the request of a stream.
  const readers = await readersOf(context, nchan.port, count, ['none']);
  return {
    once: () => timeDelivery(readers, () => nchan.publish(data)),
    async close() {
      readers.kill();
    },
  };
}

/** @param frame an event's bytes, written to every socket */
export async function openBareFan(context: Context, count: number, frame: string): Promise<FanOut> {
  const id = /id: (\S+)/.exec(frame)?.[1] ?? '';
  const server = startChild('bare-fan.ts');
  context.defer(server.kill);
  const { port } = await server.next<{ kind: 'listening'; port: number }>('listening');
  const readers = await readersOf(context, port, count, []);
  return {
    once: () =>
      timeDelivery(readers, () => {
        server.send({ text: frame });
        return id;
      }),
    async close() {
      readers.kill();
      server.kill();
    },
  };
}
