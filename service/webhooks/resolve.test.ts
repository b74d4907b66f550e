// Service, webhooks, test: name resolution.
import { createSocket } from 'node:dgram';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createResolve } from './resolve.ts';

const TYPES = { 1: 'A', 28: 'AAAA' } as const;
const RECORDS: Readonly<Record<string, Readonly<Record<string, readonly number[]>>>> = {
  'both.example.com': { A: [93, 184, 216, 34], AAAA: [0x26, 6, 0x28, 0, 2, 0x20, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1] },
  'four.example.com': { A: [10, 0, 0, 1] },
};

/** A name server of two names: one question in, one answer out (RFC 1035). */
const server = createSocket('udp4', (query, from) => {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('ascii', at + 1, at + 1 + length));
    at += length + 1;
  }
  const known = RECORDS[labels.join('.')];
  const address = known?.[TYPES[query.readUInt16BE(at + 1) as 1 | 28]];
  const header = Buffer.from(query.subarray(0, 12));
  header.writeUInt16BE(known === undefined ? 0x8183 : 0x8180, 2);
  header.writeUInt16BE(address === undefined ? 0 : 1, 6);
  header.writeUInt16BE(0, 10);
  const question = query.subarray(12, at + 5);
  const answer =
    address === undefined ? [] : [0xc0, 12, 0, query[at + 2] ?? 0, 0, 1, 0, 0, 0, 60, 0, address.length, ...address];
  server.send(Buffer.concat([header, question, Buffer.from(answer)]), from.port, from.address);
});

let resolve: ReturnType<typeof createResolve>;
beforeAll(async () => {
  await new Promise<void>((done) => server.bind(0, '127.0.0.1', done));
  resolve = createResolve([`127.0.0.1:${server.address().port}`]);
});
afterAll(() => void server.close());

test('returns all addresses of both families, so that each can be checked', async () => {
  expect(await resolve('both.example.com')).toEqual(['93.184.216.34', '2606:2800:220:1::1']);
  expect(await resolve('four.example.com')).toEqual(['10.0.0.1']);
});

test('a name that does not exist is an error', async () => {
  await expect(resolve('none.example.com')).rejects.toThrow('ENOTFOUND');
});
