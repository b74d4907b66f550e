// Test: the check of the keys of open streams, while the store of keys cannot be read.
import { PassThrough } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { expect, test } from 'vitest';
import { createManualClock } from '../../test/harness/manual-clock.ts';
import { createStreams, type StreamsDeps } from './stream.ts';

test('a store that cannot be read ends no stream and no process; a revoked key ends its stream at the next check', async () => {
  const clock = createManualClock();
  const warned: string[] = [];
  let isLive: () => boolean = () => true;
  const streams = createStreams({
    log: { find: () => null, lastSeq: () => 0 },
    feed: { follow: () => undefined, after: () => [], end: () => ({ seq: 0, worldTime: 0 }) },
    host: { clock, logger: { warn: (_: object, line: string) => void warned.push(line) } },
    retainedSince: () => 0,
    keyIsLive: () => isLive(),
    random: () => 0.5,
  } as unknown as StreamsDeps);
  const raw = Object.assign(new PassThrough(), { writeHead: () => undefined });
  let text = '';
  raw.on('data', (bytes: Buffer) => {
    text += bytes.toString();
  });
  const reply = { hijack: () => undefined, raw } as unknown as FastifyReply;
  streams.open(reply, {
    keyId: 'key_1',
    query: {} as Parameters<typeof streams.open>[1]['query'],
    unknown: [],
    lastEventId: undefined,
    headers: {},
  });
  isLive = () => {
    throw new Error('database is locked');
  };
  await clock.advance(3_000);
  expect([streams.count(), warned.length]).toEqual([1, 3]);
  isLive = () => false;
  await clock.advance(1_000);
  expect(streams.count()).toBe(0);
  expect(text).toContain('the key of this stream was revoked');
});
