// Service, webhooks, test: name resolution.
import { createSocket } from 'node:dgram';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Clock } from '../../shared/lib/clock.ts';
import { createResolve } from './resolve.ts';

const TYPES = { 1: 'A', 28: 'AAAA' } as const;
const RECORDS: Readonly<Record<string, Readonly<Record<string, readonly number[]>>>> = {
  'both.example.com': { A: [93, 184, 216, 34], AAAA: [0x26, 6, 0x28, 0, 2, 0x20, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1] },
  'four.example.com': { A: [10, 0, 0, 1] },
  'dropped.example.com': { A: [93, 184, 216, 34] },
};

/** A name server of a few names, which drops questions for one AAAA: one question in, one answer out (RFC 1035). */
const server = createSocket('udp4', (query, from) => {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('ascii', at + 1, at + 1 + length));
    at += length + 1;
  }
  const known = RECORDS[labels.join('.')];
  const type = TYPES[query.readUInt16BE(at + 1) as 1 | 28];
  if (labels[0] === 'dropped' && type === 'AAAA') return;
  const address = known?.[type];
  const header = Buffer.from(query.subarray(0, 12));
  header.writeUInt16BE(known === undefined ? 0x8183 : 0x8180, 2);
  header.writeUInt16BE(address === undefined ? 0 : 1, 6);
  header.writeUInt16BE(0, 10);
  const question = query.subarray(12, at + 5);
  const answer =
    address === undefined ? [] : [0xc0, 12, 0, query[at + 2] ?? 0, 0, 1, 0, 0, 0, 60, 0, address.length, ...address];
  server.send(Buffer.concat([header, question, Buffer.from(answer)]), from.port, from.address);
});

/** Waits that the test ends by hand. */
const waits: { ms: number; job: () => void }[] = [];
const clock: Clock = {
  now: () => 0,
  after(ms, job) {
    const wait = { ms, job };
    waits.push(wait);
    return () => {
      if (waits.includes(wait)) waits.splice(waits.indexOf(wait), 1);
    };
  },
};

let resolve: ReturnType<typeof createResolve>;
beforeAll(async () => {
  await new Promise<void>((done) => server.bind(0, '127.0.0.1', done));
  resolve = createResolve(clock, [`127.0.0.1:${server.address().port}`]);
});
afterAll(() => void server.close());

test('returns all addresses of both families, so that each can be checked', async () => {
  expect(await resolve('both.example.com')).toEqual(['93.184.216.34', '2606:2800:220:1::1']);
  expect(await resolve('four.example.com')).toEqual(['10.0.0.1']);
  expect(waits).toEqual([]);
});

test('a family that has answered waits half a second for the other, not for its last try', async () => {
  const found = resolve('dropped.example.com');
  await expect.poll(() => waits.map(({ ms }) => ms)).toEqual([500]);
  waits[0]?.job();
  expect(await found).toEqual(['93.184.216.34']);
});

test('a name that does not exist is an error', async () => {
  await expect(resolve('none.example.com')).rejects.toThrow('ENOTFOUND');
});
