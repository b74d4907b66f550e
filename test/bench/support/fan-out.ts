// Bench: one event to many readers: by the service's stream, and by bare socket writes of the same bytes. The readers are another process.
import { randomBytes } from 'node:crypto';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { systemClock } from '../../../main/host/system-clock.ts';
import { assemble } from '../../../service/assemble.ts';
import type { EventEnvelope } from '../../../shared/wire/events.ts';
import { formKey, KEY_ENTROPY_BYTES } from '../../../shared/wire/keys.ts';
import type { Context } from '../row.ts';
import { type Child, startChild, wallNow } from './children.ts';
import type { DeliveryReport } from './stream-clients.ts';

export interface FanOut {
  /** Sends one event. @returns ms until the last reader had its last byte, and its bytes */
  once(): Promise<{ readonly ms: number; readonly text: string }>;
  close(): Promise<void>;
}

const READERS_PER_KEY = 5;
const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** @param send returns the id of what it sent */
async function timeDelivery(readers: Child, send: () => string): Promise<{ ms: number; text: string }> {
  const begun = wallNow();
  const sent = send();
  for (;;) {
    const { id, at, text } = await readers.next<DeliveryReport>('received');
    if (id === sent) return { ms: at - begun, text };
  }
}

async function readersOf(context: Context, port: number, count: number, keys: readonly string[]): Promise<Child> {
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
export async function openServiceFan(context: Context, count: number): Promise<FanOut> {
  const service = assemble(
    { world: { kind: 'sandbox', seed: 7, symbols: 3 }, time: { start: null, speed: 1 }, file: ':memory:' },
    { clock: systemClock, logger: quiet, randomBytes, publicUrl: () => 'http://127.0.0.1' },
  );
  context.defer(() => service.close());
  const keys = Array.from({ length: Math.ceil(count / READERS_PER_KEY) }, () =>
    formKey('sandbox', randomBytes(KEY_ENTROPY_BYTES)),
  );
  for (const key of keys) service.admitKey(key);
  await service.app.listen({ host: '127.0.0.1', port: 0, backlog: 4096 });
  await service.start();
  const readers = await readersOf(context, (service.app.server.address() as AddressInfo).port, count, keys);
  const [{ symbol } = { symbol: '' }] = service.signals.all();
  let isUp = false;
  const force = (): string => {
    isUp = !isUp;
    const transition = service.signals.trigger(isUp ? 'signal.elevated' : 'signal.normal', symbol);
    if ('refused' in transition) throw new Error(transition.refused);
    return (transition.events.at(-1) as EventEnvelope).event_id;
  };
  return {
    once: () => timeDelivery(readers, force),
    async close() {
      readers.kill();
      await service.close();
    },
  };
}

/** @param frame an event's bytes, written to every socket */
export async function openBareFan(context: Context, count: number, frame: string): Promise<FanOut> {
  const id = /id: (\S+)/.exec(frame)?.[1] ?? '';
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    socket.setNoDelay();
    socket.on('error', () => undefined);
    socket.once('data', () => {
      sockets.push(socket);
      socket.write(': connected\n\n');
    });
  });
  context.defer(() => server.close());
  await new Promise<void>((resolve) => server.listen({ host: '127.0.0.1', port: 0, backlog: 4096 }, resolve));
  const readers = await readersOf(context, (server.address() as AddressInfo).port, count, []);
  return {
    once: () =>
      timeDelivery(readers, () => {
        const bytes = Buffer.from(frame, 'utf8');
        for (const socket of sockets) socket.write(bytes);
        return id;
      }),
    async close() {
      readers.kill();
      server.close();
    },
  };
}
