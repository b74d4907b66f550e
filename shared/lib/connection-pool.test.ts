// Pure, test: the connections of one port.
import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { createManualClock } from '../../test/harness/manual-clock.ts';
import { connectionKey, createConnectionPool, ownersOf, type PoolDeps } from './connection-pool.ts';

const LIMITS = { unauthenticated: 8, authenticated: 2, deadline: 10_000 };

class FakeConnection extends EventEmitter {
  readonly remoteAddress = '127.0.0.1';
  readonly localAddress = '127.0.0.1';
  readonly remotePort: number;
  open = true;
  constructor(port: number) {
    super();
    this.remotePort = port;
  }
  destroy(): void {
    this.open = false;
    this.emit('close');
  }
}

function poolOf(owners?: PoolDeps['owners']) {
  const clock = createManualClock();
  const pool = createConnectionPool({ clock, limits: LIMITS, ...(owners === undefined ? {} : { owners }) });
  let port = 1;
  const connect = (): FakeConnection => {
    const connection = new FakeConnection(port);
    port += 1;
    pool.add(connection);
    return connection;
  };
  return { clock, pool, connect, several: (count: number) => Array.from({ length: count }, connect) };
}
const open = (connections: readonly FakeConnection[]): number => connections.filter((one) => one.open).length;

test('a full pool evicts the oldest, so that the newest is served', () => {
  const { connect, several } = poolOf();
  const silent = several(8);
  const newest = connect();
  expect(newest.open).toBe(true);
  expect(silent.map((one) => one.open)).toEqual([false, false, ...Array(6).fill(true)]);
});

test('with TLS a handshake has a deadline, and makes room for the connection that it becomes', async () => {
  const { clock, pool } = poolOf();
  const server = Object.assign(new EventEmitter(), { setSecureContext: () => undefined });
  pool.guard(server);
  const silent = new FakeConnection(1);
  const below = new FakeConnection(2);
  const secured = new FakeConnection(2);
  for (const one of [silent, below]) server.emit('connection', one);
  server.emit('secureConnection', secured);
  pool.authenticate(secured);
  await clock.advance(LIMITS.deadline);
  expect([silent.open, below.open, secured.open]).toEqual([false, true, true]);
});

test('an IPv6 network counts as one peer, however many addresses it connects from', () => {
  const { pool } = poolOf();
  const from = (address: string, port: number): FakeConnection => {
    const connection = Object.assign(new FakeConnection(port), { remoteAddress: address });
    pool.add(connection);
    return connection;
  };
  const ours = from('2001:db8:1::5', 1);
  const theirs = Array.from({ length: 50 }, (_, index) => from(`2001:db8:2::${index + 1}`, index + 2));
  expect(ours.open).toBe(true);
  expect(theirs.at(-1)?.open).toBe(true);
});

test('however many come, the pool stays bounded', () => {
  const { several } = poolOf();
  expect(open(several(1_000))).toBeLessThanOrEqual(LIMITS.unauthenticated);
});

test('an authenticated connection is neither evicted nor ended by the deadline', async () => {
  const { clock, pool, connect, several } = poolOf();
  const ours = connect();
  pool.authenticate(ours);
  several(100);
  await clock.advance(LIMITS.deadline * 10);
  expect(ours.open).toBe(true);
});

test('beyond the pool of the authenticated, a connection keeps its deadline', async () => {
  const { clock, pool, several } = poolOf();
  const all = several(3);
  for (const one of all) pool.authenticate(one);
  await clock.advance(LIMITS.deadline);
  expect(all.map((one) => one.open)).toEqual([true, true, false]);
});

test('a place in either pool is free again when its connection closes', async () => {
  const { pool, several, connect } = poolOf();
  const all = several(2);
  for (const one of all) pool.authenticate(one);
  all[0]?.destroy();
  const next = connect();
  pool.authenticate(next);
  several(100);
  expect([all[1]?.open, next.open]).toEqual([true, true]);
});

test('a silent connection ends at its deadline; the end of an answer restarts it', async () => {
  const { clock, pool, several } = poolOf();
  const [silent, asking] = several(2);
  await clock.advance(LIMITS.deadline - 1);
  if (asking !== undefined) pool.answered(asking);
  await clock.advance(1);
  expect([silent?.open, asking?.open]).toEqual([false, true]);
  await clock.advance(LIMITS.deadline);
  expect(asking?.open).toBe(false);
});

test('the peer that has most loses the oldest: another user cannot evict ours', () => {
  let others = 0;
  const { connect, several } = poolOf(
    () =>
      new Map(
        Array.from({ length: 500 }, (_, index) => [
          connectionKey(new FakeConnection(index + 1)),
          index === 0 ? '1000' : '666',
        ]),
      ),
  );
  const ours = connect();
  others = open(several(200));
  expect(ours.open).toBe(true);
  expect(others).toBeLessThan(LIMITS.unauthenticated);
});

test('owners are read from the tables of Linux, of clients of this port alone', () => {
  const tcp = [
    '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode',
    '   0: 0100007F:12AC 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 11 1 0 100 0 0 10 0',
    '   1: 0100007F:D431 0100007F:12AC 01 00000000:00000000 00:00000000 00000000   666        0 12 1 0 20 4 30 10 -1',
    '   2: 0100007F:12AC 0100007F:D431 01 00000000:00000000 00:00000000 00000000  1000        0 13 1 0 20 4 30 10 -1',
    '   3: 0100007F:D433 0100007F:0050 01 00000000:00000000 00:00000000 00000000   666        0 12 1 0 20 4 30 10 -1',
    '',
  ];
  const tcp6 =
    '   0: 0000000000000000FFFF00000100007F:D432 0000000000000000FFFF00000100007F:12AC 01 00000000:00000000 00:00000000 00000000   1000        0 12 1 0';
  expect([...ownersOf((path) => (path.endsWith('6') ? tcp6 : tcp.join('\n')), 0x12ac)]).toEqual([
    ['127.0.0.1 54321 127.0.0.1', '666'],
    ['127.0.0.1 54322 127.0.0.1', '1000'],
  ]);
  const mapped = { remoteAddress: '::ffff:127.0.0.1', remotePort: 0xd432, localAddress: '::ffff:127.0.0.1' };
  expect(connectionKey(mapped)).toBe('127.0.0.1 54322 127.0.0.1');
});

test('two users with the same port, at another address or towards another one, are two', () => {
  const rows = [
    '   1: 0100007F:D431 0100007F:12AC 01 00000000:00000000 00:00000000 00000000  1000        0 12 1 0 20 4 30 10 -1',
    '   2: 0200007F:D431 0100007F:12AC 01 00000000:00000000 00:00000000 00000000   666        0 13 1 0 20 4 30 10 -1',
    '   3: 0100007F:D431 0200007F:12AC 01 00000000:00000000 00:00000000 00000000   666        0 14 1 0 20 4 30 10 -1',
    '   4: 0300007F:D431 0100007F:12AC 04 00000000:00000000 00:00000000 00000000     0        0 0 1 0 20 4 30 10 -1',
  ];
  const owners = ownersOf((path) => (path.endsWith('6') ? '' : rows.join('\n')), 0x12ac);
  const ownerOf = (remoteAddress: string, localAddress: string) =>
    owners.get(connectionKey({ remoteAddress, remotePort: 0xd431, localAddress }));
  expect(ownerOf('127.0.0.1', '127.0.0.1')).toBe('1000');
  expect(ownerOf('127.0.0.2', '127.0.0.1')).toBe('666');
  expect(ownerOf('127.0.0.1', '127.0.0.2')).toBe('666');
  // Its process closed it: the row names the administrator, who it is not.
  expect(ownerOf('127.0.0.3', '127.0.0.1')).toBeUndefined();
});

test('where there are no tables nobody is known', () => {
  const missing = (): string => {
    throw new Error('ENOENT');
  };
  expect(ownersOf(missing, 80).size).toBe(0);
});
