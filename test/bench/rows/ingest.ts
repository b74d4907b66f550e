// Bench: the stream's bytes into the ledger and on to windows, against a minimal reader and store.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createParser } from 'eventsource-parser';
import type { EventEnvelope } from '../../../shared/wire/events.ts';
import { compare, interleave, timed } from '../measure.ts';
import type { Row } from '../row.ts';
import { type BareStore, openBareStore } from '../support/bare-store.ts';
import { streamBytes } from '../support/events.ts';
import { startMonitor } from '../support/monitor.ts';

const EVENTS = 20_000;
/** As large as the largest batch of the product. */
const BATCH = 1024;

function bareIngest(bytes: readonly Uint8Array[], store: BareStore): void {
  let events: EventEnvelope[] = [];
  let texts: string[] = [];
  const flush = (): void => {
    store.insert(events, texts);
    events = [];
    texts = [];
  };
  const parser = createParser({
    onEvent({ data }) {
      events.push(JSON.parse(data));
      texts.push(data);
      if (events.length >= BATCH) flush();
    },
  });
  const decoder = new TextDecoder();
  for (const piece of bytes) parser.feed(decoder.decode(piece, { stream: true }));
  flush();
}

export const ingest: Row = {
  name: 'ingest',
  what: 'stream ingest, durable: bytes -> parsed -> validated -> judged by the alert rules -> ledger -> pushed to windows; events/s',
  floor:
    'eventsource-parser + JSON.parse + one prepared INSERT into the same table, in batches of the same size, at the same pragmas, on the same disk',
  goal: { atLeast: 0.3 },
  async run({ folder, defer }) {
    mkdirSync(join(folder, 'core'));
    const monitor = await startMonitor(join(folder, 'core'));
    defer(() => monitor.core.stop());
    const store = openBareStore(folder);
    defer(store.close);
    let [brought, bare] = [1, 1];
    const pair = await interleave({
      async product() {
        const bytes = streamBytes(brought, EVENTS);
        brought += EVENTS;
        return (EVENTS / (await timed(() => monitor.bring(bytes, brought)))) * 1000;
      },
      async floor() {
        const bytes = streamBytes(bare, EVENTS);
        bare += EVENTS;
        return (EVENTS / (await timed(() => bareIngest(bytes, store)))) * 1000;
      },
      // A monitor runs for days: what its compilers do at first is not what an event costs; and every few rounds thousands of alerts become one digest.
      warmups: 3,
      rounds: 21,
    });
    return compare(pair, { product: 'core', floor: 'bare parser and INSERT', unit: 'events/s' });
  },
};
