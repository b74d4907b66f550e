// Test: open streams while the store of keys, or the event log, cannot be read.
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { FastifyReply } from 'fastify';
import { expect, test } from 'vitest';
import { createManualClock } from '../../test/harness/manual-clock.ts';
import type { ClusterPort } from '../cluster-port.ts';
import type { LogFeed } from '../log/log-feed.ts';
import type { LoggedEvent } from '../store/event-log.ts';
import { createStreams, type StreamsDeps } from './stream.ts';

/** An event of a kilobyte. */
const event = (seq: number): LoggedEvent =>
  ({
    envelope: { event_id: `evt_${seq}`, event: 'regime.flip', seq, data: {} },
    json: 'x'.repeat(1_024),
  }) as unknown as LoggedEvent;

/** One open stream that resumes at the beginning of the log. */
function rig({
  keyIsLive = () => true,
  after = () => [],
  cutOffMs = () => 0,
}: Partial<Pick<StreamsDeps, 'keyIsLive'> & Pick<LogFeed, 'after'> & Pick<ClusterPort, 'cutOffMs'>>) {
  const clock = createManualClock();
  const warned: string[] = [];
  const streams = createStreams({
    log: { find: () => ({ seq: 0, occurredAt: 0 }), lastSeq: () => 0 },
    feed: { follow: () => undefined, after, end: () => ({ seq: 0, worldTime: 0 }) },
    host: { clock, logger: { warn: (_: object, line: string) => void warned.push(line) } },
    keyIsLive,
    random: () => 0.5,
    cluster: { logId: () => null, cutOffMs },
  } as unknown as StreamsDeps);
  const open = (): PassThrough => {
    const raw = Object.assign(new PassThrough(), { writeHead: () => undefined });
    streams.open({ hijack: () => undefined, raw } as unknown as FastifyReply, {
      keyId: 'key_1',
      query: {} as Parameters<typeof streams.open>[1]['query'],
      unknown: [],
      lastEventId: 'evt_0',
      headers: {},
    });
    return raw;
  };
  return { clock, warned, streams, raw: open(), open };
}

test('a store that cannot be read ends no stream and no process; a revoked key ends its stream at the next check', async () => {
  let isLive: () => boolean = () => true;
  const { clock, warned, streams, raw } = rig({ keyIsLive: () => isLive() });
  isLive = () => {
    throw new Error('database is locked');
  };
  await clock.advance(3_000);
  expect([streams.count(), warned.length]).toEqual([1, 3]);
  isLive = () => false;
  await clock.advance(1_000);
  expect(streams.count()).toBe(0);
  expect(await text(raw)).toContain('the key of this stream was revoked');
});

const CUT = ': cut: the event log cannot be read; reconnect with Last-Event-ID\n\n';

test('a stream whose first read fails ends, so that its client connects again', async () => {
  const { warned, streams, raw } = rig({
    after: () => {
      throw new Error('database is locked');
    },
  });
  expect([streams.count(), warned.length]).toEqual([0, 1]);
  expect((await text(raw)).endsWith(CUT)).toBe(true);
});

test('a replay that fails after a pause ends its stream, not the process', async () => {
  let reads = 0;
  const { warned, streams, raw } = rig({
    after(seq, limit) {
      reads += 1;
      if (reads > 1) throw new Error('database is locked');
      return Array.from({ length: limit }, (_, index) => event(seq + index + 1));
    },
  });
  expect([streams.count(), reads]).toEqual([1, 1]);
  raw.emit('drain');
  expect([streams.count(), reads, warned.length]).toEqual([0, 2, 1]);
  const read = await text(raw);
  expect(read).toContain('id: evt_200\n');
  expect(read.endsWith(CUT)).toBe(true);
});

test('a node that is cut off says so on its streams once, ends them after thirty seconds, and opens no other', async () => {
  let cutAt = Number.POSITIVE_INFINITY;
  let now = (): number => 0;
  const { clock, streams, raw, open } = rig({ cutOffMs: () => Math.max(0, now() - cutAt) });
  now = clock.now;
  cutAt = now();
  const first = text(raw);
  await clock.advance(20_000);
  const late = text(open());
  await clock.advance(15_000);
  expect(streams.count()).toBe(0);
  expect(open).toThrow('This node is cut off');
  const read = await first;
  expect(read.match(/this stream ends after 30 s of it/g)).toHaveLength(1);
  expect(read).toMatch(/retry: \d+\n\n: cut off: .+; reconnect with Last-Event-ID\n\n$/);
  expect(await late).toContain('; cut off: this node has not heard the others for 20 s');
  cutAt = Number.POSITIVE_INFINITY;
  open();
  await clock.advance(60_000);
  expect(streams.count()).toBe(1);
});
